"""`logscope render`: a JSON report in, any other format out."""

from __future__ import annotations

from pathlib import Path

import click

from logscope.cli._output import Target, check_target, chosen_formats, formats_option, output_option, write_report


@click.command()
@click.argument("report", type=click.Path(allow_dash=True, path_type=Path), metavar="REPORT.json")
@formats_option
@output_option
def render(report: Path, formats: tuple[str, ...], output: Target | None) -> None:
    """Turn a JSON report into any other format.

    REPORT.json is what `analyze --format json` wrote, or - for stdin. The log is not needed.
    """
    from logscope.render import load_report

    wanted = chosen_formats(formats, output)
    check_target(wanted, output)
    write_report(load_report(report), formats=wanted, output=output)
