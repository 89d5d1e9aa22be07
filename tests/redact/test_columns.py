"""Text columns of Arrow tables, masked and redacted."""

from __future__ import annotations

import pyarrow as pa

from logscope.redact import Redactor
from logscope.redact.columns import masked_table, redacted_table

TABLE = pa.table(
    {
        "line": pa.array([1, 2, 3, 4], pa.int64()),
        "rank": pa.array(["TP0", "TP0", "main", None]).dictionary_encode(),
        "text": ["api_key='SECRET', tp_size=1", None, "plain 10.1.2.3", "obj=GenerateReqInput(text='SECRET')"],
        "rid": ["short-id", "short-id", "None", None],
    }
)


def test_secrets_and_prompts_go_and_everything_else_stays() -> None:
    shown = masked_table(TABLE)
    assert shown["text"].to_pylist() == [
        "api_key='<masked>', tp_size=1",
        None,
        "plain 10.1.2.3",
        "obj=GenerateReqInput(text='<prompt: 6 characters masked>')",
    ]
    assert shown.drop(["text"]) == TABLE.drop(["text"])
    assert shown.schema == TABLE.schema


def test_a_column_says_what_its_values_are() -> None:
    shown = redacted_table(TABLE, Redactor())
    assert shown["rid"].to_pylist() == ["rid-1", "rid-1", "None", None]
    assert shown["text"].to_pylist()[2] == "plain 198.18.0.1"
    assert shown.schema == TABLE.schema
