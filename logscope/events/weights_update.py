r"""Weights that are replaced while the server runs.

Sample
    #@ 0.4.1..0.5.23
    [2026-01-12 02:47:08] Start update_weights. Load format=auto
    #@ 0.2.14..0.3.6.post3
    [2024-11-12 02:47:08 TP0] Update weights begin. avail mem=12.31 GB
    #@ 0.4.0..0.5.23
    [2026-01-12 02:47:08 TP0] Update engine weights online from disk begin. avail mem=12.31 GB
    #@ 0.2.14..0.5.23
    [2026-01-12 02:47:08 TP0] Update weights end.
    #@ 0.5.4..0.5.23
    [2026-01-12 02:47:08] Starting IPC weight update
    [2026-01-12 02:47:08 TP0] IPC weight update failed: no such handle
    #@ 0.4.0..0.5.23
    [2026-01-12 02:47:08 TP0] Failed to update parameter online: shape mismatch. The full weights of the ModelRunner are partially updated. Please discard the whole weights.

Meaning
    What reinforcement learning does between rollouts. Old and new weights exist side by side for a moment.

Source
    `ModelRunner.update_weights_from_disk`, `weight_updater.py`, `TokenizerManager.update_weights_from_disk`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Start update_weights\. Load format=(?P<load_format>.*)",
            ("Start update_weights.",),
            since="0.4.1",
            sets={"kind": "request"},
        ),
        Shape(
            r"Update weights begin\. (?P<fields>avail mem=.*)",
            ("Update weights begin.",),
            since="0.2.14",
            until="0.3.6.post3",
            separator="=",
            sets={"kind": "begin"},
        ),
        Shape(
            r"Update engine weights online from disk begin\. (?P<fields>avail mem=.*)",
            ("Update engine weights online from disk begin.",),
            since="0.4.0",
            separator="=",
            sets={"kind": "begin"},
        ),
        Shape(r"Update weights end\. *", ("Update weights end.",), since="0.2.14", sets={"kind": "end"}),
        Shape(r"Starting IPC weight update *", ("Starting IPC weight update",), since="0.5.4", sets={"kind": "begin"}),
        Shape(
            r"IPC weight update failed: (?P<text>.*)",
            ("IPC weight update failed:",),
            since="0.5.4",
            sets={"kind": "failed"},
        ),
        Shape(
            r"Failed to update parameter online: (?P<text>.*)",
            ("Failed to update parameter online:",),
            since="0.4.0",
            sets={"kind": "failed"},
        ),
    ),
    columns=(
        Column("kind", "text", "request, begin, end, failed."),
        Column("load_format", "text", "Format asked for."),
        Column("avail_mem_gib", "float", "Free memory at this line.", "GiB", ("avail mem",)),
        Column("text", "text", "The error."),
    ),
    open_keys=True,
)
