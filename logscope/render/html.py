"""The postmortem as one HTML page: it asks the network for nothing, and is complete without its script.

The policy of the page is `default-src 'none'`; the one style and the one script are allowed by the hash of their text.
The same report gives the same bytes. What is too large is cut by rule (`_shrink`), and the page says what was cut.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from logscope.render._embedded import embedded
from logscope.render._page import page
from logscope.render._shrink import SOFT_BYTES, levels, shrunk
from logscope.render._templates import environment, source


def html(report: Mapping[str, Any]) -> str:
    """The page of a report; keys that the report lacks leave their section saying so.

    The text can be encoded as UTF-8 whatever the log held: lone surrogates are shown as code points.
    """
    trials = levels(report)
    for level in trials:
        kept, cuts = shrunk(report, level)
        data = embedded(kept)
        if len(data) > SOFT_BYTES and level is not trials[-1]:
            continue  # the page holds these data and more: not worth drawing
        rendered = _rendered(kept, cuts, data)
        if len(rendered.encode()) <= SOFT_BYTES:
            break
    return rendered


def _rendered(report: Mapping[str, Any], cuts: list[str], data: Markup) -> str:
    style, script = source("report.css"), source("report.js")
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            page(report, cuts),
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            style_hash=_hash(style),
            script_hash=_hash(script),
            data=data,
        )
    )


def _hash(text: str) -> str:
    """The hash by which the policy knows an inline style or script."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
