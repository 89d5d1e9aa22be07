r"""The server answers requests.

Sample
    #@ 0.1.18..0.5.23
    [2026-01-12 02:47:13] The server is fired up and ready to roll!

Meaning
    The warm-up request came back. On nodes other than the first the line is missing.

Source
    `_wait_and_warmup` (`entrypoints/http_server.py`, earlier `server.py`); the gRPC server; from 0.5.13 schedulers in
    some modes.
"""

from __future__ import annotations

from logscope.family import Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"The server is fired up and ready to roll!\s*",
            ("The server is fired up and ready to roll!",),
            since="0.1.18",
        ),
    ),
    columns=(),
    informs=True,
)
