"""`logscope tables`: every line of a log as typed columns, one file a family."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from logscope.cli._failure import SOME_FAILED, UNREADABLE, complain, tell_damage
from logscope.cli._spare import spare
from logscope.errors import OutputError

if TYPE_CHECKING:
    import pyarrow as pa


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG…")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where to write.")
@click.option(
    "-f", "--format", "form", type=click.Choice(["parquet", "csv", "jsonl"]), default="parquet", show_default=True
)
@click.option("--since", metavar="TIME", help="Only lines from this time on.")
@click.option("--until", metavar="TIME", help="Only lines up to this time.")
@click.option("--tz", metavar="ZONE", help="The time zone of the log's clock.")
@click.option("--show-prompts", is_flag=True, help="Keep prompts, outputs and secrets, which are masked otherwise.")
def tables(logs: tuple[str, ...], output: Path, form: str, **reading: Any) -> int:
    """Write every line as typed columns, one file a family.

    The files are named for their tables; rows and path of each are printed.
    """
    import logscope

    log = logscope.open_log(list(logs), **reading)
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{output} is not a directory that can be written: {error.strerror}") from error
    written = {name: table for name, table in sorted(log.tables.items()) if table.num_rows}
    paths = {name: output / f"{name}.{form}" for name in written}
    spare(logs, *paths.values())
    for name, table in written.items():
        path = paths[name]
        WRITERS[form](table, path)
        click.echo(f"{table.num_rows:>12,}  {path}")
    damaged = tell_damage((one.source.path, one.source.damage) for one in log.inputs)
    if not written:
        complain(f"no line of {', '.join(logs)} is one that SGLang prints: is this the server's log?")
        return UNREADABLE
    return SOME_FAILED if damaged else 0


def _parquet(table: pa.Table, path: Path) -> None:
    from pyarrow import parquet

    parquet.write_table(table, path, compression="zstd")


def _csv(table: pa.Table, path: Path) -> None:
    from pyarrow import csv

    csv.write_csv(_plain(table), path)


def _jsonl(table: pa.Table, path: Path) -> None:
    import json

    with path.open("w", encoding="utf-8", errors="backslashreplace") as out:
        for batch in _plain(table).to_batches(max_chunksize=10_000):
            for row in batch.to_pylist():
                kept = {name: value for name, value in row.items() if value is not None}
                out.write(json.dumps(kept, ensure_ascii=False, default=_iso) + "\n")


def _plain(table: pa.Table) -> pa.Table:
    """The table with its dictionary columns spelt out."""
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            table = table.set_column(place, field.name, table.column(place).cast(field.type.value_type))
    return table


def _iso(value: Any) -> str:
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)


WRITERS: dict[str, Callable[[Any, Path], None]] = {"parquet": _parquet, "csv": _csv, "jsonl": _jsonl}
