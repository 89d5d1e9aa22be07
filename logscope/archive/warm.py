"""Everything that a worker needs, imported once: processes are forked from one that has imported this."""

from __future__ import annotations

from logscope.without_pandas import keep_out_pandas

keep_out_pandas()

from logscope.archive import outcome, schema  # noqa: E402  pandas must be out before Arrow asks for it
from logscope.discover import units  # noqa: E402

for _package in ("rules", "causes", "relations", "facts", "wrappers"):
    units(f"logscope.{_package}")
schema.datasets()

__all__ = ["outcome", "schema"]
