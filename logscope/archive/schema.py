"""The tables of a store: one Arrow schema a dataset, and the number of the format.

A column is added at the end and never renamed or reused; a change of meaning raises FORMAT. Every dataset has `run`,
the key of `runs`, and lies in folders `date=2026-11-29` of the run's first dated line (`date=undated` without one).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from logscope.encoding import storable

FORMAT = 1
UNDATED = "undated"
SAMPLED = ("decode_batch", "prefill_batch")
WHOLE = ("retraction",)

_TEXT, _WHOLE, _REAL, _TIME = pa.string(), pa.int64(), pa.float64(), pa.timestamp("ms")
_TYPES = {"int": _WHOLE, "float": _REAL, "bool": pa.bool_(), "text": _TEXT}
_KEYS = [("run", _TEXT), ("path", _TEXT), ("launch", pa.int32())]

_VERDICT = [
    ("launches", _WHOLE),
    ("release_lo", _TEXT),
    ("release_hi", _TEXT),
    ("state", _TEXT),
    ("cause", _TEXT),
    ("confidence", _TEXT),
    ("sentence", _TEXT),
    ("fraction", _TEXT),
    ("healthy", pa.bool_()),
    ("fingerprint", _TEXT),
    ("signature", _TEXT),
    ("start", _TIME),
    ("end", _TIME),
    ("ready_s", _REAL),
    ("model", _TEXT),
]
"""What a run and an incident both tell of their launches and of the verdict."""
RUNS = pa.schema(
    [
        ("run", _TEXT),
        ("path", _TEXT),
        ("source", _TEXT),
        ("source_bytes", _WHOLE),
        ("source_mtime_ns", _WHOLE),
        ("analysis", _TEXT),
        ("logscope", _TEXT),
        ("sha256", _TEXT),
        ("same_content_as", _TEXT),
        ("lines", _WHOLE),
        ("recognised", _WHOLE),
        ("unread", _WHOLE),
        ("complete", pa.bool_()),
        *_VERDICT,
        ("host", _TEXT),
        ("errors", _WHOLE),
        ("warnings", _WHOLE),
        ("notes", _WHOLE),
        ("evidence_line", _WHOLE),
        ("evidence", _TEXT),
        ("error_kind", _TEXT),
        ("error", _TEXT),
        ("server_key", _TEXT),
        ("has_arguments", pa.bool_()),
        ("damage", _TEXT),
    ]
)
_TEXTS = pa.list_(_TEXT)
INCIDENTS = pa.schema(
    [
        ("incident", _TEXT),
        ("run", _TEXT),
        ("paths", _TEXTS),
        ("runs", _TEXTS),
        ("why", _TEXT),
        *_VERDICT,
        ("evidence_path", _TEXT),
        ("evidence_line", _WHOLE),
        ("evidence", _TEXT),
    ]
)
PASSED_OVER = pa.schema(
    [("run", _TEXT), ("source", _TEXT), ("source_bytes", _WHOLE), ("source_mtime_ns", _WHOLE), ("analysis", _TEXT)]
)
LAUNCHES = pa.schema(
    [
        *_KEYS,
        ("release_lo", _TEXT),
        ("release_hi", _TEXT),
        ("state", _TEXT),
        ("cause", _TEXT),
        ("sentence", _TEXT),
        ("start", _TIME),
        ("end", _TIME),
        ("ready_s", _REAL),
        ("end_s", _REAL),
        ("model", _TEXT),
        ("parallelism", _TEXT),
        ("hardware", _TEXT),
        ("ranks", _WHOLE),
        ("first_line", _WHOLE),
        ("last_line", _WHOLE),
        ("mem_fraction_static", _REAL),
        ("arguments", _TEXT),
    ]
)
FINDINGS = pa.schema(
    [
        *_KEYS,
        ("finding", _WHOLE),
        ("rule", _TEXT),
        ("kind", _TEXT),
        ("severity", _TEXT),
        ("role", _TEXT),
        ("rank", _TEXT),
        ("title", _TEXT),
        ("message", _TEXT),
        ("line", _WHOLE),
        ("text", _TEXT),
    ]
)
FACTS = pa.schema(
    [
        *_KEYS,
        ("rank", _TEXT),
        ("name", _TEXT),
        ("value", _REAL),
        ("lo", _REAL),
        ("hi", _REAL),
        ("unit", _TEXT),
        ("origin", _TEXT),
        ("line", _WHOLE),
    ]
)


def of_family(name: str) -> pa.Schema:
    """The dataset of one event family: the columns that it declares, and for how many printed lines a row stands."""
    from logscope.shapes import families

    own = [(column.name, _TYPES[column.type]) for column in families()[name].columns if not column.name.startswith("_")]
    return pa.schema([*_KEYS, ("line", _WHOLE), ("rank", _TEXT), ("time", _TIME), ("stands_for_lines", _WHOLE), *own])


def of(name: str) -> pa.Schema:
    """The columns of one dataset."""
    return _TOLD.get(name) or of_family(name)


def datasets() -> dict[str, pa.Schema]:
    """All datasets of a store by name; `runs` last, for it is what makes the others count."""
    return {name: of(name) for name in NAMES}


_TOLD = {
    "launches": LAUNCHES,
    "findings": FINDINGS,
    "facts": FACTS,
    "incidents": INCIDENTS,
    "passed_over": PASSED_OVER,
    "runs": RUNS,
}
NAMES = ("launches", "findings", "facts", "incidents", *SAMPLED, *WHOLE, "passed_over", "runs")


def table(rows: Iterable[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    """Rows as a table of this schema; a key that a row lacks is null, bytes that are no text are spelled out."""
    held = list(rows)
    return pa.table([pa.array(_column(held, f), f.type) for f in schema], schema=schema)


def _column(rows: Sequence[Mapping[str, Any]], field: pa.Field) -> list[Any]:
    values = [row.get(field.name) for row in rows]
    return [value and storable(value) for value in values] if field.type == _TEXT else values


def fitted(found: pa.Table, schema: pa.Schema) -> pa.Table:
    """A table with exactly the columns of the schema: what it lacks is null, what it has more is left out."""
    columns = [
        found.column(f.name).cast(f.type) if f.name in found.column_names else pa.nulls(found.num_rows, f.type)
        for f in schema
    ]
    return pa.table(columns, schema=schema)
