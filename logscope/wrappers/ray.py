r"""Ray: the actor and its process before every line, and the count of equal lines that Ray kept back behind it.

Lines of Ray itself (`(raylet)`) are records and keep their name. Ray prints a line that several actors print once, with
`[repeated 7x across cluster]`: it stands for seven more.

Sample:

    (SGLangEngine pid=361, ip=10.0.5.12) [2025-11-03 00:53:15 TP0] Scheduler hit an exception: → [2025-11-03 00:53:15 TP0] Scheduler hit an exception:
    (SGLangEngine pid=361)   File "/srv/scheduler.py", line 2857, in run →   File "/srv/scheduler.py", line 2857, in run
    (WorkerDict pid=859183) [2025-05-23 18:02:29] Init torch distributed begin. [repeated 7x across cluster] → [2025-05-23 18:02:29] Init torch distributed begin.
    (raylet, ip=10.0.5.12) A worker died or was killed. [repeated 2x across cluster] (Ray deduplicates logs by default.) → (raylet, ip=10.0.5.12) A worker died or was killed.
    (pid=77) a → a
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._lines import lines_of
from logscope.wrappers._prefix import Prefix, plain

NAME = "ray"

_ACTOR = r"(?:[A-Za-z_][^\n()]{0,100}(?:\([^\n()]*\)[^\n()]{0,40})? )?pid=\d+(?:, ip=[^)\s]+)?"
# vLLM names its own processes so before its own records.
_VLLM = r"(?!(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) (?:\d{4}-)?\d\d-\d\d \d\d:)"
_PREFIX = Prefix(rf"\((?P<label>{_ACTOR})\)(?: {_VLLM}|$)")
_REPEATED = re.compile(rb"\[repeated (\d+)x across (?:all )?\w+\](?: \(Ray deduplicates[^\n]*)?\r?$")


def detect(lines: Sequence[str]) -> Detection | None:
    """By a process number in parentheses, or by Ray's count of equal lines."""
    found = plain(_PREFIX.hits(lines), "an actor and its process number")
    if found:
        return found
    counts = sum(1 for line in lines if "[repeated " in line and _REPEATED.search(line.encode(errors="replace")))
    return Detection("certain", f"{counts} lines end with Ray's count of equal lines") if counts else None


def unwrap(block: Block) -> Block:
    """The block without actor and count; the actor is the label, the count goes to `repeats`."""
    block = _PREFIX.unwrap(block)
    if b"[repeated " not in block.data:
        return block
    lines = lines_of(block)
    for place, text in enumerate(lines.texts):
        found = _REPEATED.search(text) if b"[repeated " in text else None
        if found:
            lines.texts[place] = text[: found.start()].rstrip(b" ")
            lines.repeats[place] += int(found[1][:9])
    return lines.block()
