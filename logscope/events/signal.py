r"""Signals that reached the main process because a child failed.

Sample
    #@ 0.4.1.post6..0.4.3.post2
    [2025-02-26 02:16:21] Received sigquit from a child proces. It usually means the child failed.
    #@ 0.4.3.post3..0.5.23
    [2025-04-26 02:16:21] Received sigquit from a child process. It usually means the child failed.
    #@ 0.5.3..0.5.23
    [2025-10-26 02:16:21] SIGQUIT received. signum=None, frame=None. It usually means one child failed.
    #@ other signals
    [2025-10-26 02:16:21] SIGUSR1 received.

Meaning
    A consequence: which process failed and why stands before it. From 0.5.3 the older text belongs to the phase of
    starting, the newer one to serving. The printed values are always None.

Source
    `SignalHandler` (`managers/tokenizer_manager.py`), `Engine` launch handlers (`entrypoints/engine.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Received sigquit from a child proces\.\s+It usually means the child failed\. *",
            ("Received sigquit",),
            since="0.4.1.post6",
            until="0.4.3.post2",
            sets={"signal": "SIGQUIT"},
        ),
        Shape(
            r"Received sigquit from a child process\.\s+It usually means the child failed\. *",
            ("Received sigquit",),
            since="0.4.3.post3",
            sets={"signal": "SIGQUIT"},
        ),
        Shape(
            r"(?P<signal>SIGQUIT) received\. signum=(?P<number>\w+), frame=.*\. It usually means one child failed\. *",
            ("SIGQUIT received.",),
            since="0.5.3",
        ),
        Shape(r"(?P<signal>SIG(?!TERM|INT)[A-Z]+\d?) received\..*", ("SIG",), contains=" received."),
    ),
    columns=(
        Column("signal", "text", "Name of the signal."),
        Column("number", "text", "As printed; None in all real runs.", since="0.5.3"),
    ),
    process="main",
)
