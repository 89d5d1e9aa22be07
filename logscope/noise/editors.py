r"""What editors and viewers leave in a copied text.

Why
    A status line of vi or the name of the file that was attached; the text itself follows.

Sample
    "server.log" 16498L, 2947832B
    "server.log" 120 lines, 4096 bytes
    @c:\Users\someone\Downloads\server_log.txt
    --More--
    (END)
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "an editor"
_REASON = "a status line or a file's name"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"\"[^\"]+\" (?:\[\w+\] ?)?\d+(?:L|,? lines), \d+(?:B|C| bytes| characters)(?: written)?\s*$",
        starts=('"',),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"@?(?:[A-Za-z]:\\|~?/)[^*?\"<>|:]*\.(?:log|txt|out)\s*$",
        starts=("@", "/", "~/", *(f"{letter}:\\" for letter in "CDEcde")),
    ),
    Noise(_PROGRAM, _REASON, r"(?:--More--.*|\(END\)|:)\s*$", starts=("--More--", "(END)", ":")),
)
