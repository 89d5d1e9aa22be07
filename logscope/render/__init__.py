"""Outputs: one format = one file; each holds a function of its own name that turns the plain report into text.

A module says `SUFFIX`, what its files end with. Names that begin with an underscore are not formats. Renderers take the
dict of `docs`' report schema and nothing else, so a report that was kept as JSON can be rendered again years later.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
from collections.abc import Mapping
from json import loads  # by name: the module `logscope.render.json` takes the place of `json` here
from pathlib import Path
from typing import Any

from logscope.errors import ReportUnreadable, UsageError
from logscope.render._validity import faults

FORMATS = tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")))

SCHEMAS = ("logscope.report/1",)
REPORT_BYTES_MAX = 512 << 20


def render(report: Mapping[str, Any], form: str, **options: Any) -> str | bytes:
    """The report in one format; options that the format has no use for (`width`, `color`) are dropped.

    Raises UsageError for a format that no module has.
    """
    function = getattr(_module(form), form)
    known = inspect.signature(function).parameters
    output: str | bytes = function(report, **{name: value for name, value in options.items() if name in known})
    return output


def suffix(form: str) -> str:
    """What a file of this format ends with: ".html", ".trace.json"."""
    return str(getattr(_module(form), "SUFFIX", f".{form}"))


def load_report(path: str | Path) -> dict[str, Any]:
    """The report of a JSON file ("-" is stdin); raises ReportUnreadable for anything that is not one."""
    try:
        data = sys.stdin.buffer.read(REPORT_BYTES_MAX + 1) if str(path) == "-" else Path(path).read_bytes()
    except OSError as error:
        raise ReportUnreadable(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > REPORT_BYTES_MAX:
        raise ReportUnreadable(f"{path}: is larger than {REPORT_BYTES_MAX >> 20} MiB, which no report is")
    try:
        report = loads(data)
    except (ValueError, RecursionError) as error:
        raise ReportUnreadable(
            f"{path}: is not JSON ({error}); `logscope analyze LOG -f json` writes a report"
        ) from error
    version = report.get("schema") if isinstance(report, dict) else None
    if version not in SCHEMAS:
        raise ReportUnreadable(f"{path}: is not a logscope report: its schema is {version!r}, known is {SCHEMAS[0]}")
    wrong = faults(report, "report-1")
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise ReportUnreadable(f"{path}: is not a valid report: {wrong[0]}{more}")
    return dict(report)


def _module(form: str) -> Any:
    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r}; there are {', '.join(FORMATS)}")
    return importlib.import_module(f"{__name__}.{form}")
