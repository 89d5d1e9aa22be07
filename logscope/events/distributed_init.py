r"""Set-up of the process groups, one row a line and rank.

Sample
    #@ 0.3.3.post1..0.5.20
    [2025-10-16 09:06:05 TP7] Init torch distributed begin.
    #@ 0.4.3.post3..0.5.8.post1
    [2025-10-16 09:06:09 TP7] Init torch distributed ends. mem usage=1.77 GB
    #@ 0.5.9..0.5.20
    [2026-03-16 09:06:09 TP7] Init torch distributed ends. elapsed=3.91 s, mem usage=1.77 GB
    #@ 0.5.21..0.5.23
    [2026-11-16 09:06:05 TP7] Init parallel begin.
    [2026-11-16 09:06:09 TP7] Init parallel ends. elapsed=3.91 s
    [2026-11-16 09:06:10 TP7] Memory baseline taken. mem usage=1.77 GB
    #@ 0.5.10..0.5.15.post1
    [2026-04-16 09:06:09 TP7] NCCL/RCCL warmup completed in 1.204s (tp_size=8, pp_size=1)
    #@ 0.5.16..0.5.23
    [2026-09-16 09:06:09 TP7] NCCL/RCCL/HCCL warmup completed in 1.204s (tp_size=8, pp_size=1)

Meaning
    `mem usage` is what contexts and communicators took from the device between begin and end, other processes
    included; negative when a neighbour freed memory meanwhile.

Source
    `ModelRunner.init_torch_distributed`; `distributed/bootstrap.py` (0.5.18 and later).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Init torch distributed begin\. *",
            ("Init torch distributed begin.",),
            since="0.3.3.post1",
            until="0.5.20",
            sets={"kind": "begin"},
        ),
        Shape(
            r"Init torch distributed ends\. (?P<fields>mem usage=.*)",
            ("Init torch distributed ends.",),
            since="0.4.3.post3",
            until="0.5.8.post1",
            separator="=",
            sets={"kind": "end"},
        ),
        Shape(
            r"Init torch distributed ends\. (?P<fields>elapsed=.*)",
            ("Init torch distributed ends.",),
            since="0.5.9",
            until="0.5.20",
            separator="=",
            sets={"kind": "end"},
        ),
        Shape(r"Init parallel begin\. *", ("Init parallel begin.",), since="0.5.21", sets={"kind": "begin"}),
        Shape(
            r"Init parallel ends\. (?P<fields>elapsed=.*)",
            ("Init parallel ends.",),
            since="0.5.21",
            separator="=",
            sets={"kind": "end"},
        ),
        Shape(
            r"Memory baseline taken\. (?P<fields>mem usage=.*)",
            ("Memory baseline taken.",),
            since="0.5.21",
            separator="=",
            sets={"kind": "baseline"},
        ),
        Shape(
            r"NCCL/RCCL warmup completed in (?P<elapsed_s>[\d.]+)s(?P<rest>.*)",
            ("NCCL/RCCL warmup completed",),
            since="0.5.10",
            until="0.5.15.post1",
            sets={"kind": "warmup"},
        ),
        Shape(
            r"NCCL/RCCL/HCCL warmup completed in (?P<elapsed_s>[\d.]+)s(?P<rest>.*)",
            ("NCCL/RCCL/HCCL warmup completed",),
            since="0.5.16",
            sets={"kind": "warmup"},
        ),
    ),
    columns=(
        Column("kind", "text", "begin, end, baseline, warmup."),
        Column("mem_usage_gib", "float", "Free before − free after.", "GiB", ("mem usage",), since="0.4.3.post3"),
        Column("elapsed_s", "float", "Time it took.", "s", ("elapsed",), since="0.5.9"),
        Column("rest", "text", "What else the line says."),
    ),
    process="scheduler",
    open_keys=True,
    informs=True,
)
