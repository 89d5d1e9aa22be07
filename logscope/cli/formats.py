"""`logscope formats`: which lines are read, from which releases on, and what their columns mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from logscope.cli._output import to_stdout
from logscope.errors import UsageError

if TYPE_CHECKING:
    from types import ModuleType

    from logscope.family import Family


@click.command()
@click.argument("family", required=False)
@click.option("--matrix", is_flag=True, help="One row a shape, with the releases that print it.")
def formats(family: str | None, matrix: bool) -> None:
    """List the event families, or the columns of one FAMILY."""
    from logscope.discover import units

    known = units("logscope.events")
    if family is not None and family not in known:
        raise UsageError(f"there is no family {family!r}; there are {', '.join(known)}")
    chosen = {family: known[family]} if family else known
    if matrix:
        to_stdout("\n".join(line for name, module in chosen.items() for line in _shapes(name, module.FAMILY)))
    elif family:
        to_stdout(_described(family, known[family]))
    else:
        to_stdout("\n".join(f"{name:<28} {_first_line(module)}" for name, module in known.items()))


def _first_line(module: ModuleType) -> str:
    import inspect

    return (inspect.getdoc(module) or "").partition("\n")[0]


def _span(since: str, until: str) -> str:
    return f"{since or 'first'}..{until or 'last'}"


def _shapes(name: str, family: Family) -> list[str]:
    return [f"{name:<28} {_span(shape.since, shape.until):<22} {shape.pattern}" for shape in family.shapes]


def _described(name: str, module: ModuleType) -> str:
    """The docstring of a family and the dictionary of its columns."""
    import inspect

    rows = [
        f"  {column.name:<32} {column.type:<6} {column.unit or '-':<8} "
        f"{_span(column.since, column.until):<20} {column.doc}"
        for column in module.FAMILY.columns
    ]
    return "\n".join([name, "=" * len(name), "", inspect.getdoc(module) or "", "", "Columns", "-------", *rows])
