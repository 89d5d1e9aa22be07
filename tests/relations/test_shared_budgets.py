"""A budget that several share: replicas, stages, drafts, states and window layers, printed as their releases print them.

Each start is computed by hand from the rule of its release; nothing of it is contradicted, and one of them predicts the
other with another fraction.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import logscope
from logscope import compare, whatif
from logscope.check import check
from logscope.finding import Finding
from logscope.sglang import arguments
from logscope.sglang.releases import order
from logscope.starts import Named, Start, start

GIB = 2**30
CONTEXT = 32768


@dataclass(frozen=True)
class Printed:
    """One rank: free memory before the weights and after them, its fraction, and what of it sizes the pool."""

    release: str = "0.5.9"
    before: float = 78.6
    after: float = 63.5
    fraction: float = 0.85
    cell: float = 131072.0
    page: int = 1
    running: int = 64
    draft: float = 0.0  # the draft's layers by the target's
    draft_weights: float = 0.9
    states: float = 0.0  # states by the pool
    window: float = 0.0  # tokens of the window layers by those of the full ones; half of the layers each
    extra: int = 0  # tokens that speculation adds
    stage: float = 1.0  # what the smallest stage has of this one's tokens
    architecture: str = "LlamaForCausalLM"

    @property
    def first(self) -> bool:
        return self.draft > 0 and order(self.release) >= order("0.5.14")

    @property
    def sized(self) -> float:
        """The free memory that sizes the pool."""
        return self.after - self.draft_weights if self.first else self.after

    @property
    def rest(self) -> float:
        return self.sized - (1 - self.fraction) * self.before

    @property
    def token(self) -> float:
        """What a token of the full layers takes in all pools of the target."""
        return self.cell / 2 * (1 + self.window) if self.window else self.cell

    @property
    def tokens(self) -> int:
        shared = self.token * (1 + self.states + (self.draft if self.first else 0.0))
        profiled = int(self.rest * GIB // shared * self.stage) + self.extra
        return profiled // self.page * self.page

    @property
    def pool(self) -> float:
        return (self.tokens + self.page) * self.token / GIB

    @property
    def end(self) -> float:
        table = (self.running + 1) * (CONTEXT + 4) * 4 / GIB
        return self.sized - self.pool * (1 + self.states) - table - 0.05

    def dump(self, **given: object) -> str:
        values = {
            "model_path": "my-model",
            "mem_fraction_static": self.fraction,
            "tp_size": 1,
            "device": "cuda",
            "chunked_prefill_size": 8192,
            "page_size": self.page,
            "max_running_requests": self.running,
            **({"speculative_algorithm": "EAGLE", "speculative_draft_model_path": "draft"} if self.draft else {}),
            **given,
        }
        fields = arguments.fields(self.release)
        all_values = {
            name: values.get(name, field.default if field.has_default else None) for name, field in fields.items()
        }
        if order(self.release) >= order("0.5.19"):
            return f"[2026-02-28 11:00:00] server_args={all_values!r}"
        return f"[2026-02-28 11:00:00] server_args=ServerArgs({', '.join(f'{k}={v!r}' for k, v in all_values.items())})"

    def _load(self, rank: str, before: float, after: float, architecture: str) -> list[str]:
        elapsed = "elapsed=4.20 s, " if order(self.release) >= order("0.5.9") else ""
        dtype = "" if order(self.release) >= order("0.5.10") else "dtype=torch.bfloat16, "
        return [
            f"[2026-02-28 11:00:09{rank}] Load weight begin. avail mem={before:.2f} GB",
            f"[2026-02-28 11:00:20{rank}] Load weight end. {elapsed}type={architecture}, {dtype}avail mem={after:.2f} GB, mem usage={before - after:.2f} GB.",
        ]

    def _kv(self, rank: str, tokens: int, gib: float) -> str:
        dtype = "dtype: torch.bfloat16, " if order(self.release) >= order("0.5.13") else ""
        return f"[2026-02-28 11:00:21{rank}] KV Cache is allocated. {dtype}#tokens: {tokens}, K size: {gib / 2:.2f} GB, V size: {gib / 2:.2f} GB"

    def _pools(self, rank: str) -> list[str]:
        if self.window:
            full = self.pool / (1 + self.window)
            inside = int(self.tokens * self.window)
            return [
                f"[2026-02-28 11:00:21{rank}] Use sliding window memory pool. full_layer_tokens={self.tokens}, swa_layer_tokens={inside}",
                self._kv(rank, inside, self.pool - full),
                self._kv(rank, self.tokens, full),
            ]
        states = self.pool * self.states
        state = f"[2026-02-28 11:00:21{rank}] Mamba Cache is allocated. max_mamba_cache_size: 288, conv_state size: {states * 0.03:.2f}GB, ssm_state size: {states * 0.97:.2f}GB "
        return [*([state] if states else []), self._kv(rank, self.tokens, self.pool)]

    def lines(self, rank: str = "") -> list[str]:
        draft, drafted = self._kv(rank, self.tokens, self.pool * self.draft), "LlamaForCausalLMEagle3"
        end = f"[2026-02-28 11:00:22{rank}] Memory pool end. avail mem={self.end:.2f} GB"
        last = self.end - self.pool * self.draft - (0.0 if self.first or not self.draft else self.draft_weights)
        behind = f"[2026-02-28 11:00:24{rank}] Memory pool end. avail mem={last:.2f} GB"
        capacity = f"[2026-02-28 11:00:30{rank}] max_total_num_tokens={self.tokens}, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests={self.running}, context_len={CONTEXT}, available_gpu_mem={last - 0.1:.2f} GB"
        weights = self._load(rank, self.before, self.after, self.architecture)
        if self.first:
            weights += self._load(rank, self.after, self.sized, drafted)
        found = [*weights, *self._pools(rank), end]
        if self.draft and not self.first:
            found += self._load(rank, self.end, self.end - self.draft_weights, drafted)
        return [*found, *([draft, behind] if self.draft else []), capacity]


SHARED = {
    "alone": Printed(),
    "pages": Printed(release="0.5.23", page=64),
    "draft behind the pool": Printed(draft=1 / 32),
    "draft in the budget": Printed(release="0.5.15", draft=1 / 32),
    "draft in the budget of the last release": Printed(release="0.5.23", draft=1 / 16),
    "tokens of speculation": Printed(release="0.5.6", draft=1 / 32, extra=3556),
    "states": Printed(release="0.5.9", states=0.9, cell=12288.0, architecture="Qwen3NextForCausalLM"),
    "window layers": Printed(release="0.5.11", window=0.8, architecture="GptOssForCausalLM"),
}


def written(folder: Path, lines: list[str]) -> Path:
    path = folder / "server.log"
    path.write_text("\n".join([*lines, "[2026-02-28 11:00:40] The server is fired up and ready to roll!"]) + "\n")
    return path


def accused(path: Path) -> list[Finding]:
    return [f for f in check(logscope.open_log(path).launches).findings if f.kind in ("impossible", "mismatch")]


def opened(path: Path) -> Start:
    return start(logscope.open_log(path), Named(str(path)))


MEMORY = st.tuples(st.floats(60, 180), st.floats(0.1, 0.5), st.integers(0, 90), st.integers(0, 90))


@settings(max_examples=4)
@pytest.mark.parametrize("name", SHARED)
@given(memory=MEMORY)
def test_a_budget_that_is_shared_contradicts_nothing_and_predicts_another_fraction(
    name: str, memory: tuple[float, float, int, int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    before, weights, one, other = memory
    least = weights + 0.1
    fractions = [round(least + (0.97 - least) * thousandths / 100, 3) for thousandths in (one, other)]
    printed = replace(SHARED[name], before=before, after=before * (1 - weights), fraction=fractions[0])
    path = written(tmp_path_factory.mktemp("log"), [printed.dump(), *printed.lines()])
    assert [f.message for f in accused(path)] == []
    found = opened(path)
    base = whatif.baseline(found.facts, found.setting)
    assert base.agrees
    pool = whatif.predicted(whatif.changed(base, {"mem_fraction_static": fractions[1]}))["max_total_num_tokens"]
    truth = replace(printed, fraction=fractions[1]).tokens
    assert truth in pool.interval
    assert pool.interval.width < 0.05 * truth


@pytest.mark.parametrize("name", [name for name in SHARED if name != "tokens of speculation"])
def test_a_pool_beyond_its_share_is_found(name: str, tmp_path: Path) -> None:
    printed = SHARED[name]
    lines = [printed.dump(mem_fraction_static=printed.fraction - 0.1), *printed.lines()]
    assert "MEM101" in {finding.rule for finding in accused(written(tmp_path, lines))}


def test_replicas_are_judged_each_by_its_own_memory(tmp_path: Path) -> None:
    one, other = Printed(), Printed(before=70.2, after=55.1)
    lines = [one.dump(dp_size=2), *one.lines(" DP0"), *other.lines(" DP1")]
    assert accused(written(tmp_path, lines)) == []
    assert "MEM101" in {
        f.rule
        for f in accused(
            written(
                tmp_path,
                [
                    one.dump(dp_size=2, enable_dp_attention=True, tp_size=2),
                    *one.lines(" DP0 TP0"),
                    *other.lines(" DP1 TP1"),
                ],
            )
        )
    }


def test_a_rank_with_more_memory_than_the_least_of_its_replica_is_accused_of_nothing(tmp_path: Path) -> None:
    one = Printed(before=60.3, after=52.6)
    wide = [
        line.replace("avail mem=60.30", "avail mem=61.00").replace("avail mem=52.60", "avail mem=53.30")
        for line in one.lines(" DP1 TP1")
    ]
    wide = [line.replace(f"avail mem={one.end:.2f}", f"avail mem={one.end + 0.7:.2f}") for line in wide]
    replica = Printed()
    lines = [
        one.dump(dp_size=2, tp_size=2),
        *replica.lines(" DP0 TP0"),
        *replica.lines(" DP0 TP1"),
        *one.lines(" DP1 TP0"),
        *wide,
    ]
    assert accused(written(tmp_path, lines)) == []


def test_a_smaller_stage_sizes_the_pool_of_all_and_is_no_contradiction(tmp_path: Path) -> None:
    stages = Printed(), Printed(stage=0.97)
    tokens = replace(stages[0], stage=0.97)
    lines = [stages[0].dump(pp_size=2), *tokens.lines(" PP0"), *stages[1].lines(" PP1")]
    path = written(tmp_path, lines)
    assert accused(path) == []
    found = opened(path)
    base = whatif.baseline(found.facts, found.setting)
    pool = whatif.predicted(whatif.changed(base, {"mem_fraction_static": 0.7}))["max_total_num_tokens"]
    assert pool.interval.mid == pytest.approx(replace(tokens, fraction=0.7).tokens, rel=0.002)


def test_the_change_of_a_shared_pool_is_attributed_whole(tmp_path: Path) -> None:
    sides = []
    for number, printed in enumerate(
        (SHARED["draft in the budget"], replace(SHARED["draft in the budget"], fraction=0.8))
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = opened(written(folder, [printed.dump(), *printed.lines()]))
        sides.append(compare.Side(found.name, found.facts, found.setting, found.arguments))
    shares, remainder = compare.attribution(*sides)
    assert shares[0].name == "mem_fraction_static"
    assert remainder["within_rounding"]


def test_what_the_draft_takes_behind_the_pool_lowers_the_headroom(tmp_path: Path) -> None:
    printed = SHARED["draft behind the pool"]
    capture = (
        "[2026-02-28 11:00:23] Capture cuda graph end. Time elapsed: 7.86 s. mem usage=0.81 GB. avail mem=9.00 GB."
    )
    found = opened(written(tmp_path, [printed.dump(), *printed.lines(), capture]))
    headroom = whatif.predicted(whatif.baseline(found.facts, found.setting))["headroom"]
    left = printed.end - 0.81 - printed.draft_weights - printed.pool * printed.draft
    assert headroom.interval.widened(0.02).lo <= left <= headroom.interval.widened(0.02).hi


def test_a_conflict_says_that_no_release_of_the_range_computes_it(tmp_path: Path) -> None:
    printed = Printed()
    lines = printed.lines()
    dump = "[2026-02-28 11:00:00] server_args=ServerArgs(model_path='m', mem_fraction_static=0.7, tp_size=1, device='cuda', page_size=1)"
    plain = [line.replace("elapsed=4.20 s, ", "") for line in lines]
    found = [finding for finding in accused(written(tmp_path, [dump, *plain])) if finding.rule == "MEM101"]
    assert "None of the" in found[0].message
