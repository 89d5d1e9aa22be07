"""One file to attach: the page, the comment, the report and every table, in a zip that depends on the log only."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logscope.errors import OutputError

if TYPE_CHECKING:
    import pyarrow as pa

    from logscope import Log
    from logscope.redact import Redactor

FORMATS = ("html", "md", "json")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first day that a zip can name


def learned(log: Log, *, model_paths: bool) -> Redactor:
    """A redactor that has seen every line of the log, so that a name is known wherever it stands in the report."""
    from logscope.redact import DEFAULT_KINDS, KINDS, Redactor

    redactor = Redactor(KINDS if model_paths else DEFAULT_KINDS)
    for one in log.inputs:
        for block in one.source.blocks():
            redactor.learn(block.data.decode("utf-8", "surrogateescape"))
    return redactor


def write_bundle(path: Path, report: Mapping[str, Any], log: Log | None, *, redactor: Redactor | None = None) -> None:
    """Write report.html, report.md, report.json and tables/*.parquet; raises OutputError when it cannot."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as bundle:
            for name, data in _members(report, log, redactor):
                entry = zipfile.ZipInfo(name, _EPOCH)
                entry.compress_type = zipfile.ZIP_STORED if name.endswith(".parquet") else zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                bundle.writestr(entry, data)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OutputError(f"{path} cannot be written: {error.strerror}") from error


def _members(report: Mapping[str, Any], log: Log | None, redactor: Redactor | None) -> Iterator[tuple[str, bytes]]:
    from logscope.redact.columns import redacted_table
    from logscope.render import render, suffix

    for form in FORMATS:
        made = render(report, form)
        yield f"report{suffix(form)}", made if isinstance(made, bytes) else made.encode("utf-8", "backslashreplace")
    for name, table in sorted(log.tables.items()) if log is not None else ():
        if table.num_rows:
            yield f"tables/{name}.parquet", _parquet(redacted_table(table, redactor) if redactor else table)


def _parquet(table: pa.Table) -> bytes:
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(table, out, compression="zstd")
    return out.getvalue()
