r"""Reports of the Python interpreter and its libraries on errors that nobody handled: one row a report.

Sample
    #@ 0.1.15..0.5.23
    Task exception was never retrieved
    #@ 0.1.15..0.5.23
    future: <Task finished name='Task-3' coro=<run() done, defined at /srv/x.py:9> exception=KeyError('x')>
    #@ 0.1.15..0.5.23
    Exception ignored in: <function Engine.__del__ at 0x7f0000000000>
    #@ 0.1.15..0.5.23
    --- Logging error ---
    #@ 0.1.15..0.5.23
    Call stack:
    Message: 'Received sigquit from a child process. It usually means the child failed.'
    Arguments: ()
    #@ 0.1.15..0.5.23
    Process Process-1:
    #@ 0.1.15..0.5.23
    KeyboardInterrupt
    #@ 0.1.15..0.5.23
    Task was destroyed but it is pending!

Meaning
    Most of it belongs to a process that is already ending. A logging error inside a signal handler holds the message
    that was lost in `Message`.

Source
    CPython `asyncio/base_events.py`, `logging.Handler.handleError`, `sys.unraisablehook`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?P<report>Task exception was never retrieved|Task was destroyed but it is pending!|Future exception was never retrieved)\s*",
            ("Task exception", "Task was destroyed", "Future exception"),
        ),
        Shape(r"(?P<report>future|task): (?P<text><\w+ .*)", ("future: <", "task: <")),
        Shape(r"(?P<report>Exception ignored in(?: atexit callback)?): ?(?P<text>.*)", ("Exception ignored in",)),
        Shape(r"(?P<report>--- Logging error ---|Call stack:)\s*", ("--- Logging error", "Call stack:")),
        Shape(r"(?P<report>Message): (?P<text>['\"].*)", ("Message: '", 'Message: "')),
        Shape(r"(?P<report>Arguments): (?P<text>\(.*\)|None)\s*", ("Arguments: ",)),
        Shape(r"(?P<report>Process) (?P<text>[\w.]+-\d+):\s*", ("Process ",)),
        Shape(r"(?P<report>KeyboardInterrupt|SystemExit(?:: \d+)?)\s*", ("KeyboardInterrupt", "SystemExit")),
    ),
    columns=(
        Column("report", "text", "Which report."),
        Column("text", "text", "What it names."),
    ),
    shared=True,
)
