r"""The server was asked to stop: signals, draining, and the end of the process tree.

Sample
    #@ 0.3.5..0.5.23
    [2025-10-26 02:16:21] SIGTERM received. signum=None frame=None. Draining requests and shutting down...
    #@ 0.3.5..0.5.2
    [2025-08-26 02:16:21] Gracefully exiting... remaining number of requests 0
    #@ 0.5.3..0.5.23
    [2025-10-26 02:16:21] Gracefully exiting... Remaining number of requests 1. Remaining requests remaining_rids=['f254682386cf49768f504d83b2be0ed2'].
    #@ 0.5.13..0.5.23
    [2026-07-26 02:16:21] kill_process_tree called: parent_pid=13949, include_parent=False, pid=13949
    #@ other wordings of the same
    [2026-07-26 02:16:21] SIGTERM received.
    [2026-07-26 02:16:21] SIGINT received.

Meaning
    `term` and `drain` mean a stop on request, also with exit code 137 up to 0.5.15, where the launcher kills its own
    tree. `kill_tree` stands at the end of crashes too; alone it says nothing of the reason.

Source
    `TokenizerManager.sigterm_watchdog`, `SignalHandler.sigterm_handler`, `kill_process_tree` (`utils/common.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"SIGTERM received\. signum=(?P<number>\w+),? frame=.*\. Draining requests and shutting down\.\.\.\s*",
            ("SIGTERM received.",),
            since="0.3.5",
            sets={"kind": "term"},
        ),
        Shape(r"SIGTERM received.*", ("SIGTERM received",), sets={"kind": "term"}),
        Shape(r"SIGINT received.*", ("SIGINT received",), sets={"kind": "interrupt"}),
        Shape(
            r"Gracefully exiting\.\.\. remaining number of requests (?P<remaining_requests>\d+) *",
            ("Gracefully exiting...",),
            since="0.3.5",
            until="0.5.2",
            sets={"kind": "drain"},
        ),
        Shape(
            r"Gracefully exiting\.\.\. Remaining number of requests (?P<remaining_requests>\d+)\."
            r" Remaining requests remaining_rids=(?P<rids>\[.*\])\. *",
            ("Gracefully exiting...",),
            since="0.5.3",
            sets={"kind": "drain"},
        ),
        Shape(
            r"kill_process_tree called: parent_pid=(?P<parent_pid>\w+), include_parent=(?P<include_parent>True|False),"
            r" pid=(?P<pid>\d+)(?:,.*)?\s*",
            ("kill_process_tree called:",),
            since="0.5.13",
            sets={"kind": "kill_tree"},
        ),
    ),
    columns=(
        Column("kind", "text", "term, interrupt, drain, kill_tree."),
        Column("number", "text", "Signal number as printed; None in all real runs."),
        Column("remaining_requests", "int", "Requests not finished yet.", "requests"),
        Column("rids", "text", "Their ids, as a list.", since="0.5.3"),
        Column("parent_pid", "text", "Root of the tree that is killed."),
        Column("include_parent", "bool", "The root is killed too."),
        Column("pid", "int", "The process that kills."),
    ),
    process="main",
)
