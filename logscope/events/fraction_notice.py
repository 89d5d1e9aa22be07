r"""Notes on `--mem-fraction-static` and what is taken from it.

Sample
    #@ 0.2.15..0.4.0
    [2024-11-07 23:50:27 TP0] Automatically turn off --chunked-prefill-size and adjust --mem-fraction-static for multimodal models.
    #@ 0.4.0.post1..0.4.0.post1
    [2024-12-07 23:50:27 TP0] Automatically reduce --mem-fraction-static to 0.76 and turn off chunked prefill because this is a multimodal model.
    #@ 0.4.1.post5..0.4.8.post1
    [2025-03-07 23:50:27 TP0] Automatically reduce --mem-fraction-static to 0.760 because this is a multimodal model.
    #@ 0.4.9.post3..0.4.10.post2
    [2025-07-27 23:50:27 TP0] Multimodal model: Dynamically adjusted --mem-fraction-static from: 0.880 to: 0.760.
    #@ 0.5.3..0.5.3
    [2025-10-07 23:50:27] Setting mem fraction static to 0.8 for DeepSeek NSA.
    #@ 0.5.17..0.5.23
    [2026-09-07 23:50:27] attention_backend=aiter with context_len=131072 (>8192) normally scales mem_fraction_static by 0.85 to reserve non-static workspace, but SGLANG_AITER_HONOR_EXPLICIT_MEM_FRACTION is set, so mem_fraction_static=0.9 is used as-is.
    [2026-09-07 23:50:27 TP0] int8 mamba checkpoint pool (1.20GB) is allocated from --mem-fraction-static headroom and is not reflected in max_total_num_tokens; ensure headroom covers it.

Meaning
    Most automatic choices of the fraction are not printed at all: the value in force stands in the arguments.

Source
    `ModelRunner.__init__`, `ServerArgs.__post_init__`, `arg_groups/attention_hook.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Automatically turn off --chunked-prefill-size and adjust --mem-fraction-static for multimodal models\. *",
            ("Automatically turn off --chunked-prefill-size",),
            since="0.2.14.post2",
            until="0.4.0",
        ),
        Shape(
            r"Automatically reduce --mem-fraction-static to (?P<fraction>[\d.]*\d) (?:.*)and turn off chunked prefill.*",
            ("Automatically reduce --mem-fraction-static",),
            since="0.4.0.post1",
            until="0.4.0.post1",
        ),
        Shape(
            r"Automatically reduce --mem-fraction-static to (?P<fraction>[\d.]*\d) because this is a multimodal model\. *",
            ("Automatically reduce --mem-fraction-static",),
            since="0.4.1.post5",
            until="0.4.8.post1",
        ),
        Shape(
            r"Multimodal model: Dynamically adjusted --mem-fraction-static from: (?P<fraction_before>[\d.]*\d)"
            r" to: (?P<fraction>[\d.]*\d)\. *",
            ("Multimodal model: Dynamically adjusted",),
            since="0.4.9.post3",
            until="0.4.10.post2",
        ),
        Shape(
            r"Setting mem fraction static to (?P<fraction>[\d.]*\d) for .*",
            ("Setting mem fraction static",),
            since="0.5.3",
            until="0.5.3",
        ),
        Shape(
            r"attention_backend=aiter with context_len=(?P<context_len>\d+) \(>8192\) (?P<text>.*?mem_fraction_static"
            r"(?:=(?P<fraction>[\d.]*\d))?.*)",
            ("attention_backend=aiter with",),
        ),
        Shape(
            r"int8 mamba checkpoint pool \((?P<reserved_gib>[\d.]+)GB\) (?P<text>is allocated from --mem-fraction-static.*)",
            ("int8 mamba checkpoint pool",),
        ),
    ),
    columns=(
        Column("fraction", "float", "The value that is used.", "share", decimals=3),
        Column("fraction_before", "float", "The value before.", "share", decimals=3),
        Column("context_len", "int", "Longest sequence.", "tokens"),
        Column("reserved_gib", "float", "Memory that the fraction does not count.", "GiB"),
        Column("text", "text", "What else the line says."),
    ),
)
