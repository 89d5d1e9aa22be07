"""`logscope schema`: the JSON Schema of what logscope prints."""

from __future__ import annotations

import click

from logscope.cli._output import to_stdout
from logscope.errors import UsageError


@click.command()
@click.argument("name", default="report-1")
def schema(name: str) -> None:
    """Print the JSON Schema of the report, or of NAME."""
    from importlib import resources

    files = resources.files("logscope").joinpath("schema")
    names = sorted(file.name.removesuffix(".json") for file in files.iterdir() if file.name.endswith(".json"))
    if name not in names:
        raise UsageError(f"there is no schema {name!r}; there are {', '.join(names)}")
    to_stdout(files.joinpath(f"{name}.json").read_text(encoding="utf-8"))
