r"""Requests that the server refused or cut: too long, malformed, not possible.

Sample
    #@ 0.1.24..0.2.5
    [gpu=0] Request longer than memory pool size, truncated!!!
    #@ 0.2.6..0.4.1.post6
    [2024-12-12 02:47:08 TP0] Request length is longer than the KV cache pool size or the max context length. Truncated!!!
    #@ 0.4.1.post7..0.5.23
    [2026-01-12 02:47:08 TP0] Request length is longer than the KV cache pool size or the max context length. Truncated. len(req.origin_input_ids)=4169, max_req_input_len=2042.
    #@ 0.4.1.post7..0.4.6.post5
    [2025-04-12 02:47:08 TP0] Input length (831 tokens) exceeds the maximum allowed length (594 tokens). Use a shorter input or enable --allow-auto-truncate.
    #@ 0.4.7..0.5.23
    [2026-01-12 02:47:08 TP0] Input length (831 tokens) exceeds the maximum allowed length (594 tokens). Use a shorter input or enable --allow-auto-truncate., self.rid='524cfa8f2fa34f34a6966860fab6df83'
    [2026-01-12 02:47:08 TP0] Grammar preprocessing timed out for req.grammar_key=('json', '{}'), self.rid='524cfa8f2fa34f34a6966860fab6df83'
    [2026-01-12 02:47:08] [http_server] Error: The input (2144 tokens) is longer than the model's context length (2048 tokens).
    [2026-01-12 02:47:08] [http_server] Error: Requested token count exceeds the model's maximum context length of 1024 tokens. You requested a total of 2082 tokens: 82 tokens from the input messages and 2000 tokens for the completion.
    [2026-01-12 02:47:08] [http_server] Error: temperature must be non-negative, got -1.
    #@ 0.5.1..0.5.23
    [2026-01-12 02:47:08] The input (2144 tokens) is longer than the model's context length (2048 tokens). Truncating the input.
    #@ 0.4.7.post1..0.5.23
    [2026-01-12 02:47:08 TP0] Request 3f2c9d exceeds the maximum number of tokens: 4169 > 2042
    #@ 0.5.3..0.5.23
    [2026-01-12 02:47:08] The request queue is full.
    #@ 0.4.1..0.5.23
    [2026-01-12 02:47:08] Error: unexpected end of data

Meaning
    The client's error, answered with 400 (a stream that has begun: 200, then an error event). `limit_tokens` is the
    pool or the context, whichever is smaller: a small pool makes prompts "too long" that the model could take.

Source
    `validate_input_length`, `Req.set_finish_with_abort` (`managers/schedule_batch.py`), `TokenizerManager`,
    `entrypoints/http_server.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_LENGTH = r"Input length \((?P<input_tokens>\d+) tokens\) exceeds the maximum allowed length \((?P<limit_tokens>\d+) tokens\)\."
_CONTEXT = r"The input \((?P<input_tokens>\d+) tokens\) is longer than the model's context length \((?P<limit_tokens>\d+) tokens\)\."
_HTTP = r"(?:\[http_server\] )?(?:Error(?: in request)?|ValueError): "


def _heads(text: str) -> tuple[str, ...]:
    """How a line begins that hands `text` to a client."""
    return tuple(f"{head}: {text}" for head in ("[http_server] Error", "Error", "Error in request", "ValueError"))


FAMILY = Family(
    shapes=(
        Shape(
            r"Request longer than memory pool size, truncated!!! *",
            ("Request longer than memory pool size",),
            since="0.1.22",
            until="0.2.5",
            sets={"kind": "truncated"},
        ),
        Shape(
            r"Request length is longer than the KV cache pool size or the max context length\. Truncated!!! *",
            ("Request length is longer",),
            since="0.2.6",
            until="0.4.1.post6",
            sets={"kind": "truncated"},
        ),
        Shape(
            r"Request length is longer than the KV cache pool size or the max context length\. Truncated\."
            r" len\(req\.origin_input_ids\)=(?P<input_tokens>\d+), max_req_input_len=(?P<limit_tokens>\d+)\. *",
            ("Request length is longer",),
            since="0.4.1.post7",
            sets={"kind": "truncated"},
        ),
        Shape(
            rf"(?P<text>{_LENGTH}[^']*), self\.rid='(?P<rid>[^']*)' *",
            ("Input length (",),
            since="0.4.7",
            sets={"kind": "too_long"},
        ),
        Shape(
            rf"(?P<text>{_LENGTH}.*)",
            ("Input length (",),
            since="0.4.1.post7",
            sets={"kind": "too_long"},
        ),
        Shape(rf"{_HTTP}(?P<text>{_LENGTH}.*)", _heads("Input length ("), sets={"kind": "too_long"}),
        Shape(rf"{_HTTP}(?P<text>{_CONTEXT}.*)", _heads("The input ("), sets={"kind": "too_long"}),
        Shape(
            rf"{_HTTP}(?P<text>Requested token count exceeds the model's maximum context length of (?P<limit_tokens>\d+) tokens\."
            r" You requested a total of (?P<input_tokens>\d+) tokens.*)",
            _heads("Requested token count exceeds"),
            sets={"kind": "too_long"},
        ),
        Shape(
            r"(?P<text>Requested token count exceeds the model's maximum context length of (?P<limit_tokens>\d+) tokens\..*)",
            ("Requested token count exceeds",),
            sets={"kind": "too_long"},
        ),
        Shape(
            rf"{_CONTEXT} Truncating the input\. *",
            ("The input (",),
            since="0.5.1",
            sets={"kind": "truncated"},
        ),
        Shape(
            r"Request (?P<rid>\S+) exceeds the maximum number of tokens: (?P<input_tokens>\d+) > (?P<limit_tokens>\d+) *",
            ("Request ",),
            contains=" exceeds the maximum number of tokens:",
            since="0.4.7.post1",
            sets={"kind": "too_long"},
        ),
        Shape(
            r"(?P<text>(?:Grammar preprocessing timed out|Invalid grammar request|Multimodal prompt is too long)(?:(?!, self\.rid=').)*+)"
            r"(?:, self\.rid='(?P<rid>[^']*)')? *",
            ("Grammar preprocessing timed out", "Invalid grammar request", "Multimodal prompt is too long"),
            sets={"kind": "invalid"},
        ),
        Shape(r"(?P<text>.*), self\.rid='(?P<rid>[^']*)' *", contains=", self.rid='", sets={"kind": "invalid"}),
        Shape(r"(?P<text>The request queue is full\.?.*)", ("The request queue is full",), sets={"kind": "queue_full"}),
        Shape(
            r"\[http_server\] Error: (?!Request is disconnected)(?P<text>.*)",
            ("[http_server] Error: ",),
            since="0.4.7",
            sets={"kind": "error"},
        ),
        Shape(
            r"Error: (?!Request is disconnected)(?P<text>.*)",
            ("Error: ",),
            bare=False,
            sets={"kind": "error"},
        ),
    ),
    columns=(
        Column("kind", "text", "too_long, truncated, invalid, queue_full, error."),
        Column(
            "input_tokens",
            "int",
            "Tokens of the request (with what it may generate, where the text says total).",
            "tokens",
        ),
        Column("limit_tokens", "int", "Most tokens allowed.", "tokens"),
        Column("rid", "text", "Id of the request."),
        Column("text", "text", "The reason as printed."),
    ),
)
