"""SQL over a store or over logs: Arrow tables inside a DuckDB that can reach nothing else.

The tables are registered, then the door is shut: no file, no network, no extension, no setting, no Python variable can
be named by a query, and results are written by logscope alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from difflib import get_close_matches
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as ds

from logscope import tables
from logscope.archive import schema
from logscope.archive.outcome import tables_of
from logscope.archive.store import check_format, dataset, is_store
from logscope.archive.task import Settings
from logscope.errors import UsageError
from logscope.shapes import families

if TYPE_CHECKING:
    import duckdb

# The order matters: with the file system closed, where to spill cannot be changed any more.
_LOCK = (
    "set enable_progress_bar = false",  # it would stand among the rows
    "set temp_directory = ''",
    "set python_enable_replacements = false",
    "set enable_external_access = false",
    "set lock_configuration = true",
)

_REFUSED = "the query cannot be answered"


def questions() -> dict[str, str]:
    """The SQL of the named questions by name: the files of `questions`."""
    folder = resources.files("logscope.archive").joinpath("questions")
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return {file.name.removesuffix(".sql"): file.read_text(encoding="utf-8") for file in files}


def title(sql: str) -> str:
    """What a named question asks: its first line."""
    return sql.partition("\n")[0].removeprefix("--").strip()


def named(name: str) -> str:
    """The SQL of one named question; raises UsageError for a name that no file has."""
    known = questions()
    if name not in known:
        raise UsageError(f"there is no question {name!r}; there are {', '.join(known)}")
    return known[name]


def tables_behind(paths: Sequence[str], settings: Settings) -> dict[str, pa.Table | ds.Dataset]:
    """What can be asked: the datasets of one store, or those of some logs with every table of their lines.

    Raises UsageError for a mixture, and whatever reading a log raises.
    """
    stores = [path for path in paths if is_store(Path(path))]
    if not stores:
        return _of_logs(paths, settings)
    if len(paths) > 1:
        raise UsageError("name one store, or some logs, not both")
    store = Path(stores[0])
    check_format(store)
    return {name: dataset(store, name) for name in schema.NAMES}


def _of_logs(paths: Sequence[str], settings: Settings) -> dict[str, pa.Table | ds.Dataset]:
    parts: dict[str, list[pa.Table]] = {name: [] for name in schema.NAMES}
    for path in paths:
        for name, table in tables_of(path, settings).items():
            parts.setdefault(name, []).append(table)
    empty = {name: fields.empty_table() for name, fields in schema.datasets().items()}
    empty |= {name: tables.empty(name) for name in families() if name not in empty}
    for name in empty:
        parts.setdefault(name, [])
    return {
        name: pa.concat_tables(held, promote_options="permissive") if held else empty[name]
        for name, held in parts.items()
    }


def damaged(asked: Mapping[str, pa.Table | ds.Dataset]) -> list[tuple[str, str]]:
    """The logs that were read only in part, with what broke them off; a store tells it in its `runs`."""
    runs = asked["runs"]
    return [(row["path"], row["damage"] or "") for row in runs.to_pylist()] if isinstance(runs, pa.Table) else []


def answer(sql: str, asked: Mapping[str, Any]) -> pa.Table:
    """The answer to one query; raises UsageError with what DuckDB has against it."""
    import duckdb

    with duckdb.connect(":memory:") as connection:
        for name, table in asked.items():
            connection.register(name, table)
        for setting in _LOCK:
            connection.execute(setting)
        try:
            return _heeding_ctrl_c(connection, sql)
        except duckdb.InterruptException as error:
            raise KeyboardInterrupt from error
        except duckdb.CatalogException as error:
            raise UsageError(_no_table(str(error), asked) or f"{_REFUSED}: {_first_lines(str(error))}") from error
        except duckdb.Error as error:
            raise UsageError(f"{_REFUSED}: {_first_lines(str(error))}") from error


def _no_table(said: str, known: Mapping[str, Any]) -> str:
    """What to say of a table that is not there, where that is what DuckDB says; DuckDB proposes tables of its own."""
    missing = re.search(r"Table with name (\S+) does not exist", said)
    if missing is None:
        return ""
    name = missing[1]
    if name in families():
        return f"a store keeps no table {name}; ask the log itself: logscope query 'select …' LOG"
    alike = get_close_matches(name, known)
    return f"there is no table {name}; " + (
        f"did you mean {' or '.join(alike)}?" if alike else "'show tables' lists them"
    )


def _heeding_ctrl_c(connection: duckdb.DuckDBPyConnection, sql: str) -> pa.Table:
    """The rows, made in a thread of its own: in the main one, DuckDB lost one Ctrl-C in four."""
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(_rows, connection, sql)
        try:
            return asked.result()
        except KeyboardInterrupt:
            while not wait([asked], timeout=0.1).done:  # a query that has not begun forgets that it was interrupted
                connection.interrupt()
            raise


def _rows(connection: duckdb.DuckDBPyConnection, sql: str) -> pa.Table:
    relation = connection.sql(sql)
    if relation is None:
        raise UsageError("the query gives no rows; ask with select")
    return relation.to_arrow_table()


def _first_lines(text: str) -> str:
    return re.split(r"\n\s*\n|\nLINE", text)[0]
