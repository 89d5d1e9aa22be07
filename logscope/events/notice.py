r"""Messages of SGLang that have no table of their own, with their level and their values.

Sample
    #@ 0.3.6..0.5.23
    [2026-01-12 02:47:08] Launch DP0 starting at GPU #0.
    #@ 0.4.10..0.5.23
    [2026-01-12 02:47:08] Fail to set RLIMIT_NOFILE: current limit exceeds maximum limit
    #@ 0.5.6..0.5.23
    [2026-01-12 02:47:08] Endpoint '/get_server_info' is deprecated and will be removed in a future version. Please use '/server_info' instead.
    #@ 0.5.13..0.5.23
    [2026-11-29 12:14:40 TP0] Tree cache initialized: source=default impl=UnifiedRadixCache hybrid_swa=False hybrid_ssm=False hicache_attached=False
    #@ a wording that no release has
    [2026-01-12 02:47:08] Failed to load NCCL library because of the weather

Meaning
    `level` is that of the call: a warning or an error of the server, although its prefix does not say so. Values are
    numbered from left to right.

Source
    Every call of a logger in `sglang/` of the releases from 0.1.15 on, except `multimodal_gen`, in the newest release
    that has it (the column `source`).
"""

from __future__ import annotations

from logscope.events import _templates
from logscope.family import Family

FAMILY = Family(
    shapes=_templates.TextsAndBeginnings(apart_from="multimodal_gen/"),
    columns=_templates.COLUMNS,
    last=True,
)
