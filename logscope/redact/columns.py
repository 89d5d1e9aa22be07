"""The text columns of a table without prompts, secrets and, on request, names; each distinct text is looked at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from logscope.redact.mask import mask_line

if TYPE_CHECKING:
    import pyarrow as pa

    from logscope.redact.pseudonym import Redactor

# A text without any of these holds nothing that is masked: most columns are passed over at the speed of Arrow.
_NEEDLES = (
    r"(?i)key|pass|secret|credential|authorization|cookie|token|bearer|basic|://|obj=|reqinput|req\(rid|prompt|_ids|_text"
    r"|messages|content|_template|text['\"=]|arguments|input_value=|tool|function|\?|out=|sk-|hf_|gh[pousr]_|glpat-|xox|akia|eyj|request\."
)


def masked_table(table: pa.Table) -> pa.Table:
    """The table with every text masked as a line of a log is."""
    return _mapped(table, lambda _, text: mask_line(text)[0], holding=_NEEDLES)


def redacted_table(table: pa.Table, redactor: Redactor) -> pa.Table:
    """The table with pseudonyms in its texts."""
    return _mapped(table, redactor.named, holding="")


def _mapped(table: pa.Table, change: Callable[[str, str], str], *, holding: str) -> pa.Table:
    import pyarrow as pa
    import pyarrow.compute as pc

    for place, field in enumerate(table.schema):
        is_coded = pa.types.is_dictionary(field.type)
        if not pa.types.is_string(field.type.value_type if is_coded else field.type):
            continue
        column = table.column(place).cast(pa.string())
        before = pc.unique(column).drop_null()
        if holding:
            before = before.filter(pc.match_substring_regex(before, holding))
        after = [change(field.name, text) for text in before.to_pylist()]
        if after == before.to_pylist():
            continue
        new = pc.take(pa.array(after, pa.string()), pc.index_in(column, before))
        column = pc.coalesce(new, column)
        table = table.set_column(place, field.name, column.dictionary_encode() if is_coded else column)
    return table
