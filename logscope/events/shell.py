r"""What the shell says of a command that a signal ended: one row a line.

Sample
    #@ 0.1.15..0.5.23
    Killed
    Terminated
    Aborted (core dumped)
    Segmentation fault (core dumped)
    Bus error (core dumped)
    ./run.sh: line 22: 341111 Killed                  python -m sglang.launch_server --model-path model --tp-size 2
    /bin/bash: line 1:    57 Segmentation fault      (core dumped) python3 -m sglang.launch_server
    [1]+  Killed                  python -m sglang.launch_server --model-path model
    [1]    12345 killed     python -m sglang.launch_server
    zsh: killed     python -m sglang.launch_server

Meaning
    Signal 9 from outside, or from the server's own `kill_process_tree`: `Killed` below a record that says so is the
    end of a stop that the server ordered itself. Alone, after lines that show nothing, it is the kernel or a limit.

Source
    bash `jobs.c`, zsh `jobs.c`; libc `strsignal`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_SIGNAL = (
    r"(?P<signal>Killed|Terminated|Aborted|Hangup|Quit|Interrupt|Segmentation fault|Bus error|Illegal instruction"
    r"|Floating point exception|Trace/breakpoint trap|User defined signal \d)"
)
_STARTS = (
    "Killed",
    "Terminated",
    "Aborted",
    "Hangup",
    "Quit",
    "Interrupt",
    "Segmentation fault",
    "Bus error",
    "Illegal instruction",
    "Floating point",
    "Trace/break",
    "User defined",
)
_CORE = r"(?:: \d+)?(?: +\((?P<core>core dumped)\))?"

FAMILY = Family(
    shapes=(
        Shape(rf"{_SIGNAL}{_CORE}\s*", _STARTS),
        Shape(
            rf"(?P<script>\S+): line (?P<script_line>\d+): +(?P<process_id>\d+) {_SIGNAL}{_CORE}(?: +(?P<command>.*))?",
            contains=": line ",
        ),
        Shape(rf"\[\d+\][+-]? +{_SIGNAL}{_CORE}(?: +(?P<command>.*))?", ("[",)),
        Shape(
            r"(?:zsh: |\[\d+\]  [+-]? +(?P<process_id>\d+) )(?P<signal>killed|terminated|abort|hangup|segmentation fault|bus error|trace trap)"
            rf"{_CORE}(?: +(?P<command>.*))?",
            ("zsh: ", "["),
        ),
    ),
    columns=(
        Column("signal", "text", "Name of the signal as the shell words it."),
        Column("core", "text", "`core dumped` where a core was written."),
        Column("script", "text", "Script that ran the command."),
        Column("script_line", "int", "Its line."),
        Column("process_id", "int", "Process number."),
        Column("command", "text", "The command, cut by the shell to its width."),
    ),
    private=("command",),
    shared=True,
)
