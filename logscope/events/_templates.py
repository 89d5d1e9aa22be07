"""Shapes from the table of templates: the messages of SGLang that no family of their own takes.

`_notices.tsv` has one line a text: the text (`{}` a value, `{n}` a number, `\\{` a brace), first and last release ("" where
the oldest or newest known release prints it), level of the call, source file. `tools/conformance/templates.py` writes it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from logscope.family import Column, Shape

_TOKEN = re.compile(r"\{n?\}")
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\{": "\x02", "\\\\": "\\"}
_NUMBER = r"[-+]?(?:[\d.]+(?:e[-+]?\d+)?|nan|inf)"
_MOST_VALUES = 8
_TELLING = 24  # characters of a literal from which a text is taken as evidence of its releases
_LEAST = 4  # characters of a literal beginning by which a text is found
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

    @property
    def multiline(self) -> bool:
        return "\n" in self.text


@functools.cache
def templates() -> tuple[Template, ...]:
    """All templates, in the order of the table."""
    data = (files(__package__) / "_notices.tsv").read_text(encoding="utf-8")
    found = []
    for line in data.splitlines():
        text, first, last, level, source = line.split("\t")
        if "\\" in text:
            text = re.sub(r"\\[ntr{\\]", lambda mark: _ESCAPES[mark[0]], text)
        found.append(Template(text, first, last, level, source))
    return tuple(found)


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
    return "".join(parts) + (r".*" if template.multiline else r"\s*")


def shapes(*, below: str = "", apart_from: str = "\x02", multiline: bool = False) -> Iterator[Shape]:
    """The shapes of the templates of some source files."""
    for template in templates():
        chosen = template.source.startswith(below) and not template.source.startswith(apart_from)
        if not chosen or template.multiline != multiline:
            continue
        literals = template.literals
        longest = max(literals, key=len)
        telling = len(longest) >= _TELLING and longest.count(" ") >= 3
        starts = literals[0].rstrip()
        if len(starts) < _LEAST:
            starts = ""
        yield Shape(
            pattern(template),
            (starts,) if starts else (),
            contains="" if starts else longest,
            since=template.first if telling else "",
            until=template.last if telling else "",
            sets={"level": template.level, "source": template.source, "template": template.text.replace("\x02", "{")},
            bare=len(starts) >= _BARE and sum(map(str.isalpha, "".join(template.literals))) >= _LETTERS,
        )


def beginnings(*, apart_from: str) -> Iterator[Shape]:
    """Shapes for messages that begin as a template does and go on otherwise: cut lines, wordings of other builds."""
    found: set[str] = set()
    for template in templates():
        literal = _TOKEN.split(template.head, 1)[0].replace("\x02", "{")
        if len(literal) >= _BEGINNING and not template.source.startswith(apart_from):
            whole = literal[_BEGINNING : _BEGINNING + 1] in ("", " ")
            found.add(literal[:_BEGINNING] if whole else literal[:_BEGINNING].rpartition(" ")[0])
    for beginning in sorted(found):
        if beginning.strip().count(" ") >= _WORDS:
            constants: dict[str, str | bool] = {"template": f"{beginning}…", "changed": True}
            yield Shape(re.escape(beginning) + r"(?P<rest>(?!\w).*)", (beginning,), sets=constants, bare=False)


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
