"""The columns of the families beside those that every table has."""

from __future__ import annotations

import pytest

from logscope.discover import units

EVERY_TABLE = {"path", "line", "launch", "rank", "time"}


@pytest.mark.parametrize("name", units("logscope.events"))
def test_no_column_of_a_family_hides_one_that_every_table_has(name: str) -> None:
    columns = [column.name for column in units("logscope.events")[name].FAMILY.columns]
    assert not EVERY_TABLE & set(columns)
    assert len(set(columns)) == len(columns)
