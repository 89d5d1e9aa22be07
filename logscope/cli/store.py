"""`logscope store`: keep a store small."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from logscope.cli._failure import complain
from logscope.errors import UsageError
from logscope.wording import several


@click.group()
def store() -> None:
    """Keep a store of `logscope scan` small. Both commands are safe to interrupt, and to kill."""


@store.command()
@click.argument("directory", metavar="STORE", type=click.Path(path_type=Path))
def compact(directory: Path) -> int:
    """Join the small files of each date into few large ones; the rows stay as they are."""
    from logscope.archive import upkeep
    from logscope.archive.store import opened

    with opened(_known(directory)):
        before, after = upkeep.compact(directory)
    complain(f"{several(before, 'file')} became {after}")
    return 0


@store.command()
@click.argument("directory", metavar="STORE", type=click.Path(path_type=Path))
@click.option(
    "--days", type=click.IntRange(min=1), required=True, help="Runs that began earlier than this are removed."
)
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help="The day to count from; today by default.")
def retain(directory: Path, days: int, today: datetime.datetime | None) -> int:
    """Remove old runs, date by date; undated ones and the logs themselves stay."""
    from logscope.archive import upkeep
    from logscope.archive.store import opened

    with opened(_known(directory)):
        gone = upkeep.retain(directory, days=days, today=(today or datetime.datetime.now()).date())
    complain(f"{several(gone, 'date')} removed")
    return 0


def _known(directory: Path) -> Path:
    from logscope.archive.store import is_store

    if not is_store(directory):
        raise UsageError(f"{directory}: is no store; `logscope scan DIR -o {directory}` makes one")
    return directory
