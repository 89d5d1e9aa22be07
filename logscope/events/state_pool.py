r"""State pools of hybrid models (mamba, linear attention): sizes in GiB.

Sample
    #@ 0.5.2..0.5.2
    [2025-09-20 11:04:15 TP0] Mamba Cache is allocated. conv_state size: 0.21GB, ssm_state size: 7.90GB␠
    #@ 0.5.3..0.5.3.post1
    [2025-10-20 11:04:15 TP0] Mamba Cache is allocated. conv_state size: 0.21GB, ssm_state size: 7.90GB intermediate_ssm_state_cache size: 1.20GB intermediate_conv_window_cache size: 0.02GB␠
    #@ 0.5.3.post2..0.5.23
    [2025-10-28 11:04:15 TP0] Mamba Cache is allocated. max_mamba_cache_size: 288, conv_state size: 0.21GB, ssm_state size: 7.90GB␠
    #@ 0.5.15..0.5.23
    [2026-07-28 11:04:15 TP0] GDN ReplaySSM ring buffers allocated (spec decode): d=0.210GB, k=0.120GB, g=0.001GB␠

Meaning
    One slot holds the whole state of one request, so slots limit the running requests. The intermediate caches belong
    to speculation.

Source
    `MambaPool.__init__` (`mem_cache/memory_pool.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_STATES = r"conv_state size: (?P<conv_state_gib>[\d.]+)GB, ssm_state size: (?P<ssm_state_gib>[\d.]+)GB"
_SPECULATION = (
    r"(?:,? intermediate_ssm_state_cache size: (?P<intermediate_ssm_state_gib>[\d.]+)GB)?"
    r"(?:,? intermediate_conv_window_cache size: (?P<intermediate_conv_window_gib>[\d.]+)GB)?"
)

FAMILY = Family(
    shapes=(
        Shape(
            rf"Mamba Cache is allocated\. {_STATES} *",
            ("Mamba Cache is allocated. conv",),
            since="0.5.2",
            until="0.5.3.post1",
        ),
        Shape(
            rf"Mamba Cache is allocated\. {_STATES}{_SPECULATION} *",
            ("Mamba Cache is allocated. conv",),
            since="0.5.3",
            until="0.5.3.post1",
        ),
        Shape(
            rf"Mamba Cache is allocated\. max_mamba_cache_size: (?P<max_mamba_cache_size>\d+), {_STATES}{_SPECULATION}"
            r"(?P<rest>.*)",
            ("Mamba Cache is allocated. max",),
            since="0.5.3.post2",
        ),
        Shape(
            r"GDN ReplaySSM ring buffers allocated \((?P<rest>.*)\): d=(?P<ring_d_gib>[\d.]+)GB,"
            r" k=(?P<ring_k_gib>[\d.]+)GB, g=(?P<ring_g_gib>[\d.]+)GB.*",
            ("GDN ReplaySSM ring buffers allocated",),
            since="0.5.15",
        ),
    ),
    columns=(
        Column("max_mamba_cache_size", "int", "State slots.", "slots", since="0.5.3.post2"),
        Column("conv_state_gib", "float", "Convolution states.", "GiB"),
        Column("ssm_state_gib", "float", "SSM states.", "GiB"),
        Column("intermediate_ssm_state_gib", "float", "Speculation: states of the draft steps.", "GiB", since="0.5.3"),
        Column(
            "intermediate_conv_window_gib", "float", "Speculation: windows of the draft steps.", "GiB", since="0.5.3"
        ),
        Column("ring_d_gib", "float", "Replay ring, part d.", "GiB", decimals=3, since="0.5.15"),
        Column("ring_k_gib", "float", "Replay ring, part k.", "GiB", decimals=3, since="0.5.15"),
        Column("ring_g_gib", "float", "Replay ring, part g.", "GiB", decimals=3, since="0.5.15"),
        Column("rest", "text", "What else the line says."),
    ),
    process="scheduler",
    informs=True,
)
