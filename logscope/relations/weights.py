"""The weights of a rank: what disappeared from its free memory while they were loaded.

W = T − A, all three rank-local readings of the same lines, and W is printed as `mem usage`; it holds whatever other
processes allocated in between. What sizes the pool are the least T and the least A of all ranks, A behind the draft's
weights where those are loaded first.

Releases: T and A from 0.1.20 on, `mem usage` from 0.4.4 on. No exemption: the identity is one of subtraction.
Source: `ModelRunner.load_model` (log lines `Load weight begin`, `Load weight end`), `get_available_gpu_memory`.
"""

from __future__ import annotations

from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import (
    AVAIL_AFTER_LOAD,
    AVAIL_AFTER_TARGET,
    AVAIL_BEFORE_LOAD,
    OWN_AVAIL_AFTER_LOAD,
    OWN_AVAIL_BEFORE_LOAD,
    WEIGHTS,
)

SOURCE = "ModelRunner.load_model"


def relations(setting: Setting) -> list[Relation]:
    """The balance of a rank, and that no rank has less than the least of all."""
    before = AVAIL_BEFORE_LOAD if setting.smallest_before else OWN_AVAIL_BEFORE_LOAD
    after = AVAIL_AFTER_LOAD if setting.smallest else OWN_AVAIL_AFTER_LOAD
    sensor, source = setting.sensor_gib, "get_available_gpu_memory"
    target = AVAIL_AFTER_TARGET if setting.draft_first else after
    found = [Relation("weights", WEIGHTS, before - target, strength="identity", source=SOURCE)]
    if not setting.smallest_before:
        found.append(Relation("least_before_load", AVAIL_BEFORE_LOAD, before, "≤", sensor=sensor, source=source))
    if not setting.smallest:
        found.append(Relation("least_after_load", AVAIL_AFTER_LOAD, after, "≤", sensor=sensor, source=source))
    return found
