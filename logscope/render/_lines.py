"""References to lines: every quoted line has an anchor, every mention of one links to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from logscope.render._reading import Report, finite, part, parts, text, values, whole, words

_CONTEXT_LINES = 2
_LONG_CHARACTERS = 700
_HEAD_CHARACTERS = 260


@dataclass(slots=True)
class Quoted:
    """The lines that the report quotes: (path, number) → text, and the excerpts that hold them."""

    files: dict[str, int] = field(default_factory=dict)
    texts: dict[tuple[str, int], str] = field(default_factory=dict)
    excerpts: list[dict[str, Any]] = field(default_factory=list)
    single: bool = False  # one file: its name need not be said with each line

    def anchor(self, path: str, number: int) -> str:
        return f"L{self.files.setdefault(path, len(self.files))}-{number}"

    def reference(self, holder: Report) -> dict[str, str]:
        """The label of a line, and the link when the page quotes it; empty texts when no line is named."""
        path, number = text(holder, "path"), finite(holder.get("line"))
        if not path or number is None:
            return {"label": "", "href": ""}
        known = (path, int(number)) in self.texts
        return {"label": self._label(path, int(number)), "href": f"#{self.anchor(path, int(number))}" if known else ""}

    def _label(self, path: str, number: int) -> str:
        """`line 214` when there is one file, else `node0.log:214`."""
        return f"line {number:,}" if self.single else f"{short(path)}:{number:,}"

    def line_of(self, holder: Report, key: str = "line") -> dict[str, str]:
        """The reference under a key of a holder."""
        return self.reference(part(holder, key))

    def passages(self, evidence: list[Report]) -> list[dict[str, Any]]:
        """Lines of evidence with two lines of context on both sides, as far as excerpts hold them.

        Lines whose contexts touch share a passage; the order is that of the evidence.
        """
        groups: list[tuple[str, list[int], list[Report]]] = []
        for one in evidence:
            path, number = text(one, "path"), whole(one, "line")
            near = (g for g in groups if g[0] == path and any(abs(n - number) <= 2 * _CONTEXT_LINES + 1 for n in g[1]))
            group = next(near, None)
            if group is None:
                groups.append((path, [number], [one]))
            elif number not in group[1]:
                group[1].append(number)
                group[2].append(one)
        return [self._passage(*group) for group in groups]

    def _passage(self, path: str, numbers: list[int], evidence: list[Report]) -> dict[str, Any]:
        wanted = {near for n in numbers for near in range(n - _CONTEXT_LINES, n + _CONTEXT_LINES + 1)}
        own = {whole(one, "line"): text(one, "text") for one in evidence}
        rows = [
            self._row(path, n, self.texts.get((path, n)) or own.get(n, ""), marked=n in own, anchored=False)
            for n in sorted(wanted)
            if (path, n) in self.texts or n in own
        ]
        return {"refs": [self.reference(one) for one in evidence], "rows": rows}

    def _row(self, path: str, number: int, line: str, *, marked: bool, anchored: bool) -> dict[str, Any]:
        return {
            "number": number,
            "anchor": self.anchor(path, number) if anchored else "",
            "marked": marked,
            "text": line,
            "head": line[:_HEAD_CHARACTERS] if len(line) > _LONG_CHARACTERS else "",
            "characters": len(line),
        }


def short(path: str) -> str:
    """The last component of a path, also of a member of an archive."""
    return path.rstrip("/").rpartition("/")[2] or path


def quoted(report: Report) -> Quoted:
    """All lines that the report quotes, each once, in the order of the files."""
    made = Quoted()
    for one in parts(report, "inputs"):
        made.files.setdefault(text(one, "path"), len(made.files))
    made.single = len(parts(report, "inputs")) == 1
    for one in parts(report, "excerpts"):
        _add_excerpt(made, one)
    for why, evidence in _evidence(report):
        path, number = text(evidence, "path"), finite(evidence.get("line"))
        if path and number is not None and (path, int(number)) not in made.texts and "text" in evidence:
            _add(made, path, int(number), [text(evidence, "text")], {int(number)}, why=why, more=0)
    made.excerpts.sort(key=lambda e: (made.files[e["path"]], e["first"]))
    return made


def _add_excerpt(made: Quoted, one: Report) -> None:
    marked = {int(mark) for mark in map(finite, values(one, "marked")) if mark is not None}
    _add(
        made,
        text(one, "path"),
        whole(one, "first"),
        words(one, "lines"),
        marked,
        why=text(one, "why"),
        more=whole(one, "more"),
    )
    finding = finite(one.get("finding"))
    made.excerpts[-1]["finding"] = "" if finding is None else str(int(finding))


def _add(made: Quoted, path: str, first: int, lines: list[str], marked: set[int], *, why: str, more: int) -> None:
    made.files.setdefault(path, len(made.files))
    rows = []
    for number, line in enumerate(lines, first):
        new = (path, number) not in made.texts
        made.texts.setdefault((path, number), line)
        rows.append(made._row(path, number, line, marked=number in marked, anchored=new))
    made.excerpts.append({"path": path, "first": first, "rows": rows, "why": why, "more": more, "finding": ""})


def _evidence(report: Report) -> Iterator[tuple[str, Report]]:
    for evidence in parts(part(report, "verdict"), "evidence"):
        yield "evidence of the verdict", evidence
    for finding in parts(report, "findings"):
        for evidence in parts(finding, "evidence"):
            yield text(finding, "title"), evidence
