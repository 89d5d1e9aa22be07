r"""Capture of device graphs: begin, end, sizes and failures.

Sample
    #@ 0.1.20..0.1.21
    [gpu_id=0] Capture cuda graph begin.
    #@ 0.1.24..0.4.3.post2
    [2025-02-01 09:08:10 TP0] Capture cuda graph begin. This can take up to several minutes.
    #@ 0.4.3.post3..0.5.13.post1
    [2025-04-01 09:08:10 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=10.30 GB
    #@ 0.4.0..0.4.3.post2
    [2025-02-01 09:08:30 TP0] Capture cuda graph end. Time elapsed: 19.20 s
    #@ 0.4.3.post3..0.4.6
    [2025-04-01 09:08:30 TP0] Capture cuda graph end. Time elapsed: 19.20 s. avail mem=9.10 GB. mem usage=1.20 GB.
    #@ 0.4.6.post1..0.5.13.post1
    [2025-08-12 02:47:08 TP0] Capture cuda graph end. Time elapsed: 7.86 s. mem usage=0.27 GB. avail mem=5.74 GB.
    #@ 0.5.2..0.5.13.post1
    [2026-02-12 02:47:08 TP0] Capture cpu graph begin. This can take up to several minutes. avail mem=5.74 GB
    #@ 0.4.6.post2..0.5.13.post1
    [2026-02-12 02:47:08 TP0] Capture cuda graph bs [1, 2, 4, 8, 16]
    #@ 0.4.3.post3..0.5.13.post1
    [2025-07-28 11:04:16 TP1] Capture draft cuda graph begin. This can take up to several minutes. avail mem=6.98 GB
    #@ 0.4.7.post1..0.5.13.post1
    [2025-07-28 11:04:21 TP1] Capture draft cuda graph end. Time elapsed: 5.48 s. mem usage=0.10 GB. avail mem=6.88 GB.
    #@ 0.4.3.post3..0.4.7
    [2025-05-28 11:04:21 TP1] Capture draft cuda graph end. Time elapsed: 5.48 s. avail mem=6.88 GB. mem usage=0.10 GB.
    #@ 0.4.7..0.5.13.post1
    [2025-07-28 11:04:22 TP1] Capture draft extend cuda graph begin. This can take up to several minutes. avail mem=6.88 GB
    #@ 0.5.14..0.5.15.post1
    [2026-07-12 02:47:08 TP0] Capture target decode CUDA graph begin. backend=full, num_tokens_per_bs=1, bs=[1, 2, 4, 8], avail mem=8.31 GB
    #@ 0.5.16..0.5.21
    [2026-08-12 02:47:08 TP0] Capture target decode CUDA graph begin. backend=full, num_tokens_per_req=1, bs=[1, 2, 4, 8], avail mem=8.31 GB
    #@ 0.5.22..0.5.23
    [2026-11-12 02:47:08 TP0] Capture target decode CUDA graph begin. backend=full, num_tokens_per_req=1, avail mem=8.31 GB
    #@ 0.5.3.post2..0.5.13.post1
    [2026-01-12 02:47:16 TP0] Capture cuda graph num tokens [4, 8, 16]
    #@ 0.5.14..0.5.21
    [2026-09-12 02:47:28 TP0] Capture target verify CUDA graph end. elapsed=18.02 s, mem usage=2.27 GB, avail mem=6.04 GB.
    #@ 0.5.22..0.5.23
    [2026-11-12 02:47:28 TP0] Capture target decode CUDA graph end. bs=[1, 2, 4, 8], elapsed=18.02 s, mem usage=2.27 GB, avail mem=6.04 GB.
    #@ 0.5.6..0.5.13.post1
    [2026-01-12 02:47:16 TP0] Capture piecewise CUDA graph begin. avail mem=6.94 GB
    [2026-01-12 02:47:28 TP0] Capture piecewise CUDA graph end. Time elapsed: 12.10 s. mem usage=0.90 GB. avail mem=6.04 GB.
    #@ 0.5.14..0.5.23
    [2026-09-12 02:47:48 TP0] Capture target prefill CUDA graph begin. backend=piecewise, num_tokens=[4, 8, 16], avail mem=6.94 GB
    #@ 0.5.17..0.5.23
    [2026-09-12 02:47:48 TP0] Capture target prefill CUDA graph end. elapsed=12.10 s, mem usage=0.90 GB, avail mem=6.04 GB.
    #@ 0.5.7..0.5.13.post1
    [2026-02-28 11:04:22 TP1] Capture draft extend cuda graph begin (step 1). This can take up to several minutes. avail mem=6.88 GB
    [2026-02-28 11:04:22 TP1] Capture draft extend cuda graph end (step 1). Time elapsed: 5.48 s. mem usage=0.10 GB. avail mem=6.88 GB.
    #@ 0.5.14..0.5.23
    [2026-11-12 02:47:28 TP0] Capture draft extend CUDA graph end. step=1, elapsed=198.70 s, mem usage=2.75 GB, avail mem=6.04 GB.
    #@ 0.4.3.post3..0.5.13.post1
    [2025-07-28 11:04:21 TP1] Capture draft cuda graph end. Time elapsed: 5.48 s. avail mem=6.88 GB
    #@ 0.5.18..0.5.23
    [2026-11-12 02:47:28 TP0] Capture UNO tree draft CUDA graph end. elapsed=18.02 s, mem usage=2.27 GB, avail mem=6.04 GB.
    #@ 0.4.0..0.5.23
    [2026-01-12 02:47:08 TP0] Registering 1032 cuda graph addresses

Meaning
    Up to 0.5.13.post1 `worker` is draft where the line says so and target otherwise, and `stage` is decode, piecewise
    or extend; later both are printed. `mem usage` is what the capture took on that rank. A `begin` without an `end`
    is where the process died or hangs.

Source
    `ModelRunner.init_cuda_graphs`, `init_device_graphs`, `init_piecewise_cuda_graphs`; `cuda_graph_setup.py` (0.5.14
    and later); `EAGLEWorker.init_cuda_graphs` for drafts.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_OLD = r"Capture (?:(?P<worker>draft) )?(?:(?P<stage>extend) )?(?P<device>cuda|cpu|npu|xpu|musa|hpu) graph"
_NEW = (
    r"Capture (?P<worker>target|draft) (?P<stage>.+?) (?P<device>CUDA|CPU|NPU|XPU|MUSA|HPU)(?: piecewise)? [Gg]raphs?"
)
_STARTS = ("Capture ",)

FAMILY = Family(
    shapes=(
        Shape(rf"{_OLD} begin\. *", _STARTS, since="0.1.20", until="0.1.21", sets={"kind": "begin"}),
        Shape(
            rf"{_OLD} begin\. This can take up to several minutes\. *",
            _STARTS,
            since="0.1.24",
            until="0.4.3.post2",
            sets={"kind": "begin"},
        ),
        Shape(
            r"Capture cuda graph begin\. This can take up to several minutes\. (?P<fields>avail mem=.*)",
            _STARTS,
            since="0.4.3.post3",
            until="0.5.13.post1",
            separator="=",
            sets={"kind": "begin", "device": "cuda"},
        ),
        Shape(
            rf"{_OLD} begin\. This can take up to several minutes\. (?P<fields>avail mem=.*)",
            _STARTS,
            since="0.4.3.post3",
            until="0.5.13.post1",
            separator="=",
            sets={"kind": "begin"},
        ),
        Shape(
            rf"{_OLD} end\. Time elapsed: (?P<elapsed_s>[\d.]+) s *",
            _STARTS,
            since="0.4.0",
            until="0.4.3.post2",
            sets={"kind": "end"},
        ),
        Shape(
            r"Capture (?P<device>cuda) graph end\. Time elapsed: (?P<elapsed_s>[\d.]+) s\."
            r" avail mem=(?P<avail_mem_gib>[-\d.]+) GB\. mem usage=(?P<mem_usage_gib>[-\d.]+) GB\. *",
            _STARTS,
            since="0.4.3.post3",
            until="0.4.6",
            sets={"kind": "end"},
        ),
        Shape(
            rf"{_OLD} end\. Time elapsed: (?P<elapsed_s>[\d.]+) s\."
            r" avail mem=(?P<avail_mem_gib>[-\d.]+) GB\. mem usage=(?P<mem_usage_gib>[-\d.]+) GB\. *",
            _STARTS,
            since="0.4.3.post3",
            until="0.4.7",
            sets={"kind": "end"},
        ),
        Shape(
            rf"{_OLD} end\. Time elapsed: (?P<elapsed_s>[\d.]+) s\."
            r" mem usage=(?P<mem_usage_gib>[-\d.]+) GB\. avail mem=(?P<avail_mem_gib>[-\d.]+) GB\.? *",
            _STARTS,
            since="0.4.6.post1",
            until="0.5.13.post1",
            sets={"kind": "end"},
        ),
        Shape(
            r"Capture (?:(?P<worker>draft) )?(?P<stage>piecewise) (?P<device>CUDA|NPU) graph (?P<kind>begin)\."
            r" (?P<fields>avail mem=.*)",
            _STARTS,
            since="0.5.6",
            until="0.5.13.post1",
            separator="=",
        ),
        Shape(
            r"Capture (?:(?P<worker>draft) )?(?P<stage>piecewise) (?P<device>CUDA|NPU) graph (?P<kind>end)\."
            r" Time elapsed: (?P<elapsed_s>[\d.]+) s\."
            r" mem usage=(?P<mem_usage_gib>[-\d.]+) GB\. avail mem=(?P<avail_mem_gib>[-\d.]+) GB\.? *",
            _STARTS,
            since="0.5.6",
            until="0.5.13.post1",
        ),
        Shape(
            r"(?P<label>\[\w+\] )?Capture (?P<device>cuda|cpu|npu|CUDA) graph bs (?P<batch_sizes>\[.*\]) *",
            contains=" graph bs ",
            since="0.4.6.post2",
            until="0.5.13.post1",
            sets={"kind": "sizes"},
        ),
        Shape(
            r"(?P<label>\[\w+\] )?Capture (?:(?P<device>cuda|cpu|npu) graph )?num tokens:? (?P<token_counts>\[.*\]) *",
            contains="num tokens",
            since="0.5.3.post2",
            until="0.5.13.post1",
            sets={"kind": "sizes", "stage": "piecewise"},
        ),
        Shape(
            rf"{_NEW} (?P<kind>begin)\. (?P<fields>backend=.*num_tokens_per_bs=.*)",
            _STARTS,
            since="0.5.14",
            until="0.5.15.post1",
            separator="=",
        ),
        Shape(
            rf"{_NEW} (?P<kind>begin)\. (?P<fields>backend=.*num_tokens_per_req=\d+, bs=.*)",
            _STARTS,
            since="0.5.16",
            until="0.5.21",
            separator="=",
        ),
        Shape(
            rf"{_NEW} (?P<kind>begin)\. (?P<fields>backend=.*num_tokens_per_req=\d+, avail mem=.*)",
            _STARTS,
            since="0.5.22",
            separator="=",
        ),
        Shape(
            rf"{_NEW} (?P<kind>begin|end)\. (?P<fields>.*)",
            _STARTS,
            since="0.5.14",
            separator="=",
        ),
        Shape(
            r"Capture (?:(?P<worker>draft|target) )?(?P<stage>.+?) (?P<device>cuda|cpu|npu|CUDA|CPU|NPU) graph (?P<kind>begin|end)"
            r"(?: \(step (?P<step>\d+)\))?\.(?: This can take up to several minutes\.)?"
            r"(?: Time elapsed: (?P<elapsed_s>[\d.]+) s\.(?: mem usage=(?P<mem_usage_gib>[-\d.]+) GB\.)?"
            r" avail mem=(?P<avail_mem_gib>[-\d.]+) GB\.?|(?P<fields>.*))",
            _STARTS,
            since="0.4.3.post3",
            separator="=",
        ),
        Shape(
            r"Registering (?P<addresses>\d+) cuda graph addresses *",
            ("Registering ",),
            contains="cuda graph addresses",
            since="0.4.0",
            sets={"kind": "registered"},
        ),
    ),
    columns=(
        Column("kind", "text", "begin, end, sizes, registered."),
        Column("worker", "text", "target or draft (absent: target)."),
        Column("stage", "text", "decode, verify, prefill, piecewise, extend (absent: decode)."),
        Column("device", "text", "cuda, cpu, npu …"),
        Column("elapsed_s", "float", "Time the capture took.", "s", ("elapsed",), since="0.4.0"),
        Column("avail_mem_gib", "float", "Free memory at this line.", "GiB", ("avail mem",), since="0.4.3.post3"),
        Column("mem_usage_gib", "float", "Free before − free after.", "GiB", ("mem usage",), since="0.4.3.post3"),
        Column("backend", "text", "Backend of the capture.", keys=("backend",), since="0.5.14"),
        Column(
            "tokens_per_request",
            "int",
            "Tokens of a request in a step.",
            "tokens",
            ("num_tokens_per_bs", "num_tokens_per_req"),
            since="0.5.14",
        ),
        Column("batch_sizes", "text", "The captured batch sizes as a list.", keys=("bs",), since="0.4.6.post2"),
        Column(
            "token_counts", "text", "The captured token counts as a list.", keys=("num_tokens",), since="0.5.3.post2"
        ),
        Column("step", "int", "Draft step that is captured.", keys=("step",)),
        Column("addresses", "int", "Addresses registered for the all-reduce.", since="0.4.0"),
        Column("label", "text", "Tag in front of the message."),
    ),
    process="scheduler",
    open_keys=True,
    informs=True,
)
