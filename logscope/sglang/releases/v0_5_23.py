"""SGLang 0.5.23: MLA models capture prefills up to 8192 tokens.

Every data-parallel rank runs at least one request.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(before, prefill_cap_mla_tokens=8192, prefill_cap_mla_by_chunk=True, running_least=1)
