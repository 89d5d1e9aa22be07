r"""How evenly tokens spread over the experts (opt-in), and what rebalancing did.

Sample
    #@ 0.4.6.post5..0.5.23
    [2026-01-12 02:47:08 TP0] [Expert Balancedness] forward_pass_id=120 current_pass_balancedness=0.812 gpu_physical_count_sum=65536
    [2026-01-12 02:47:08 TP0] [EPLBManager] rebalance start
    [2026-01-12 02:47:08 TP0] [EPLBManager] rebalance end time=1.204s
    #@ 0.4.4..0.4.6.post5
    [2025-04-12 02:47:08 TP0] init_expert_location from trivial

Meaning
    1.0 is even; 1/ranks means that one rank does all the work. The slowest rank sets the pace of all.

Source
    `eplb/expert_distribution.py`, `eplb/eplb_manager.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"\[Expert Balancedness\] forward_pass_id=(?P<forward_pass>\d+) current_pass_balancedness=(?P<balance_share>[\d.]+)"
            r"(?P<text>.*)",
            ("[Expert Balancedness]",),
            since="0.4.6.post5",
            sets={"kind": "balance"},
        ),
        Shape(
            r"\[EPLBManager\] rebalance (?P<kind>start|end)(?: time=(?P<elapsed_s>[\d.]+)s)?(?P<text>.*)",
            ("[EPLBManager] rebalance",),
        ),
        Shape(r"init_expert_location from (?P<text>.*)", ("init_expert_location from",), sets={"kind": "placement"}),
    ),
    columns=(
        Column("kind", "text", "balance, start, end, placement."),
        Column("forward_pass", "int", "Number of the forward."),
        Column("balance_share", "float", "Mean load ÷ largest load.", "share", decimals=3),
        Column("elapsed_s", "float", "Time the rebalancing took.", "s", decimals=3),
        Column("text", "text", "What else the line says."),
    ),
    process="scheduler",
    multiline=True,
)
