r"""The scheduler's summary of its limits, one row for the first rank of each replica.

Sample
    #@ 0.1.17..0.1.22
    [gpu_id=0] max_total_num_tokens=446204, max_prefill_tokens=16384, context_len=8192
    #@ 0.1.24..0.2.6
    [gpu_id=0] max_total_num_tokens=446204, max_prefill_tokens=16384, max_running_requests=5577, context_len=8192
    #@ 0.2.14..0.4.1.post7
    [2025-01-12 02:47:08 TP0] max_total_num_tokens=192406, max_prefill_tokens=16384, max_running_requests=2049, context_len=40960
    #@ 0.4.2..0.4.6.post5
    [2025-04-12 02:47:08 TP0] max_total_num_tokens=192406, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2049, context_len=40960
    #@ 0.4.7..0.5.23
    [2025-08-12 02:47:08 TP0] max_total_num_tokens=192406, chunked_prefill_size=-1, max_prefill_tokens=16384, max_running_requests=2405, context_len=40960, available_gpu_mem=5.74 GB
    #@ 0.5.2..0.5.23
    [2026-09-12 02:47:08 TP0] max_total_num_tokens=192406, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=256, context_len=40960, available_cpu_mem=505.74 GB

Meaning
    The KV capacity that the scheduler works with, per rank and DP replica. With sizing after the capture (0.5.16 and
    later) this is the final number, and the pool line of the start only an upper bound.

Source
    `Scheduler.__init__`, `Scheduler.init_model_worker` (0.5.7 and later); tp_rank 0 only.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_START = ("max_total_num_tokens=",)

FAMILY = Family(
    shapes=(
        Shape(r"(?P<fields>max_total_num_tokens=\d+, .*available_cpu_mem=.*)", _START, since="0.5.2", separator="="),
        Shape(r"(?P<fields>max_total_num_tokens=\d+, .*available_gpu_mem=.*)", _START, since="0.4.7", separator="="),
        Shape(
            r"(?P<fields>max_total_num_tokens=\d+, chunked_prefill_size=.*)",
            _START,
            since="0.4.2",
            until="0.4.6.post5",
            separator="=",
        ),
        Shape(
            r"(?P<fields>max_total_num_tokens=\d+, max_prefill_tokens=\d+, max_running_requests=.*)",
            _START,
            since="0.1.24",
            until="0.4.1.post7",
            separator="=",
        ),
        Shape(
            r"(?P<fields>max_total_num_tokens=\d+, max_prefill_tokens=.*)",
            _START,
            since="0.1.17",
            until="0.1.22",
            separator="=",
        ),
    ),
    columns=(
        Column("max_total_num_tokens", "int", "KV capacity of the rank.", "tokens", ("max_total_num_tokens",)),
        Column(
            "chunked_prefill_size",
            "int",
            "Longest chunk of a prefill; −1: no chunking.",
            "tokens",
            ("chunked_prefill_size",),
            since="0.4.2",
        ),
        Column("max_prefill_tokens", "int", "Most tokens in one prefill batch.", "tokens", ("max_prefill_tokens",)),
        Column(
            "max_running_requests",
            "int",
            "Most requests that run at once.",
            "requests",
            ("max_running_requests",),
            since="0.1.24",
        ),
        Column("context_len", "int", "Longest sequence.", "tokens", ("context_len",)),
        Column(
            "avail_mem_gib",
            "float",
            "Free memory after everything is set up (0.4.7–0.5.1.post3 `gpu` also on a CPU).",
            "GiB",
            ("available_gpu_mem", "available_cpu_mem"),
            since="0.4.7",
        ),
    ),
    process="scheduler",
    open_keys=True,
    informs=True,
)
