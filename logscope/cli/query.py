"""`logscope query`: SQL over a store of many logs, or over logs."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from logscope.cli._failure import SOME_FAILED, tell_damage
from logscope.cli._output import file_option, to_stdout, write_file
from logscope.cli._spare import spare
from logscope.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

_QUESTION = re.compile(r"\s*(?:select|with|from|describe|show|summarize|values)\s", re.IGNORECASE)
CELL_MOST = 60  # characters of a cell in a table for people


@click.command()
@click.argument("words", nargs=-1, metavar="['select …'] STORE|LOG…")
@click.option("--named", metavar="NAME", help="A question that logscope knows, in place of SQL; see --list.")
@click.option("--list", "listed", is_flag=True, help="List the named questions.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json", "parquet", "md"]),
    default="table",
    show_default=True,
)
@file_option
def query(words: tuple[str, ...], named: str | None, listed: bool, form: str, output: Path | None) -> int:
    """Ask a store, or logs, in SQL (DuckDB).

    Tables: runs, launches, findings, facts, decode_batch, prefill_batch, retraction; for logs also every other table of
    `logscope tables`. The query can read nothing else and write nothing.
    """
    from logscope.archive import query as asked
    from logscope.archive.mirror import local_copy
    from logscope.archive.task import Settings

    if listed:
        for name, sql in asked.questions().items():
            click.echo(f"{name:28} {asked.title(sql)}")
        return 0
    if not named and len(words) > 1 and _QUESTION.match(words[-1]) and not _QUESTION.match(words[0]):
        raise UsageError(f"the question comes first: logscope query {shlex.join([words[-1], *words[:-1]])}")
    sql, paths = (asked.named(named), list(words)) if named else (words[0] if words else "", list(words[1:]))
    if not sql or not paths:
        raise UsageError("say what to ask and of what: logscope query 'select …' STORE, or --named NAME STORE")
    if form == "parquet" and output is None and sys.stdout.isatty():
        raise UsageError("Parquet is not for a terminal: add -o FILE")
    spare(paths, output)
    with ExitStack() as stack:
        here = [str(stack.enter_context(local_copy(path))) for path in paths]
        tables = asked.tables_behind(here, Settings("", sampled_rows=None))
        found = asked.answer(sql, tables)
    content = WRITERS[form](found)
    if output is None:
        to_stdout(content)
    else:
        write_file(output, content)
    return SOME_FAILED if tell_damage(asked.damaged(tables)) else 0


def _table(found: pa.Table) -> str:
    from logscope.render._numbers import plain
    from logscope.render._visible import visible

    def shown(value: Any) -> str:
        if isinstance(value, float):
            return plain(value)
        text = visible(_cell(value))
        return text if len(text) <= CELL_MOST else text[: CELL_MOST - 1] + "…"

    rows = [[shown(value) for value in row.values()] for row in found.to_pylist()]
    widths = [max([len(name), *(len(row[i]) for row in rows)]) for i, name in enumerate(found.column_names)]
    numbers = [_is_number(field.type) for field in found.schema]

    def line(cells: list[str]) -> str:
        padded = [cell.rjust(w) if n else cell.ljust(w) for cell, w, n in zip(cells, widths, numbers, strict=True)]
        return "  ".join(padded).rstrip()

    counted = f"({found.num_rows} row{'s' * (found.num_rows != 1)})"
    return "\n".join([line(found.column_names), "  ".join("─" * width for width in widths), *map(line, rows), counted])


def _md(found: pa.Table) -> str:
    cells = [
        [_cell(value).replace("\\", "\\\\").replace("|", "\\|") for value in row.values()] for row in found.to_pylist()
    ]
    lines = [found.column_names, ["---"] * found.num_columns, *cells]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _is_number(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = value.isoformat(" ", "seconds") if hasattr(value, "hour") else str(value)
    return " ".join(text.split())


def _json(found: pa.Table) -> str:
    rows = [{name: value for name, value in row.items() if value is not None} for row in found.to_pylist()]
    return json.dumps(rows, ensure_ascii=False, indent=1, default=_plain)


def _plain(value: Any) -> Any:
    return (
        value.isoformat() if hasattr(value, "isoformat") else float(value) if hasattr(value, "as_tuple") else str(value)
    )


def _csv(found: pa.Table) -> bytes:
    import io

    from pyarrow import csv

    out = io.BytesIO()
    csv.write_csv(_flat(found), out)
    return out.getvalue()


def _flat(found: pa.Table) -> pa.Table:
    """The table with dictionaries spelt out and lists as JSON: CSV has neither."""
    import pyarrow as pa

    for place, field in enumerate(found.schema):
        if pa.types.is_dictionary(field.type):
            found = found.set_column(place, field.name, found.column(place).cast(field.type.value_type))
        elif pa.types.is_nested(field.type):
            texts = [None if v is None else json.dumps(v, default=str) for v in found.column(place).to_pylist()]
            found = found.set_column(place, field.name, pa.array(texts, pa.string()))
    return found


def _parquet(found: pa.Table) -> bytes:
    import io

    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(found, out, compression="zstd")
    return out.getvalue()


WRITERS: dict[str, Callable[[pa.Table], str | bytes]] = {
    "table": _table,
    "csv": _csv,
    "json": _json,
    "parquet": _parquet,
    "md": _md,
}
