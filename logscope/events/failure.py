r"""A process of the server hit an exception: one row a process, with the traceback.

Sample
    #@ 0.1.18..0.3.2
    [gpu=0] Exception in ModelTpServer:
    Traceback (most recent call last):
      File "/srv/sglang/srt/managers/tp_worker.py", line 190, in exposed_step
        self.forward_step()
    ValueError: bad
    #@ 0.3.3..0.3.6.post2
    [2024-11-14 02:16:20 TP0] Traceback (most recent call last):
      File "/srv/sglang/srt/managers/scheduler.py", line 1189, in run_scheduler_process
        scheduler.event_loop_normal()
    ValueError: bad
    #@ 0.3.6.post3..0.5.23
    [2025-06-26 02:16:20 TP0] Scheduler hit an exception: Traceback (most recent call last):
      File "/sgl-workspace/sglang/python/sglang/srt/managers/scheduler.py", line 2620, in run_scheduler_process
        scheduler.event_loop_overlap()
    ValueError: Failed to allocate token prealloc indices
    #@ 0.4.1.post7..0.5.23
    [2025-06-26 02:16:20] TokenizerManager hit an exception: Traceback (most recent call last):
    ValueError: bad
    #@ 0.5.2..0.5.23
    [2025-10-26 02:16:20] MultiTokenizerRouter hit an exception: Traceback (most recent call last):
    ValueError: bad

Meaning
    The first one in time is the cause, later ones on other ranks are echoes. The record holds the whole traceback;
    its last line names the exception. A scheduler that is killed by a signal prints nothing of this.

Source
    `run_scheduler_process`, `run_detokenizer_process`, `run_data_parallel_controller_process`,
    `print_exception_wrapper` (`managers/*.py`, `utils/common.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?s)(?P<process>Scheduler|DetokenizerManager|DataParallelController|TpModelWorkerClient) hit an exception:"
            r" ?(?P<text>.*)",
            ("Scheduler hit", "DetokenizerManager hit", "DataParallelController hit", "TpModelWorkerClient hit"),
            contains=" hit an exception:",
            since="0.3.6.post3",
            scope="record",
        ),
        Shape(
            r"(?s)(?P<process>TokenizerManager) hit an exception: ?(?P<text>.*)",
            ("TokenizerManager hit",),
            contains=" hit an exception:",
            since="0.4.1.post7",
            scope="record",
        ),
        Shape(
            r"(?s)(?P<process>[A-Z]\w+) hit an exception: ?(?P<text>.*)",
            contains=" hit an exception:",
            since="0.3.6.post3",
            scope="record",
        ),
        Shape(
            r"(?s)(?:Detokenizer|Scheduler|Tokenizer)?\w* ?Exception in (?P<process>\w+):\n(?P<text>.*)",
            ("Exception in ",),
            until="0.3.2",
            scope="record",
        ),
        Shape(
            r"(?s)(?P<text>Traceback \(most recent call last\):.*)",
            ("Traceback (most recent call last):",),
            scope="record",
            bare=False,
            sets={"process": "Scheduler"},
        ),
        # Nobody caught it, or a logger printed it below a message of its own: the process is not named.
        Shape(
            r"(?s)(?P<text>Traceback \(most recent call last\):.*)",
            ("Traceback (most recent call last):",),
            scope="record",
        ),
        Shape(
            r"(?s)(?P<context>.*?)(?P<text>Traceback \(most recent call last\):.*)",
            contains="Traceback (most recent call last):",
            scope="record",
        ),
    ),
    columns=(
        Column("process", "text", "The class that caught it: Scheduler, DetokenizerManager, …"),
        Column("context", "text", "What the line said before the traceback, where no process is named."),
        Column("text", "text", "The traceback and the exception."),
    ),
    multiline=True,
    shared=True,
)
