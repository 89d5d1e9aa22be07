r"""Terminal control: colours, cursor moves, window titles, NUL bytes of a file that was truncated under its writer.

uvicorn on a terminal, Ray, the routers and diffusion servers colour their lines; nested progress bars move the cursor.
Carriage returns stay: they divide the frames of a progress bar.

Sample (each line in Python's escapes: wrapped → unwrapped):

    \x1b[32mINFO\x1b[0m:     Started server process [49] → INFO:     Started server process [49]
    \x1b[36m(Engine pid=7)\x1b[0m \x1b]0;title\x07[2026-01-12 02:47:08]\x1b[A a → (Engine pid=7) [2026-01-12 02:47:08] a
    \x00\x00[2026-01-12 02:47:08 TP0] Prefill batch → [2026-01-12 02:47:08 TP0] Prefill batch
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection, with_data

NAME = "ansi"
WHOLE = True  # stands anywhere in a line and belongs to no syntax

# CSI; OSC and other strings up to BEL or ST, never past the line; a character set; any other two-byte escape.
_ESCAPE = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]+[0-~]|[0-Z\\^-~])|\x00+"
_TEXT = re.compile(_ESCAPE)
_BYTES = re.compile(_ESCAPE.encode())


def detect(lines: Sequence[str]) -> Detection | None:
    """Certain if any line holds an escape sequence."""
    hits = sum(1 for line in lines if ("\x1b" in line or "\0" in line) and _TEXT.search(line))
    return Detection("certain", f"{hits} of {len(lines)} lines hold terminal control sequences") if hits else None


def unwrap(block: Block) -> Block:
    """The block without control sequences; the lines stay as many."""
    if b"\x1b" not in block.data and b"\0" not in block.data:
        return block
    return with_data(block, _BYTES.sub(b"", block.data))
