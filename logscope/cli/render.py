"""`logscope render`: a JSON report in, any other format out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from logscope.cli._output import check_target, chosen_formats, known_formats, write_report
from logscope.errors import ReportUnreadable


@click.command()
@click.argument("report", type=click.Path(allow_dash=True, path_type=Path), metavar="REPORT.json")
@click.option(
    "-f",
    "--format",
    "formats",
    multiple=True,
    metavar="FORMAT",
    callback=known_formats,
    help="Output format, repeatable.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE|DIR", help="Where to write it.")
def render(report: Path, formats: tuple[str, ...], output: Path | None) -> None:
    """Turn a JSON report into any other format.

    REPORT.json is what `analyze --format json` wrote, or - for stdin. The log is not needed.
    """
    wanted = chosen_formats(formats, output)
    check_target(wanted, output)
    write_report(read_report(report), formats=wanted, output=output)


def read_report(path: Path) -> dict[str, Any]:
    """The report of a file; raises `ReportUnreadable` for anything that is not one of a known version."""
    import json

    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        report = json.loads(data)
    except OSError as error:
        raise ReportUnreadable(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise ReportUnreadable(f"{path} is not JSON: {error}") from error
    schema = report.get("schema") if isinstance(report, dict) else None
    if schema != "logscope.report/1":
        raise ReportUnreadable(f"{path} is not a report of logscope: its schema is {schema!r}, not 'logscope.report/1'")
    return dict(report)
