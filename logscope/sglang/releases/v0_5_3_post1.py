"""SGLang 0.5.3.post1: sparse attention counts its indexer; its fraction is the usual one."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, sparse_attention_fraction=None, dsa_indexer=True)
