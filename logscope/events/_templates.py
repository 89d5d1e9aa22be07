"""Shapes from the table of templates: the messages of SGLang that no family of their own takes.

`_notices.tsv` has one line a text: the text (`{}` a value, `{n}` a number, `\\{` a brace), first and last release ("" where
the oldest or newest known release prints it), level of the call, source file. `tools/conformance/templates.py` writes it.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from logscope.family import Column, Shape, ShapeTable

_TOKEN = re.compile(r"\{n?\}")
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\{": "\x02", "\\\\": "\\"}
_ESCAPED = str.maketrans({"\n": "\\n", "\t": "\\t", "\r": "\\r", "{": "\\{", "\\": "\\\\"})
_NUMBER = r"[-+]?(?:[\d.]+(?:e[-+]?\d+)?|nan|inf)"
_MOST_VALUES = 8
_TELLING = 24  # characters of a literal from which a text is taken as evidence of its releases
_LEAST = 4  # characters of a literal beginning by which a text is found
_PLAIN = re.compile(r"[^{\t]*")
_LONG = re.compile(r"[^\\{\t]{3}[^\\{\s]")  # begins with so many of them, plainly
_BEGINNING = 28  # characters of a text by which a changed or cut message is still known
_WORDS = 2  # spaces that such a beginning must hold
_BARE = 8  # characters of a literal beginning from which a line without a prefix is taken,
_LETTERS = 20  # if the text has so many letters of its own


@dataclass(frozen=True, slots=True)
class Template:
    """One text that a call can print."""

    text: str
    first: str
    last: str
    level: str
    source: str

    @property
    def literals(self) -> list[str]:
        """The literal pieces of its first line; values stand between them."""
        return [piece.replace("\x02", "{") for piece in _TOKEN.split(self.head)]

    @property
    def head(self) -> str:
        return self.text.partition("\n")[0]


@functools.cache
def _lines() -> tuple[str, ...]:
    """The lines of the table, in the order of their characters."""
    return tuple(Path(__file__).with_name("_notices.tsv").read_text(encoding="utf-8").splitlines())


def _template(line: str) -> Template:
    text, first, last, level, source = line.split("\t")
    return Template(_unescaped(text), first, last, level, source)


def _unescaped(text: str) -> str:
    return re.sub(r"\\[ntr{\\]", lambda mark: _ESCAPES[mark[0]], text) if "\\" in text else text


def _beginning(line: str) -> str:
    """The literal beginning of a line's text, up to its first value or the end of its first line."""
    plain = _PLAIN.match(line)
    if plain is not None and "\\" not in plain[0]:
        return plain[0]
    text = _unescaped(line.partition("\t")[0])
    return _TOKEN.split(text.partition("\n")[0], maxsplit=1)[0].replace("\x02", "{")


def _found_by(line: str) -> str:
    """The beginning by which messages are tried; "" where it is so short that a text is found by its longest piece."""
    starts = _beginning(line).rstrip()
    return starts if len(starts) >= _LEAST else ""


def templates() -> tuple[Template, ...]:
    """All templates, in the order of the table."""
    return tuple(map(_template, _lines()))


def pattern(template: Template) -> str:
    """The regular expression of the first line.

    A value ends at the first occurrence of the literal behind it, without going back: a hostile line of any length
    costs one pass. Only the last value may hold that literal itself.
    """
    literals, kinds = template.literals, _TOKEN.findall(template.head)
    literals[-1] = literals[-1].rstrip()
    parts = [re.escape(literals[0])]
    for number, (kind, literal) in enumerate(zip(kinds, literals[1:], strict=True), 1):
        name = f"number_{number}" if kind == "{n}" else f"value_{number}"
        inner = _NUMBER if kind == "{n}" else ".*" if number == len(kinds) else ".*?"
        value = f"(?P<{name}>{inner})" if number <= _MOST_VALUES else f"(?:{inner})"
        after = re.escape(literal)
        parts.append(f"(?>{value}{after})" if inner == ".*?" else value + after)
    return "".join(parts) + (r".*" if "\n" in template.text else r"\s*")


def shape(template: Template) -> Shape:
    """The shape of the messages that a template stands for."""
    literals = template.literals
    longest = max(literals, key=len)
    telling = len(longest) >= _TELLING and longest.count(" ") >= 3
    starts = literals[0].rstrip()
    if len(starts) < _LEAST:
        starts = ""
    return Shape(
        pattern(template),
        (starts,) if starts else (),
        contains="" if starts else longest,
        since=template.first if telling else "",
        until=template.last if telling else "",
        sets={"level": template.level, "source": template.source, "template": template.text.replace("\x02", "{")},
        bare=len(starts) >= _BARE and sum(map(str.isalpha, "".join(literals))) >= _LETTERS,
    )


class Texts(ShapeTable):
    """The shapes of the templates of some source files, over one line or over several.

    The table is sorted, so that the texts with a beginning stand together: only those are looked at.
    """

    def __init__(self, *, below: str = "", apart_from: str = "\x02", multiline: bool = False) -> None:
        super().__init__()
        self._below, self._apart_from, self._multiline = below, apart_from, multiline

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines of these templates, in the order of the table."""
        multiline = self._multiline
        return [line for line in self._of_files() if ("\\n" in line and "\n" in _unescaped(line)) is multiline]

    def _of_files(self) -> list[str]:
        """The lines of the source files, over however many lines their texts go."""
        below, apart_from = f"\t{self._below}", f"\t{self._apart_from}"
        return [line for line in _lines() if below in line and apart_from not in line]

    def __len__(self) -> int:
        return len(self.lines)

    def make(self, number: int) -> Shape:
        return shape(_template(self.lines[number]))

    def starting(self, letters: str) -> Iterator[tuple[str, int]]:
        sought = letters.translate(_ESCAPED)
        for number in range(bisect_left(self.lines, sought), len(self.lines)):
            if not self.lines[number].startswith(sought):
                break
            if starts := _found_by(self.lines[number]):
                yield starts, number

    def containing(self) -> Iterator[tuple[str, int]]:
        for number, line in enumerate(self.lines):
            if not _LONG.match(line) and not _found_by(line):
                yield max(_template(line).literals, key=len), number


class TextsAndBeginnings(Texts):
    """Behind them, shapes for messages that begin so and go on otherwise: cut lines, wordings of other builds."""

    @functools.cached_property
    def beginnings(self) -> list[str]:
        """Whole words of enough characters, sorted."""
        found = set()
        for literal in map(_beginning, self._of_files()):
            if len(literal) >= _BEGINNING:
                whole = literal[_BEGINNING : _BEGINNING + 1] in ("", " ")
                found.add(literal[:_BEGINNING] if whole else literal[:_BEGINNING].rpartition(" ")[0])
        return sorted(words for words in found if words.strip().count(" ") >= _WORDS)

    def __len__(self) -> int:
        return len(self.lines) + len(self.beginnings)

    def make(self, number: int) -> Shape:
        if number < len(self.lines):
            return super().make(number)
        beginning = self.beginnings[number - len(self.lines)]
        constants: dict[str, str | bool] = {"template": f"{beginning}…", "changed": True}
        return Shape(re.escape(beginning) + r"(?P<rest>(?!\w).*)", (beginning,), sets=constants, bare=False)

    def starting(self, letters: str) -> Iterator[tuple[str, int]]:
        yield from super().starting(letters)
        for number in range(bisect_left(self.beginnings, letters), len(self.beginnings)):
            if not self.beginnings[number].startswith(letters):
                break
            yield self.beginnings[number], len(self.lines) + number


COLUMNS = (
    Column(
        "level",
        "text",
        "Level of the call, which the server does not print: debug, info, warning, error, critical, print.",
    ),
    Column("source", "text", "File of SGLang that prints it, in the newest release that does."),
    Column("template", "text", "The text with its values left out."),
    Column(
        "changed",
        "bool",
        "The message begins like a known one and goes on otherwise: cut, or of a build that nobody has seen.",
    ),
    Column("rest", "text", "What follows that beginning."),
    *(
        Column(f"number_{n}", "float", f"Value {n} of the text, where it is a number.")
        for n in range(1, _MOST_VALUES + 1)
    ),
    *(Column(f"value_{n}", "text", f"Value {n} of the text, as printed.") for n in range(1, _MOST_VALUES + 1)),
)
