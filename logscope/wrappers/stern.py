r"""stern: pod and container before every line, with or without its arrow.

Sample:

    sglang-0 sglang › [2026-01-12 02:47:08 TP0] Load weight begin. → [2026-01-12 02:47:08 TP0] Load weight begin.
    prod sglang-0 sglang ›   File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run

Without the arrow the names are `sglang-6c5d-x2k7q sglang [2026-01-12 02:47:08] a`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection, Stateless, Unwrapper
from logscope.wrappers._inner import written
from logscope.wrappers._prefix import Prefix, doubtful, plain

NAME = "stern"

_ARROW = Prefix(r"(?!- )(?:[\w.-]+ )?(?P<label>[\w.-]+ [\w.-]+) ›(?: |$)")
_BARE = Prefix(
    r"(?:[a-z0-9][a-z0-9.-]* )?(?P<label>[a-z0-9][a-z0-9.-]*-[a-z0-9.]+ [a-z0-9][a-z0-9-]*)(?: |$)", doubles=False
)


def detect(lines: Sequence[str]) -> Detection | None:
    """By the arrow, or by one to three pods' names before records of SGLang on nearly all lines."""
    found = plain(_ARROW.hits(lines), "pod, container and an arrow")
    if found:
        return found
    bare = doubtful(_BARE.hits(lines), "pod and container", 0.9)
    return bare if bare and len(_labels(lines)) <= max(1, len(written(lines)) // 3) else None


def _labels(lines: Sequence[str]) -> set[str]:
    return {found["label"] for line in lines if (found := _BARE.text.match(line))}


def unwrapper(lines: Sequence[str] = ()) -> Unwrapper:
    """For the arrow, or for the names that the sample holds: pods' names look like the words of a sentence."""
    labels = _labels(lines)
    if not labels or _ARROW.hits(lines).fitting:
        return Stateless(_ARROW.unwrap)
    names = "|".join(sorted(map(re.escape, labels)))
    return Stateless(Prefix(rf"(?:[a-z0-9][a-z0-9.-]* )?(?P<label>{names})(?: |$)").unwrap)


def unwrap(block: Block) -> Block:
    """The block without pod and container, which are the label."""
    return unwrapper(block.data.decode(errors="replace").split("\n")).feed(block)
