"""`logscope formats`: which lines are read, from which releases on, and what their columns mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from logscope.cli._output import to_stdout
from logscope.errors import UsageError

if TYPE_CHECKING:
    from types import ModuleType

    from logscope.family import Column

_MARKER = re.compile(r"^( *)#@ (.+)$", re.MULTILINE)  # how a sample says which releases print it
WIDTH = 100
SPAN_WIDTH = 26


@click.command()
@click.argument("family", required=False)
@click.option("--matrix", is_flag=True, help="One row a wording: the releases that print it, and how it begins.")
def formats(family: str | None, matrix: bool) -> None:
    """List the event families, or the columns of one FAMILY."""
    from logscope.discover import units

    known = units("logscope.events")
    if family is not None and family not in known:
        raise UsageError(f"there is no family {family!r}; there are {', '.join(known)}")
    chosen = {family: known[family]} if family else known
    if matrix:
        to_stdout("\n\n".join("\n".join(_wordings(name, module)) for name, module in chosen.items()))
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


def _wordings(family: str, module: ModuleType) -> Iterator[str]:
    """The name of a family, and below it one row a wording."""
    yield family
    for span, line in sampled(module):
        message = line.partition("] ")[2] if line.startswith("[") else line
        row = f"  {_releases(span):<{SPAN_WIDTH}}  {message}"
        yield row if len(row) <= WIDTH else f"{row[: WIDTH - 1]}…"


def _releases(span: str) -> str:
    """`0.5.9` for `0.5.9..0.5.9`, `0.5.2 to 0.5.8` for another range; words as they are."""
    first, dots, last = span.partition("..")
    return span if not dots else first if first == last else f"{first} to {last}"


def _documentation(module: ModuleType) -> str:
    import inspect

    return inspect.getdoc(module) or ""


def _described(name: str, module: ModuleType) -> str:
    """The docstring of a family and the dictionary of its columns."""
    columns = "\n".join(_column(column) for column in module.FAMILY.columns)
    told = _MARKER.sub(lambda found: f"{found[1]}{_releases(found[2])}:", _documentation(module))
    return f"{name}\n{'=' * len(name)}\n\n{told}\n\nColumns\n{columns}"


def _column(column: Column) -> str:
    import textwrap

    told = [column.type, column.unit, *(f"`{key}`" for key in column.keys)]
    if column.since or column.until:
        told.append(f"{column.since or 'first'}..{column.until or 'last'}")
    meaning = textwrap.fill(column.doc, WIDTH, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return f"    {column.name} ({', '.join(filter(None, told))})\n{meaning}"
