r"""How long each step of a start took.

Sample
    #@ 0.5.17..0.5.23
    [2026-11-29 12:14:40] Engine startup timings (s): load_weight=0.03, kv_cache_allocation=0.66, scheduler_e2e=3.65, cuda_graph={prefill=0.00, decode=0.00, target_verify=0.00, draft_prefill=0.00, draft_decode=0.00, draft_extend=0.00}, tokenizer_e2e=21.14
    #@ 0.5.2..0.5.23
    [2026-02-01 12:14:40] Startup timing: load_model took 12.345s
    [2026-02-01 12:14:40] Setting startup metric: load_model to 12.345

Meaning
    Seconds of wall time, of the slowest rank. `tokenizer_e2e` is the whole start as the main process sees it.

Source
    `Engine._set_startup_time` (`entrypoints/engine.py`), `srt/metrics/startup_func_log_and_timer.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_GRAPHS = ("prefill", "decode", "target_verify", "draft_prefill", "draft_decode", "draft_extend")

FAMILY = Family(
    shapes=(
        Shape(
            r"Engine startup timings \(s\): load_weight=(?P<load_weight_s>[\d.]+|None),"
            r" kv_cache_allocation=(?P<kv_cache_allocation_s>[\d.]+|None), scheduler_e2e=(?P<scheduler_s>[\d.]+|None),"
            r" cuda_graph=\{"
            + ", ".join(rf"{name}=(?P<graph_{name}_s>[\d.]+|None)" for name in _GRAPHS)
            + r"(?:, .*)?\}, tokenizer_e2e=(?P<tokenizer_s>[\d.]+|None).*",
            ("Engine startup timings",),
            since="0.5.17",
        ),
        Shape(r"Startup timing: (?P<step>.+) took (?P<step_s>[\d.]+) ?s.*", ("Startup timing:",), since="0.5.2"),
        Shape(
            r"Setting startup metric: (?P<step>.+?) (?:to|=|took) ?(?P<step_s>[\d.]+).*",
            ("Setting startup metric:",),
            since="0.5.2",
        ),
    ),
    columns=(
        Column("load_weight_s", "float", "Loading the weights.", "s", since="0.5.17"),
        Column("kv_cache_allocation_s", "float", "Allocating the pools.", "s", since="0.5.17"),
        Column("scheduler_s", "float", "Start of the scheduler.", "s", since="0.5.17"),
        *(Column(f"graph_{name}_s", "float", f"Capture of {name} graphs.", "s", since="0.5.17") for name in _GRAPHS),
        Column("tokenizer_s", "float", "The whole start.", "s", since="0.5.17"),
        Column("step", "text", "Name of the step."),
        Column("step_s", "float", "Time it took.", "s", decimals=3),
    ),
    process="main",
    informs=True,
)
