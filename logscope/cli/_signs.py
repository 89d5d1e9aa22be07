"""Words of ASCII for the signs that logscope prints, on a stream whose encoding lacks them.

An error handler of the codecs rather than a translation of each text: what the encoding has (÷ in Latin-1) stays, and
every command is served, by whatever it prints. Signs that are not logscope's own, from a log, become escapes.
"""

from __future__ import annotations

import codecs
import io
import re
import sys

SPELT = "logscope.spelt"

_SIGNS = (
    {"…": "...", "−": "-", "–": "-", "—": "-", "─": "-", "→": "->", "←": "<-", "↑": "up", "↓": "down", "×": "x"}
    | {
        "·": "*",
        "÷": "/",
        "±": "+-",
        "≥": ">=",
        "≤": "<=",
        "≈": "~",
        "∞": "infinity",
        "Σ": "sum ",
        "Δ": "change of ",
        "ρ": "rho",
        "₀": "0",
    }
    | {"⌊": "floor(", "⌋": ")", "⟨": "<", "⟩": ">", "‹": "<", "›": ">", "“": '"', "”": '"', "‘": "'", "’": "'"}
    | {"█": "#", "│": "|", "┃": "|", "├": "|-", "└": "`-", "␠": " ", "␍": "\\r", "\ufffd": "?"}
)
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True))
_POWER = re.compile(f"[{''.join(_SUPERSCRIPTS)}]+")


def spelt(text: str) -> str:
    """The text in ASCII: 2³⁰ is 2^30, and what is no sign of logscope an escape."""
    powers = _POWER.sub(lambda power: "^" + "".join(map(_SUPERSCRIPTS.__getitem__, power[0])), text)
    return "".join(_SIGNS.get(sign, sign) for sign in powers).encode("ascii", "backslashreplace").decode()


def _answer(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return spelt(error.object[error.start : error.end]), error.end


codecs.register_error(SPELT, _answer)


def spell_signs() -> None:
    """Let stdout and stderr spell what their encoding lacks, instead of an escape or an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=SPELT)
