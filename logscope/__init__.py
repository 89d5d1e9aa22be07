"""logscope: log forensics and postmortems for the SGLang inference server.

log = logscope.open_log("crash.log")
log.tables["decode_batch"].to_pandas()
report = logscope.analyze(log)
logscope.to_html(report, "postmortem.html")
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from logscope.version import VERSION as __version__

if TYPE_CHECKING:
    from logscope.api import analyze, open_log, to_html, to_json, to_markdown, to_text
    from logscope.archive.scan import scan
    from logscope.log import Log
    from logscope.report import Report

_HOME = {
    "open_log": "logscope.api",
    "analyze": "logscope.api",
    "to_html": "logscope.api",
    "to_json": "logscope.api",
    "to_markdown": "logscope.api",
    "to_text": "logscope.api",
    "scan": "logscope.archive.scan",
    "Log": "logscope.log",
    "Report": "logscope.report",
}

__all__ = [
    "Log",
    "Report",
    "__version__",
    "analyze",
    "open_log",
    "scan",
    "to_html",
    "to_json",
    "to_markdown",
    "to_text",
]


def __getattr__(name: str) -> object:
    """Import on first use, so that `logscope --help` loads no Arrow."""
    if name not in _HOME:
        raise AttributeError(f"module 'logscope' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
