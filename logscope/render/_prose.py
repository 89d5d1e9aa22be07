"""Sentences of the report as markup: code between backticks, links from lines that are named, everything escaped."""

from __future__ import annotations

import re
from collections.abc import Callable

from markupsafe import Markup, escape

from logscope.render._lines import Quoted
from logscope.render._visible import visible

_CODE = r"`(?P<code>[^`\n]{1,300})`"
_FLAG = r"(?<![\w-])(?P<flag>--[a-z0-9][a-z0-9-]{0,60})"  # stays on one line: half a flag cannot be read
_MOST_FILES = 50


def prose_of(lines: Quoted) -> Callable[[str], Markup]:
    """The function that marks up a sentence; `crash.log:214` becomes a link where the page quotes that line."""
    paths = sorted(filter(None, lines.files), key=lambda path: (-len(path), path))[:_MOST_FILES]
    named = "|".join(map(re.escape, paths)) or "(?!)"
    place = f"(?P<path>{named}):(?P<line>[0-9]{{1,12}})"
    pattern = re.compile(f"{_CODE}|{place}|{_FLAG}")

    def marked(found: re.Match[str]) -> Markup:
        if found["code"] is not None:
            return Markup("<code>{}</code>").format(visible(found["code"]))
        if found["flag"] is not None:
            return Markup('<span class="flag">{}</span>').format(found["flag"])
        reference = lines.reference({"path": found["path"], "line": int(found["line"])})
        if not reference["href"]:
            return Markup('<span class="ref">{}</span>').format(visible(reference["label"]))
        return Markup('<a class="ref" href="{}">{}</a>').format(reference["href"], visible(reference["label"]))

    def prose(text: str) -> Markup:
        made, last = Markup(""), 0
        for found in pattern.finditer(text):
            made += escape(visible(text[last : found.start()])) + marked(found)
            last = found.end()
        return made + escape(visible(text[last:]))

    return prose
