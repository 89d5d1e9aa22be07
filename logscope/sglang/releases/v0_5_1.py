"""SGLang 0.5.1: the rows of the request table hold the draft tokens."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, request_draft_columns=True)
