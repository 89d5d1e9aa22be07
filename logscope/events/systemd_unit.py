r"""What systemd says of the unit that runs a server: one row a line.

Sample
    #@ 0.1.15..0.5.23
    sglang.service: Main process exited, code=killed, status=9/KILL
    sglang.service: A process of this unit has been killed by the OOM killer.
    sglang.service: Failed with result 'oom-kill'.
    sglang.service: Scheduled restart job, restart counter is at 3.
    sglang.service: State 'stop-sigterm' timed out. Killing.
    sglang.service: Killing process 4711 (python3) with signal SIGKILL.
    systemd[1]: sglang.service: Deactivated successfully.

Meaning
    `code=killed, status=9/KILL` beside `oom-kill` is the host's memory. A stop that times out is killed by systemd
    itself: then the end was asked for.

Source
    systemd `core/service.c`, `core/unit.c`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?:systemd\[\d+\]: )?(?P<unit>[\w@.:\\-]+\.(?:service|scope|slice)): (?P<text>"
            r"(?:Main process exited, code=(?P<how>\w+), status=(?P<status>\d+)(?:/(?P<status_name>\S+))?"
            r"|Failed with result '(?P<result>[^']*)'\."
            r"|Scheduled restart job, restart counter is at (?P<restarts>\d+)\.)?.*)",
            contains=": ",
        ),
    ),
    columns=(
        Column("unit", "text", "Name of the unit."),
        Column("how", "text", "exited, killed, dumped."),
        Column("status", "int", "Exit status or number of the signal."),
        Column("status_name", "text", "Its name."),
        Column("result", "text", "oom-kill, signal, exit-code, timeout, …"),
        Column("restarts", "int", "Restarts so far."),
        Column("text", "text", "The message."),
    ),
    shared=True,
)
