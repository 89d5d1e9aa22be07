"""What SGLang computes from what: one group of equations a file, each for the launches that it holds for.

A file gives `relations(setting)`, which returns the relations of that launch or raises NotApplicable with the reason.
Relations name quantities only; where their values come from is not their business.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from logscope.discover import units
from logscope.errors import NotApplicable, ReleaseDiffers, UsageError
from logscope.relation import Relation
from logscope.sglang.releases import ReleaseRange, exactly

DEVICES = ("cuda", "rocm", "musa", "hpu", "npu", "xpu", "cpu", "mps")
SIZING = (
    "static_budget",
    "pool_tokens",
    "weights",
    "pool_end",
    "request_table",
    "graph_memory",
    "mlx_budget",
    "host_pool",
    "post_capture",
)
"""The groups about one start: every quantity has one value in it."""
SENSOR_GIB = 0.05
"""How far a printed free-memory reading of a discrete device lies from the one that sized the pool."""
SHARED_SENSOR_GIB = 0.3
"""The same where the device shares the host's memory (CPU, unified memory): it drifts within seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What of a launch decides which formulas hold.

    `smallest` says that this rank has the least free memory after the weights of all ranks, `smallest_before` the least
    before them (a single rank always has): those two size the pool.
    `single_pool` says that one buffer holds the printed tokens, so that its size is all of the budget; `pipeline` that
    the layers are divided among stages.
    `pools` names the pools besides the main one: `state` (mamba, linear attention), `swa`, `draft`.
    """

    release: ReleaseRange = field(default_factory=ReleaseRange)
    device: str = "cuda"
    mlx: bool = False
    unified: bool = False
    smallest: bool = True
    smallest_before: bool = True
    capped: bool = False
    automatic: bool = False  # the release chose the fraction
    speculative: bool = False
    speculative_room: int = 0  # the most tokens that speculation can add to a pool; 0 is not known
    multimodal: bool = False
    post_capture: bool = False
    virtual: bool = False
    pipeline: bool = False
    single_pool: bool = True
    attention_groups: int = 1  # the groups of ranks of data-parallel attention; 1 without it
    pools: frozenset[str] = frozenset()
    draft_first: bool = False  # the draft's weights were loaded before the pools were sized
    state_given: bool = False  # the size of the state pool was given
    attention: str = ""  # "mha", "mla", "dsa"; "" is not known
    kv_bytes: int = 0  # bytes of one element of the KV cache; 0 is not known
    layers: int = 0  # 0 is not known
    page_gib: float = 0.0  # the bytes of one page: what rounding leaves of the budget; 0 where it is not known

    def __post_init__(self) -> None:
        if self.device not in DEVICES:
            raise UsageError(f"{self.device!r} is not a device that SGLang runs on; one of {', '.join(DEVICES)}")

    @property
    def state_fixed(self) -> bool:
        """Whether the states are no share of the budget: their size was given, which the first releases asked for."""
        return self.state_given or self.release.until("0.5.3.post3")

    def of(self, release: str) -> Setting:
        """The same launch, were it of this release."""
        return replace(self, release=exactly(release, self.release.how))

    @property
    def sensor_gib(self) -> float:
        return SHARED_SENSOR_GIB if self.unified or self.device in ("cpu", "mps") else SENSOR_GIB


@dataclass(frozen=True, slots=True)
class Applied:
    """The relations that hold for a launch, and for every other group why it does not.

    `turns` are the releases of the range at which a group changes: between two of them the answer is one.
    """

    relations: tuple[Relation, ...]
    without: Mapping[str, str]
    turns: frozenset[str] = frozenset()


def relations_of(setting: Setting, groups: Iterable[str] = ()) -> Applied:
    """The relations of all groups (or of the named ones) that hold for a launch, in a fixed order of the groups."""
    return _applied(setting, tuple(groups))


@functools.lru_cache(maxsize=256)
def _applied(setting: Setting, groups: tuple[str, ...]) -> Applied:
    """The ranks of a launch share their relations: each is compiled once."""
    found: list[Relation] = []
    without: dict[str, str] = {}
    turns: set[str] = set()
    known = units("logscope.relations")
    for name in groups or known:
        try:
            found.extend(known[name].relations(setting))
        except NotApplicable as reason:
            without[name] = str(reason)
            turns.update(reason.turns if isinstance(reason, ReleaseDiffers) else ())
    return Applied(tuple(found), without, frozenset(turns))
