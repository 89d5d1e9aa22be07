r"""A child process is gone: who, and with which exit code.

Sample
    #@ 0.4.1.post2..0.5.22
    [2025-10-26 02:16:21] Rank 0 scheduler is dead. Please check if there are relevant logs.
    [2025-10-26 02:16:21] Exit code: -9
    #@ 0.4.3.post3..0.4.6.post5
    [2025-05-26 02:16:21] Child process unexpectedly failed with an exit code 9. pid=17242
    #@ 0.4.7..0.4.9.post6
    [2025-07-26 02:16:21] Child process unexpectedly failed with exitcode=9. pid=17242
    #@ 0.5.10..0.5.23
    [2026-06-26 02:16:21] Subprocess scheduler_0 (pid=1234) crashed with exit code -6. Triggering SIGQUIT for cleanup...
    RuntimeError: Rank 0 scheduler died during initialization (exit code: -9). If exit code is -9 (SIGKILL), a common cause is the OS OOM killer. Run `dmesg -T | grep -i oom` to check.
    #@ 0.4.1.post7..0.5.23
    [2026-06-26 02:16:21] Scheduler or DataParallelController 1234 terminated with 1

Meaning
    `Rank i scheduler is dead` is the language server's up to 0.5.9, and a diffusion server's up to 0.5.22. Negative codes are signals (−9 SIGKILL, −6 SIGABRT, −11 SIGSEGV). `Child process unexpectedly failed` prints the
    raw wait status (9 = SIGKILL, 256·code). From 0.4.10 to 0.5.9 a scheduler that is killed while serving leaves no
    line at all.

Source
    `Engine._launch_subprocesses`, `SignalHandler.sigchld_handler`, `SubprocessWatchdog` (`utils/watchdog.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Rank (?P<child_rank>\d+) scheduler is dead\. Please check if there are relevant logs\. *",
            ("Rank ",),
            contains=" scheduler is dead.",
            since="0.4.1.post2",
            until="0.5.22",
            sets={"child": "scheduler"},
        ),
        Shape(
            r"Exit code: (?P<exit_code>-?\d+|None) *",
            ("Exit code: ",),
            since="0.4.1.post2",
            until="0.5.22",
        ),
        Shape(
            r"Child process unexpectedly failed with an exit code (?P<wait_status>-?\d+)\. pid=(?P<pid>\d+) *",
            ("Child process unexpectedly failed with an",),
            since="0.4.3.post3",
            until="0.4.6.post5",
        ),
        Shape(
            r"Child process unexpectedly failed with exitcode=(?P<wait_status>-?\d+)\. pid=(?P<pid>\d+) *",
            ("Child process unexpectedly failed with exitcode",),
            since="0.4.7",
            until="0.4.9.post6",
        ),
        Shape(
            r"Subprocess (?P<child>\S+) \(pid=(?P<pid>\d+)\) crashed with exit code (?P<exit_code>-?\d+)\.(?: .*)?",
            ("Subprocess ",),
            contains=" crashed with exit code ",
            since="0.5.10",
        ),
        Shape(
            r"Rank (?P<child_rank>\d+) (?P<child>\w+) died during initialization \(exit code: (?P<exit_code>-?\d+|None)\)",
            contains=" died during initialization ",
            since="0.5.10",
            scope="line",
        ),
        Shape(
            r"Scheduler or DataParallelController (?P<pid>\d+) terminated with (?P<exit_code>-?\d+|None) *",
            ("Scheduler or DataParallelController ",),
            since="0.4.1.post7",
            sets={"child": "scheduler"},
        ),
    ),
    columns=(
        Column("child", "text", "Name of the child process."),
        Column("child_rank", "int", "Its rank."),
        Column("exit_code", "int", "Its exit code; negative: killed by that signal."),
        Column("wait_status", "int", "Raw wait status: a signal number, or 256 · code.", until="0.4.9.post6"),
        Column("pid", "int", "Its process id."),
    ),
    process="main",
)
