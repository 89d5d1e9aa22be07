r"""Lines of torch's own loggers that are not about lost ranks: one row a line.

Sample
    #@ 0.1.15..0.5.23
    W0311 16:28:24.133000 95531 torch/distributed/run.py:792] Setting OMP_NUM_THREADS environment variable for each process to be 1
    W0311 16:28:24.133000 95531 site-packages/torch/_dynamo/convert_frame.py:906] [0/8] torch._dynamo hit config.recompile_limit (8)
    [W1129 12:14:32.123456789 CPUAllocator.cpp:245] Memory block of unknown size was allocated before the profiling started
    [W722 10:00:00.123456789 compiler_depend.ts:465] Warning: Tensor not is not allocated by NPUCachingAllocator, skip eraseStream. (function operator())
    [rank0]:[W119 03:52:27.073114819 ProcessGroupNCCL.cpp:1524] Warning: WARNING: destroy_process_group() was not called before program exit, which can leak resources. (function operator())
    [rank1]:W0311 16:28:24.133000 95531 torch/_inductor/utils.py:1137] [0/0] Not enough SMs to use max_autotune_gemm mode

Meaning
    Warnings of the compiler, the allocator and the launcher. A line of `torch.distributed.elastic` that names an exit
    code is the launcher's view of a death.

Source
    torch `torch/_logging/_internal.py`; `c10/util/Logging.cpp`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_RANK = r"(?:\[rank(?P<torch_rank>\d+)\]: ?)?"

FAMILY = Family(
    shapes=(
        Shape(
            _RANK
            + r"(?P<level>[VIWEF])(?P<printed_time>\d{4} [\d:.]+) +(?P<thread_id>\d+) (?P<source>\S*torch\S*\.py):(?P<source_line>\d+)\] (?P<text>.*)",
            contains=".py:",
        ),
        Shape(
            _RANK
            + r"\[(?P<level>[IWEF]) ?(?P<printed_time>\d{3,4} [\d:.]+) (?:\d+ )?(?P<source>[\w./]+\.(?:cpp|h|hpp|cu|mm)):(?P<source_line>\d+)\]"
            r" (?P<text>.*(?:destroy_process_group\(\) was not called|to perform barrier|using best-guess GPU|Guessing device ID|NOTE:).*)",
            contains=".cpp:",
        ),
        Shape(
            _RANK + r"\[(?P<level>[IWEF]) ?(?P<printed_time>\d{3,4} [\d:.]+) (?:\d+ )?"
            r"(?P<source>(?!\S*(?:ProcessGroup|TCPStore|NCCLUtils|socket|HeartbeatMonitor|FlightRecorder|Work|Store))[\w./]+\.(?:cpp|h|hpp|cu|mm|ts)):(?P<source_line>\d+)\]"
            r" (?P<text>.*)",
            ("[W", "[E", "[I", "[F", "[rank"),
        ),
    ),
    columns=(
        Column("torch_rank", "int", "Global rank that printed the line."),
        Column("level", "text", "V, I, W, E or F."),
        Column("printed_time", "text", "Month and day, local time."),
        Column("thread_id", "int", "Thread number."),
        Column("source", "text", "Source file."),
        Column("source_line", "int", "Its line."),
        Column("text", "text", "The message."),
    ),
    shared=True,
)
