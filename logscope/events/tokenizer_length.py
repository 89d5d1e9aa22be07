r"""A prompt is longer than the tokenizer's model allows: one row a warning.

Sample
    #@ 0.1.15..0.5.23
    Token indices sequence length is longer than the specified maximum sequence length for this model (2350 > 2048). Running this sequence through the model will result in indexing errors
    [transformers] Token indices sequence length is longer than the specified maximum sequence length for this model (40961 > 40960). Running this sequence through the model will result in indexing errors

Meaning
    Printed once a process, for the first such prompt, before the server refuses or cuts it. The limit is the
    tokenizer's, which need not be the server's context length.

Source
    transformers `tokenization_utils_base.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?:\[transformers\] )?Token indices sequence length is longer than the specified maximum sequence length for this model"
            r" \((?P<prompt_tokens>\d+) > (?P<limit_tokens>\d+)\)\..*",
            ("Token indices sequence", "[transformers] Token"),
        ),
    ),
    columns=(
        Column("prompt_tokens", "int", "Length of the prompt.", "tokens"),
        Column("limit_tokens", "int", "What the tokenizer's configuration allows.", "tokens"),
    ),
    process="main",
    shared=True,
)
