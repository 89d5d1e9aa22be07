r"""Garbage collection of the Python processes (opt-in), and pauses that were too long.

Sample
    #@ 0.4.8..0.5.23
    [2026-01-12 02:47:08 TP0] GC start: Time 1768186028.1 | Generation 2
    [2026-01-12 02:47:08 TP0] GC end: Time 1768186028.9 | Generation 2 | Duration: 0.8000s | Collected: 1032 | Uncollectable: 0␠
    #@ 0.5.1..0.5.23
    [2026-01-12 02:47:08] LONG GARBAGE COLLECTION DETECTED | Generation 2 | Duration: 1.8021s | # Objects: gen0=12, gen1=3, gen2=1 | Install py-spy to see what it was doing

Meaning
    A pause of the whole process: no request moves meanwhile.

Source
    `configure_gc_logger`, `configure_gc_warning` (`utils/common.py`, `utils/gc_utils.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"GC start: Time (?P<clock_s>[\d.]+) \| Generation (?P<generation>\d+) *",
            ("GC start:",),
            since="0.4.8",
            sets={"kind": "begin"},
        ),
        Shape(
            r"GC end: Time (?P<clock_s>[\d.]+) \| Generation (?P<generation>\d+) \| Duration: (?P<elapsed_s>[\d.]+)s"
            r"(?: \| Collected: (?P<collected>\d+))?(?: \| Uncollectable: (?P<uncollectable>\d+))?.*",
            ("GC end:",),
            since="0.4.8",
            sets={"kind": "end"},
        ),
        Shape(
            r"LONG GARBAGE COLLECTION DETECTED \| Generation (?P<generation>\d+) \| Duration: (?P<elapsed_s>[\d.]+)s.*",
            ("LONG GARBAGE COLLECTION",),
            since="0.5.1",
            sets={"kind": "long"},
        ),
    ),
    columns=(
        Column("kind", "text", "begin, end, long."),
        Column("generation", "int", "Generation that was collected."),
        Column("elapsed_s", "float", "Length of the pause.", "s", decimals=4),
        Column("clock_s", "float", "Clock of the process.", "s"),
        Column("collected", "int", "Objects collected."),
        Column("uncollectable", "int", "Objects that could not be."),
    ),
    shared=True,
)
