"""SGLang 0.3.1.post2: MLA models store the latent unless --disable-mla.

The request table has one more row and four more columns.
"""

from __future__ import annotations

from dataclasses import replace

from logscope.sglang.sizing import Sizing


def changed(before: Sizing) -> Sizing:
    return replace(
        before,
        mla="unless disabled",
        request_extra_rows=1,
        running_margin=1,
        request_extra_columns=4,
    )
