"""Parts that every hypothesis is made of: the causal chain behind a failure, the numbers of a failing rank."""

from __future__ import annotations

from logscope.case import Case
from logscope.facts.failures import Failure
from logscope.quantity import LineRef

Chain = tuple[tuple[LineRef | None, str], ...]
_MOST = 8
SEEN_ELSEWHERE = "the same end, seen elsewhere"


def chain(case: Case, root: Failure, says: str) -> Chain:
    """The root and what followed from it, in the order of events."""
    followers = [(f.decisive, f.follows or _again(f, root)) for f in case.lasting if f is not root]
    return ((root.decisive, says), *followers)[:_MOST]


def ends(case: Case, root: Failure, says: str) -> Chain:
    """The root and every other failure of the launch, each at the line where it begins."""
    return ((root.decisive, says), *((f.ref, f.follows or SEEN_ELSEWHERE) for f in case.lasting if f is not root))


def _again(failure: Failure, root: Failure) -> str:
    same = failure.chain and root.chain and failure.chain[0].type == root.chain[0].type
    return f"the same on {failure.rank}" if same and failure.rank != root.rank else "seen again later"


def said(failure: Failure, most: int = 220) -> str:
    """What the failure says of itself, in one line."""
    if failure.root is not None:
        return f"{failure.root.type.rpartition('.')[2]}: {failure.root.message}".split("\n")[0][:most]
    return failure.kind.replace("_", " ")


def innermost(root: Failure) -> tuple[LineRef, ...]:
    """The source line of the innermost frame: it stands above the exception, below the marks of the columns."""
    offset = root.chain[0].offset - 1
    lines = root.text.split("\n")
    while offset > 0 and not lines[offset].strip(" ^~|"):
        offset -= 1
    return (root.row.line_of_text(offset),) if 0 < offset < len(lines) else ()
