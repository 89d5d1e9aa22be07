"""`logscope formats`: which lines are read, from which releases on, and what their columns mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from logscope.cli._output import to_stdout
from logscope.errors import UsageError

if TYPE_CHECKING:
    from types import ModuleType

    from logscope.family import Column

WIDTH = 100


@click.command()
@click.argument("family", required=False)
@click.option("--matrix", is_flag=True, help="One row a wording: the releases that print it, and the line.")
def formats(family: str | None, matrix: bool) -> None:
    """List the event families, or the columns of one FAMILY."""
    from logscope.discover import units

    known = units("logscope.events")
    if family is not None and family not in known:
        raise UsageError(f"there is no family {family!r}; there are {', '.join(known)}")
    chosen = {family: known[family]} if family else known
    if matrix:
        to_stdout("\n".join(_row(name, *found) for name, module in chosen.items() for found in sampled(module)))
    elif family:
        to_stdout(_described(family, known[family]))
    else:
        to_stdout("\n".join(f"{name:<22} {_documentation(module).partition('.')[0]}" for name, module in known.items()))


def sampled(module: ModuleType) -> Iterator[tuple[str, str]]:
    """The wordings in a family's docstring: the releases that stand above a sample, and its first line."""
    span = ""
    for line in _documentation(module).splitlines():
        text = line.strip()
        if text.startswith("#@ "):
            span = text.removeprefix("#@ ")
        elif span and text:
            yield span, text
            span = ""


def _row(family: str, span: str, line: str) -> str:
    message = line.partition("] ")[2] if line.startswith("[") else line
    return f"{family:<22} {span:<26} {message if len(message) < WIDTH else message[: WIDTH - 1] + '…'}"


def _documentation(module: ModuleType) -> str:
    import inspect

    return inspect.getdoc(module) or ""


def _described(name: str, module: ModuleType) -> str:
    """The docstring of a family and the dictionary of its columns."""
    columns = "\n".join(_column(column) for column in module.FAMILY.columns)
    return f"{name}\n{'=' * len(name)}\n\n{_documentation(module)}\n\nColumns\n{columns}"


def _column(column: Column) -> str:
    import textwrap

    told = [column.type, column.unit, *(f"`{key}`" for key in column.keys)]
    if column.since or column.until:
        told.append(f"{column.since or 'first'}..{column.until or 'last'}")
    meaning = textwrap.fill(column.doc, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return f"    {column.name} ({', '.join(filter(None, told))})\n{meaning}"
