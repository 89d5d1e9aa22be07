"""Compare logscope's pool sizes with each release's own code, and write the second page of the documentation.

    python -m tools.conformance.pool [--short | --releases 0.5.9,0.5.23] [--count 200] [--write]

Models × ranks × dtypes × memory × caps × speculation; exit 1 when anything differs.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from logscope.errors import NotApplicable
from logscope.sglang import cells, models, pool, requests, state
from logscope.sglang.releases import order
from logscope.sglang.sizing import sizing
from tools.conformance.options import ROOT, asked

PAGE = ROOT / "docs" / "conformance-pool.md"
MODELS = (
    *("Qwen3-0.6B", "Llama-3.1-8B", "Llama-3.1-70B", "Qwen3-235B-A22B"),
    *("DeepSeek-V3", "DeepSeek-V3.2", "gpt-oss-120b"),
)
HYBRID = "Qwen3-Next-80B-A3B"
Config = dict[str, Any]


@dataclass(slots=True)
class Comparison:
    """How the sample of one release fared."""

    release: str
    same: int = 0
    refused: int = 0
    differences: list[str] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)


def sample(release: str, count: int) -> list[Config]:
    """So many configurations that the release knows; the same ones at each call."""
    draw = random.Random(f"pool {release}")
    return [_configuration(release, draw) for _ in range(count)]


def _model(release: str, draw: random.Random) -> str:
    rules = sizing(release)
    names = [name for name in MODELS if not (models.named(name).mla and rules.mla == "never")]
    names = [name for name in names if not models.named(name).index_head_dim or rules.dsa_indexer]
    # Before 0.5.8 the layers are read off the loaded model, and the lists of 0.5.7 hold two architectures only.
    windows = order(release) >= order("0.5.8")
    names = [name for name in names if not models.named(name).window_layers or windows]
    return draw.choice([*names, HYBRID, HYBRID] if rules.mamba not in ("none", "slots") else names)


def _configuration(release: str, draw: random.Random) -> Config:
    rules = sizing(release)
    shape = models.named(_model(release, draw))
    dtypes = ["bfloat16"] * 3 + (["fp8_e5m2"] if rules.element == "cache" else [])
    dtypes += ["fp8_e4m3"] * 2 if order(release) >= order("0.4.8.post1") else []
    hybrid = shape.state_layers > 0
    eagle = (rules.speculation_room == "pool" or hybrid) and draw.random() < 0.3 and not shape.window_layers
    before = draw.uniform(15, 180)
    ranks = draw.choice([n for n in (1, 1, 2, 4, 8) if n <= shape.kv_heads or rules.element != "2 bytes"])
    running = draw.choice((None, None, 2, 8, 48, 5000)) if order(release) >= order("0.2.6") else None
    return {
        "model": shape.name,
        "shape": asdict(shape),
        "attention_tp": ranks,
        "dp_size": draw.choice((1, 1, 4)) if rules.attention_tp else 1,
        "dtype": draw.choice(dtypes),
        "before": before,
        "after": before * draw.uniform(0.02, 0.95),
        "fraction": draw.choice((0.5, 0.7, 0.88, 0.9, 0.839)),
        "max_total_tokens": draw.choice((None, None, 20_000, 777)) if rules.token_cap else None,
        "max_running_requests": (running or 48) if eagle else running,
        "page_size": draw.choice((1, 1, 16, 64)) if rules.pages else 1,
        "context_tokens": draw.choice((4096, 131_072)),
        "state_slots": draw.choice((None, None, 60)) if hybrid else None,
        "radix_cache": not hybrid or draw.random() < 0.7,
        "algorithm": "EAGLE" if eagle else None,
        "steps": 3 if eagle else None,
        "top_k": 4 if eagle else None,
        "draft_tokens": 16 if eagle else None,
    }


def computed(release: str, config: Config) -> Config:
    """Tokens, slots and columns by logscope, or the beginning of the refusal."""
    rules = sizing(release)
    shape = models.named(config["model"])
    cache = cells.Cache(dtype=config["dtype"], attention_tp=config["attention_tp"], mla_asked=True)
    rest = pool.rest_gib(config["before"], config["after"], config["fraction"])
    division, too_few = _division(release, rest, config), None
    if division is not None:
        rest = division.rest_gib
        too_few = state.refusal(release, division, _state(config))
        if too_few is not None and division.slots <= 0:
            return {"refused": too_few}
    profiled = pool.profiled_tokens(release, rest, cells.cell_bytes(release, shape, cache))
    speculation = None
    if config["algorithm"] is not None:
        slots = config["max_running_requests"]
        slots = min(slots, state.running_limit(release, division, _state(config))) if division is not None else slots
        speculation = pool.Speculation(algorithm="EAGLE", slots=slots, steps=3, top_k=4, draft_tokens=16)
    cap, page = config["max_total_tokens"], config["page_size"]
    tokens = pool.pool_tokens(release, profiled, max_total_tokens=cap, page_size=page, speculation=speculation)
    if shape.window_layers and rules.window != "none":
        full, window = cells.window_split(release, shape, cache, tokens=tokens, page_size=page)
        tokens = full or window
    limits = {"fraction": config["fraction"], "before": config["before"], "after": config["after"]}
    refusal = pool.refusal(release, rest=rest, tokens=tokens, **limits)
    if refusal is not None:
        return {"refused": refusal.message}
    if division is not None and too_few is not None:
        return {"refused": too_few}
    counted = profiled if order("0.4.1.post4") <= order(release) < order("0.5.10") else tokens
    slots = requests.request_slots(
        release,
        counted,
        config["context_tokens"],
        max_running_requests=config["max_running_requests"],
        dp_size=config["dp_size"],
    )
    if division is not None:
        slots = min(slots, state.running_limit(release, division, _state(config)))
    rows = slots + (rules.request_extra_rows if order(release) < order("0.5.10") else 0)
    return {"tokens": tokens, "slots": rows, "table": _table(release, slots, config)}


def _state(config: Config) -> state.State:
    return state.State(
        bytes_per_request=config["shape"]["state_bytes"],
        slots=config["state_slots"],
        running=config["max_running_requests"],
        dp_size=config["dp_size"],
        draft_tokens=config["draft_tokens"],
        radix_cache=config["radix_cache"],
    )


def _division(release: str, rest: float, config: Config) -> state.Division | None:
    return state.divide(release, rest, _state(config)) if config["shape"]["state_layers"] else None


def _table(release: str, slots: int, config: Config) -> int:
    context, draft = config["context_tokens"], config["draft_tokens"]
    return requests.request_table_bytes(release, slots, context, draft_tokens=draft)


def released(release: str, configurations: list[Config]) -> list[Config]:
    """The same by the release's own code."""
    lines = "".join(json.dumps(config) + "\n" for config in configurations)
    command = [sys.executable, "-m", "tools.conformance.release_pool", release]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, env=environment)
    if run.returncode != 0:
        raise RuntimeError(f"the pool code of SGLang {release} could not be run: {run.stderr[-2000:]}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def agree(ours: Config, theirs: Config) -> bool:
    """Whether both give the same pool, slots and table, or the same refusal."""
    if "refused" in ours or "refused" in theirs:
        said = str(theirs.get("refused", "")).removesuffix(".")
        return bool("refused" in ours and said.startswith(str(ours["refused"]).removesuffix(".")[:60]))
    same = ours["tokens"] == theirs["tokens"] and ours["slots"] == theirs["slots"]
    columns = theirs["columns"]
    return same and (columns in (None, -1) or ours["table"] == theirs["slots"] * columns * 4)


def compare(release: str, count: int) -> Comparison:
    """A sample of one release."""
    told = Comparison(release)
    configurations = sample(release, count)
    for config, theirs in zip(configurations, released(release, configurations), strict=True):
        if "error" in theirs:
            told.errors[theirs["error"]] += 1
            continue
        try:
            ours = computed(release, config)
        except NotApplicable as error:
            ours = {"tokens": None, "slots": None, "why": str(error)}
        if agree(ours, theirs):
            told.same += 1
            told.refused += "refused" in theirs
        else:
            told.differences.append(f"{config}\n    release {theirs}\n    logscope {ours}")
    return told


HEAD = """# Pools: logscope against each release's own code

`python -m tools.conformance.pool --write` makes this page. The code that sizes the KV pool of each release's wheel
runs in a process of its own (`init_memory_pool`, from 0.5.10 on `_resolve_memory_pool_config`), with a stub model
and free memory as given: {models}; ranks 1 to 8, dtypes, random free memory before and after loading, fractions,
caps, pages, running requests, EAGLE where it enlarges the pool. logscope must give the same tokens, request slots
and table, or the same refusal.

**{total:,} configurations of {releases} releases: {different} differences**; {refused:,} of them are refusals.

| release | same | of these refused | different | not run |
|---|---|---|---|---|
"""


def page(comparisons: list[Comparison]) -> str:
    """The page of the documentation."""
    different = sum(len(c.differences) for c in comparisons)
    same, refused = sum(c.same for c in comparisons), sum(c.refused for c in comparisons)
    names = ", ".join((*MODELS, HYBRID))
    head = HEAD.format(
        total=same + different, releases=len(comparisons), different=different, refused=refused, models=names
    )
    lines = [
        f"| {c.release} | {c.same} | {c.refused} | {len(c.differences)} | {c.errors.total()} |" for c in comparisons
    ]
    return head + "\n".join(lines) + "\n"


def main() -> int:
    options = asked(__doc__, PAGE, count=200)
    comparisons = []
    for release in options.releases:
        told = compare(release, options.count)
        comparisons.append(told)
        counts = f"same {told.same} refused {told.refused} different {len(told.differences)}"
        print(f"{release:12} {counts} not run {told.errors.total()}", flush=True)
        for reason, times in told.errors.most_common(2):
            print(f"    not run {times}: {reason[:150]}")
        for difference in told.differences[:2]:
            print("   ", difference)
    if options.write:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(comparisons))
    return 1 if any(c.differences or c.errors for c in comparisons) else 0


if __name__ == "__main__":
    sys.exit(main())
