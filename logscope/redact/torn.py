"""The end of a request record whose beginning was cut away: a log may begin in the middle of one.

A rotated log, or one cut with `tail -c`, begins anywhere. Its first lines are a user's words where, before any line of
which the beginning is known, a line names fields that only request records have. Two of them are asked for, with plain
values: one may stand in the source line of a traceback, and a traceback without its head is evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from logscope.line import bare

_NAMES = (
    *("input_ids", "input_embeds", "image_data", "video_data", "audio_data", "sampling_params", "return_logprob"),
    *("logprob_start_len", "top_logprobs_num", "token_ids_logprob", "return_text_in_logprobs", "return_hidden_states"),
    *("session_params", "custom_logit_processor", "bootstrap_room", "conversation_id", "custom_labels", "extra_key"),
    *("output_ids", "meta_info", "finish_reason", "prompt_tokens", "completion_tokens", "frequency_penalty"),
    *("presence_penalty", "logit_bias", "top_logprobs", "max_completion_tokens", "response_format", "stream_options"),
)
_FIELD = re.compile(
    rf"[,{{] ?\\?['\"]?({'|'.join(_NAMES)})(?:=|\\?['\"]: ?)"
    r"(?=None\b|null\b|True\b|False\b|true\b|false\b|-?\d|[\[{'\"\\])"
)
_MASK = re.compile(r"<prompt: \d+ characters masked>")
_HEADS = ("Receive", "Finish", "in=", "server_args=", '{"timestamp"')


def torn_lines(lines: Iterable[str]) -> int:
    """How many lines at the beginning of a log are the end of a request record."""
    found = 0
    for number, line in enumerate(lines, 1):
        if ends_beginning(line):
            break
        if _MASK.fullmatch(line) or len({field[1] for field in _FIELD.finditer(line)}) > 1:
            found = number
    return found


def ends_beginning(line: str) -> bool:
    """Whether a line begins a record itself, so that no line behind it is the end of one that was cut."""
    return not bare(line) or line.startswith(_HEADS)
