r"""Whatever else stands before every line: found by what stands before SGLang's own prefix, alike but for its digits.

The last resort, for what no other wrapper names: `pdsh`, `mpiexec -l`, `grep -H`, `logcli`, loggers of any form. Also
before JSON objects (`data: ` of an event stream, clock and tag of fluentd). A clock in it is the outer one; what holds no
clock is the label.

Sample:

    gpu-01: [2026-01-12 02:47:08 TP0] Load weight begin. → [2026-01-12 02:47:08 TP0] Load weight begin.
    gpu-02: [2026-01-12 02:47:08 TP8] Load weight begin. → [2026-01-12 02:47:08 TP8] Load weight begin.
    gpu-02:   File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
    gpu-02: [2026-01-12 02:47:09 TP8] Load weight end. → [2026-01-12 02:47:09 TP8] Load weight end.
    gpu-01: →
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial

from logscope.source import Block
from logscope.wrappers import Detection, Stateless, Unwrapper, named
from logscope.wrappers._clock import ISO, SLASHED, moment_ms
from logscope.wrappers._inner import LAST_STAMP, stamped, written
from logscope.wrappers._json import encoded, parsed
from logscope.wrappers._lines import lines_of

NAME = "learned_prefix"
LAST = True  # only where no other wrapper is found

_MOST_FORMS = 16
_WORD = re.compile(r"[^\s:|]*[\s:|]+")
_BLANKS_AT_END = re.compile(r"(?:\\ )+$")
_OBJECT = re.compile(r'[^\n{]{1,200}(?=\{")')
_VARYING = re.compile(
    r"(?P<id>(?<![0-9a-z])(?=[a-f]*\d)[0-9a-f]{6,}(?![0-9a-z]))|(?P<number>\d+)"
    r"|(?P<level>\b(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL)\b)|(?P<blanks> +(?=\S))"
)
_CLASSES = {"id": "[0-9a-f]+", "number": r"\d+", "level": "[A-Z]+", "blanks": " +"}
_CLOCK = re.compile(rf"{ISO}|{SLASHED}|\b\d{{13}}(?:\d{{6}})?\b|\b\d{{10}}\.\d+".encode())


def _form(head: str) -> str:
    """The pattern of a prefix: its digits, ids, level and inner blanks may differ."""
    parts, at = [], 0
    for found in _VARYING.finditer(head):
        parts += [re.escape(head[at : found.start()]), _CLASSES[found.lastgroup or ""]]
        at = found.end()
    return "".join(parts) + re.escape(head[at:])


def _head(line: str) -> str | None:
    """What stands before a JSON object or before SGLang's prefix; None where there is neither."""
    found = _OBJECT.match(line)
    if found and not stamped(line) and parsed(encoded(line[found.end() :])) is not None:
        return found[0]
    found = LAST_STAMP.match(line)
    return found[1] if found else None


def _forms(sample: Sequence[str]) -> tuple[list[str], int]:
    """The patterns that stand before nearly all records, the commonest first, and how many records prove them."""
    heads = [head for line in sample if (head := _head(line)) is not None]
    forms, proven = _common(heads)
    if proven < 3 or proven < 0.9 * sum(map(bool, heads)):
        return [], 0
    fits = re.compile(_pattern(forms), re.ASCII).match
    # A clock in brackets looks like SGLang's prefix.
    bare = sum(1 for line in sample if stamped(line) and not fits(line))
    return ([], 0) if bare > 0.1 * proven else (_outer(sample, heads) or forms, proven)


def _common(heads: Iterable[str]) -> tuple[list[str], int]:
    found = Counter(_form(head) for head in heads if head)
    forms = [form for form, count in found.most_common(_MOST_FORMS) if count > 1 and form[-1] not in "\"'"]
    return forms, sum(found[form] for form in forms)


def _outer(sample: Sequence[str], heads: Sequence[str]) -> list[str]:
    """The patterns of what stands before a wrapper that has a name; [] if it is none."""
    words = [_WORD.findall(head) for head in heads if head]
    for count in range(1, max(map(len, words))):
        forms, _ = _common("".join(of_head[:count]) for of_head in words if len(of_head) > count)
        fits = re.compile(_pattern(forms), re.ASCII).match
        rests = [line[found.end() :] if forms and (found := fits(line)) else line for line in sample]
        if any(detection.confidence == "certain" for _, detection in named(rests)):
            return forms
    return []


def _pattern(forms: Sequence[str]) -> str:
    """Any of the patterns; where nothing follows, the blanks at its end may be lost."""
    return "|".join(part for form in forms for part in (form, _BLANKS_AT_END.sub("", form) + " *$"))


def detect(lines: Sequence[str]) -> Detection | None:
    """By the same text before nearly every record that has SGLang's prefix, and on most other lines."""
    sample = written(lines)
    forms, proven = _forms(sample)
    if not forms:
        return None
    fits = re.compile(_pattern(forms), re.ASCII).match
    fitting = [found for line in sample if (found := fits(line))]
    if len(fitting) < 0.5 * len(sample):
        return None
    why = f"{len(fitting)} of {len(sample)} lines begin like {fitting[0][0].strip()!r}; SGLang's prefix follows on {proven}"
    return Detection("likely", why)


def _stripped(pattern: re.Pattern[bytes], block: Block) -> Block:
    lines = lines_of(block)
    for place, text in enumerate(lines.texts):
        found = pattern.match(text)
        if found is None:
            continue
        lines.texts[place] = text[found.end() :]
        clock = _CLOCK.search(found[0])
        if clock:
            lines.time(place, moment_ms(clock[0]))
        elif b":" not in found[0].strip(b": "):  # a clock without a date names no process
            lines.label(place, found[0].decode(errors="replace").strip(" \t:|[]<>-"))
    return lines.block()


def unwrapper(lines: Sequence[str] = ()) -> Unwrapper:
    """Takes off what the sample shows."""
    forms, _ = _forms(written(lines))
    return Stateless(partial(_stripped, re.compile(_pattern(forms).encode())) if forms else lambda block: block)


def unwrap(block: Block) -> Block:
    """One whole input without what stands before its records."""
    return unwrapper(block.data.decode(errors="replace").split("\n")).feed(block)
