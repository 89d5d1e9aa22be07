"""SGLang 0.2.10: --enable-mla stores the latent of MLA models."""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, mla="asked")
