"""The server is ready, and its capacity line is missing.

What it says
    A log that begins with the arguments and says ready holds no max_total_num_tokens.

Why it matters
    The log was filtered, or is that of another node: no usage can be checked against a pool.

Example
    grep -v TP0 takes it away.

Silent when
    The beginning or the ready line is missing, another backend is used, or the line is there.

Source
    `Scheduler.__init__`.
"""

from __future__ import annotations

from logscope.errors import FactMissing
from logscope.finding import Finding
from logscope.launch import Launch

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    if not launch.has("ready") or not launch.has("server_args"):
        raise FactMissing("the start is not whole in the log")
    if launch.has("capacity", "diffusion", "mlx_pool"):
        return None
    return Finding(
        message="The server became ready, and no line says how many tokens its pool holds: the log is filtered.",
        evidence=(launch.rows("ready")[0].ref,),
    )
