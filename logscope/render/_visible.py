"""Log text as it may be shown: what cannot be seen is spelled as its code point.

A log is hostile: a right-to-left override turns a line around, a zero-width joiner hides a word, an escape sequence
clears a terminal, a lone surrogate cannot be encoded at all. Shown as `⟨U+202E⟩` they are harmless and can be found.
"""

from __future__ import annotations

import regex

# Line feed and tab stay: the page shows them. The last ones are drawn as nothing although they are letters or marks.
_UNSEEN = regex.compile(
    r"[\p{C}\p{Zl}\p{Zp}\p{Variation_Selector}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
    r"\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0--[\n\t]]",
    flags=regex.V1,
)


def visible(text: str) -> str:
    """The text with every control, format, surrogate, unassigned and otherwise invisible character as `⟨U+XXXX⟩`."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(_code_point, text)


def _code_point(match: regex.Match[str]) -> str:
    return f"⟨U+{ord(match.group()):04X}⟩"
