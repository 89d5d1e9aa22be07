"""Parts that every hypothesis is made of: the causal chain behind a failure, the numbers of a failing rank."""

from __future__ import annotations

import re

from logscope.case import Case
from logscope.facts import allocator
from logscope.facts.failures import Failure
from logscope.launch import Row
from logscope.quantity import LineRef
from logscope.wording import gib

Chain = tuple[tuple[LineRef | None, str], ...]
_MOST = 8
_LONGEST_CURE = 300
_BARE = re.compile(r"\s*(?:raise\b.*|[)\]}]*|return|else:|try:)\s*$")
_SENTENCE = re.compile(r"(?<=[.!?;]) +")
_CURE = re.compile(
    r"--[a-z][\w-]+|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|(?i:\bplease\b|\binstall\b|\btry \w+ing\b|\b(?:set|use|pass) `)"
)
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
        return f"{failure.root.type.rpartition('.')[2]}: {brief(failure.root.message, most)}"
    return failure.kind.replace("_", " ")


def asked(row: Row) -> str:
    """`0.50 GiB asked for, 0.42 GiB free`, as far as an allocator's sentence tells; "" where it prints no size."""
    words = {"requested": "asked for", "free": "free"}
    return ", ".join(f"{gib(q)} {words[q.name]}" for q in allocator.sizes(row, *words))


def brief(message: str, most: int = 240) -> str:
    """The first line of a message within a length; a remedy that it prints behind that is kept."""
    line = next((line.strip() for line in message.split("\n") if line.strip()), "")
    if len(line) <= most:
        return line
    cut = line[:most].rpartition(" ")[0]
    cure = remedy(line[len(cut) :])
    return f"{cut} … {cure}" if cure else f"{cut} …"


def remedy(message: str) -> str:
    """The sentences of a message that name what to set: a flag, a variable of the environment, a package."""
    flat = " ".join(message.split())
    told = [sentence for sentence in _SENTENCE.split(flat) if _CURE.search(sentence)]
    return " ".join(told)[:_LONGEST_CURE]


def innermost(root: Failure) -> tuple[LineRef, ...]:
    """The source line of the innermost frame: it stands above the exception, below the marks of the columns. A
    `raise` tells nothing that the exception does not.
    """
    offset = root.chain[0].offset - 1
    lines = root.text.split("\n")
    while offset > 0 and not lines[offset].strip(" ^~|"):
        offset -= 1
    telling = 0 < offset < len(lines) and not _BARE.match(lines[offset])
    return (root.row.line_of_text(offset),) if telling else ()
