r"""Kernels that are compiled, loaded or tuned while the server runs: one row a line.

Sample
    #@ 0.3.0..0.5.23
    2025-03-26 19:26:44,086 - INFO - flashinfer.jit: Loading JIT ops: cascade
    2025-03-26 19:27:44,086 - INFO - flashinfer.jit: Finished loading JIT ops: cascade
    flashinfer.jit: Prebuilt kernels not found, using JIT backend
    2025-09-10 12:00:00,123 - INFO - autotuner.py:256 - flashinfer.jit: [Autotuner]: Autotuning process starts ...
    #@ 0.2.0..0.5.23
    AUTOTUNE mm(4x4096, 4096x8)
      triton_mm_99 0.0134 ms 99.8% ACC_TYPE='tl.float32', ALLOW_TF32=False
    SingleProcess AUTOTUNE benchmarking takes 1.3427 seconds and 8.8429 seconds precompiling
    SubProcess AUTOTUNE benchmarking takes 0.2140 seconds and 0.0021 seconds precompiling for 20 choices
    #@ 0.2.0..0.5.23
    [1/3] /usr/local/cuda/bin/nvcc --generate-dependencies-with-compile -o kernel.cuda.o
    ninja: no work to do.
    ninja: build stopped: subcommand failed.
    FAILED: kernel.cuda.o
    nvcc fatal   : Unsupported gpu architecture 'compute_120'
    ptxas fatal   : Value 'sm_120a' is not defined for option 'gpu-name'
    Building extension module sampling_kernels...
    Loading extension module sampling_kernels...
    Using /root/.cache/torch_extensions/py311_cu124 as PyTorch extensions root...
    Emitting ninja build file /root/.cache/torch_extensions/py311_cu124/x/build.ninja...
    #@ 0.4.0..0.5.23
    [aiter] finish build [module_norm], cost 30.20000000s
    2025-11-01 10:00:00  [TileLang:tilelang.jit.kernel:INFO]: TileLang begins to compile kernel `main` with `out_idx=None`
    Triton autotuning for function _fwd_kernel finished after 12.31s; best config selected: BLOCK_M: 64

Meaning
    A rank that compiles inside a forward keeps all others waiting: a time-out of a collective or a watchdog after such
    a line, on any rank, is explained by it. After the first run the results are cached.

Source
    FlashInfer `jit/core.py`, `autotuner.py`; torch `_inductor/select_algorithm.py`, `utils/cpp_extension.py`; ninja;
    aiter `jit/core.py`; TileLang; Triton `runtime/autotuner.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_LOG = r"(?:(?P<printed_time>\d{4}-\d\d-\d\d [\d:,.]+) +)?(?:- )?(?:(?:DEBUG|INFO|WARNING|ERROR) - )?(?:[\w.]+:\d+ - )?"

FAMILY = Family(
    shapes=(
        Shape(
            _LOG + r"flashinfer\. *jit: (?P<text>(?P<event>Loading|Finished loading) JIT ops: (?P<name>\S+).*)",
            contains=" JIT ops: ",
            sets={"compiler": "flashinfer"},
        ),
        Shape(
            _LOG + r"flashinfer\. *jit: (?P<text>(?!.*JIT ops: ).*)", contains="jit: ", sets={"compiler": "flashinfer"}
        ),
        Shape(
            r"(?:Single|Sub)Process AUTOTUNE benchmarking takes (?P<benchmark_s>[\d.]+) seconds(?: and (?P<precompile_s>[\d.]+) seconds precompiling)?(?P<text>.*)",
            ("SingleProcess AUTOTUNE", "SubProcess AUTOTUNE"),
            sets={"compiler": "inductor", "event": "tuned"},
        ),
        Shape(
            r"AUTOTUNE (?P<name>\w+)\((?P<text>.*)\)", ("AUTOTUNE ",), sets={"compiler": "inductor", "event": "tune"}
        ),
        Shape(
            r" +(?P<name>\w+) (?P<kernel_ms>[\d.]+|inf) ms [\d.]+%(?P<text>.*)",
            ("  ",),
            sets={"compiler": "inductor", "event": "choice"},
        ),
        Shape(
            r"\[(?P<step>\d+)/(?P<steps>\d+)\] (?P<text>(?:(?:\S+=\S+ |ccache |sccache )*\S*(?:nvcc|c\+\+|g\+\+|gcc|clang|clang\+\+|hipcc|icpx|cc|ld|ar)(?:-\d+)?|:) .*)",
            ("[1", "[2", "[3", "[4", "[5", "[6", "[7", "[8", "[9"),
            sets={"compiler": "ninja", "event": "step"},
        ),
        Shape(
            r"(?P<text>ninja: (?:build stopped|error|fatal): .*|FAILED: .*\.(?:o|so|cubin)\s*|(?:nvcc|ptxas|nvlink|cudafe\+\+|hipcc) fatal +: .*)",
            ("ninja: ", "FAILED: ", "nvcc fatal", "ptxas fatal", "nvlink fatal", "cudafe++ fatal", "hipcc fatal"),
            sets={"compiler": "ninja", "event": "failed"},
        ),
        Shape(r"ninja: (?P<text>(?!error|fatal|build stopped).*)", ("ninja: ",), sets={"compiler": "ninja"}),
        Shape(
            r"(?P<event>Building|Loading) extension module (?P<name>[\w.]+?)\.{3}",
            ("Building extension module ", "Loading extension module "),
            sets={"compiler": "torch"},
        ),
        Shape(
            r"(?P<text>Using \S+ as PyTorch extensions root\.\.\.|Emitting ninja build file .*|Creating extension directory .*"
            r"|Detected CUDA files, patching ldflags|Allowing ninja to set a default number of workers.*"
            r"|No modifications detected for re-loaded extension module .*)",
            (
                "Using /",
                "Emitting ninja",
                "Creating extension",
                "Detected CUDA files",
                "Allowing ninja",
                "No modifications detected",
            ),
            sets={"compiler": "torch"},
        ),
        Shape(
            r"\[aiter\] (?P<text>(?:(?P<event>start|finish) build \[(?P<name>\w+)\])?(?:.*cost (?P<build_s>[\d.]+)s)?.*)",
            ("[aiter]",),
            sets={"compiler": "aiter"},
        ),
        Shape(
            r"(?:(?P<printed_time>\d{4}-\d\d-\d\d [\d:,.]+) +)?\[TileLang:\S+:\w+\]: (?P<text>.*)",
            contains="[TileLang:",
            sets={"compiler": "tilelang"},
        ),
        Shape(
            r"Triton autotuning for function (?P<name>\w+),?(?:.{0,300}?finished after (?P<benchmark_s>[\d.]+)s)?(?P<text>.*)",
            ("Triton autotuning for function",),
            sets={"compiler": "triton", "event": "tuned"},
        ),
    ),
    columns=(
        Column("compiler", "text", "flashinfer, inductor, ninja, torch, aiter, tilelang, triton."),
        Column("event", "text", "What is done: Loading, Building, tune, tuned, step, failed, …"),
        Column("name", "text", "Kernel, operator or module."),
        Column("step", "int", "Step of the build."),
        Column("steps", "int", "Steps in all.", "steps"),
        Column("benchmark_s", "float", "Time of trying out.", "s", decimals=4),
        Column("precompile_s", "float", "Time of compiling.", "s", decimals=4),
        Column("kernel_ms", "float", "Time of one choice.", "ms", decimals=4),
        Column("build_s", "float", "Time of a build.", "s"),
        Column("printed_time", "text", "Time as printed."),
        Column("text", "text", "The message."),
    ),
    shared=True,
)
