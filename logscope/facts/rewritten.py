"""The arguments that the server rewrote before it printed them, by its own notices.

A dump prints a given and a rewritten value alike; a notice of the same launch that names the argument and the very
value of the dump tells which it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from logscope.facts.notices import filled
from logscope.launch import Launch
from logscope.quantity import LineRef
from logscope.sglang import arguments

_TOLD = re.compile(
    r"(?P<name>(?:[\w`-]+ ){0,5}?[\w`-]+?)(?:=(?P<was>[^\s,;]+))?"
    r" (?:(?:is|are|was|has been) )?(?:automatically )?(?:(?:adjusted|changed|set|reset|overridden|reduced) )?"
    r"(?:from (?:the requested )?(?P<before>[^\s,;]+) )?to (?:be the same as [\w ]+\[)?(?P<now>[^\s,;\]]+)",
    re.IGNORECASE,
)
_ALIASES = {
    "cuda_graph_max_batch_size": "cuda_graph_max_bs",
    "data_parallel_size": "dp_size",
    "expert_parallel_size": "ep_size",
    "max_running_request": "max_running_requests",
}
"""What notices call an argument that has a shorter name."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The value before the server's own, "" where the notice names none, and the line that says so."""

    before: str
    line: LineRef

    @property
    def says(self) -> str:
        """`the server changed it from 8192`."""
        return f"the server changed it from {self.before}" if self.before else "the server set it by itself"


def rewritten(launch: Launch) -> dict[str, Rewritten]:
    """Each argument of the dump that a notice says the server set to this value; empty without a dump."""
    found: dict[str, Rewritten] = {}
    for row in launch.rows("notice") if launch.arguments else ():
        for name, before, now in _told(filled(row)):
            if name in launch.arguments and _same(launch.arguments[name], now):
                found[name] = Rewritten(before, row.ref)
    return found


def _told(text: str) -> Iterator[tuple[str, str, str]]:
    """(argument, value before, value now) of each change that a sentence tells."""
    for match in _TOLD.finditer(text):
        words = re.sub(r"[`-]+", "_", match["name"].lower()).replace(" ", "_").strip("_").split("_")
        names = ("_".join(words[start:]) for start in range(len(words)))
        name = next((known for one in names if (known := _ALIASES.get(one, one)) in arguments.known()), "")
        if name:
            yield name, _bare(match["was"] or match["before"] or ""), _bare(match["now"])


def _bare(value: str) -> str:
    return value.rstrip(".").strip("'\"`")


def _same(value: object, text: str) -> bool:
    try:
        return not isinstance(value, bool) and float(str(value)) == float(text)
    except ValueError:
        return str(value) == text
