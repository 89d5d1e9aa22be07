r"""E-mail and Markdown quoting: one `>` before every line, taken off once for each level.

Sample:

    > [2026-01-12 02:47:08 TP0] Load weight begin. → [2026-01-12 02:47:08 TP0] Load weight begin.
    >   File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
    > > [2026-01-12 02:47:08] a → > [2026-01-12 02:47:08] a
    > →
    >>> import sglang → >>> import sglang
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._inner import written
from logscope.wrappers._prefix import Prefix

NAME = "email_quote"

_PREFIX = Prefix(r">(?!>> )(?: |$|(?=[>\[\t]))")


def detect(lines: Sequence[str]) -> Detection | None:
    """By the mark on most lines; other lines (an answer between) may stand beside."""
    hits = _PREFIX.hits(lines)
    if hits.fitting < 2 and not hits.stamped:
        return None
    if hits.share < 0.5 or hits.bare > hits.fitting:
        return None
    quoted = sum(1 for line in written(lines) if line.startswith(">"))
    why = f"{quoted} of {hits.written} lines begin with a quoting mark"
    return Detection("certain" if hits.proven else "likely", why)


def unwrap(block: Block) -> Block:
    """The block with one level of quoting taken off."""
    return _PREFIX.unwrap(block)
