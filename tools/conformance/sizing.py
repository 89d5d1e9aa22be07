"""Compare logscope's sizing with each release's own code, and write the table of the documentation.

    python -m tools.conformance.sizing [--short | --releases 0.5.9,0.5.23] [--count 300] [--write]

The code of the wheel runs in a process of its own with stubs around it; exit 1 when anything differs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from logscope.discover import units
from logscope.errors import NotApplicable
from logscope.sglang import devices, fraction, graphs
from logscope.sglang.inputs import Inputs
from logscope.sglang.releases import order
from logscope.sglang.sizing import sizing
from tools.conformance import grid
from tools.conformance.options import ROOT, asked

PAGE = ROOT / "docs" / "conformance-sizing.md"
Result = dict[str, Any]


@dataclass(slots=True)
class Comparison:
    """What came out for one release: the scenarios' values, and how the sample fared."""

    release: str
    scenarios: dict[str, Result] = field(default_factory=dict)
    same: int = 0
    refused: int = 0
    differences: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)


def computed(release: str, inputs: Inputs) -> Result:
    """Fraction, chunk and batch by logscope; `error` where it says that the release fails."""
    rules = sizing(release)
    try:
        value = fraction.automatic_fraction(release, inputs)
    except NotApplicable as error:
        return {"error": str(error)}
    try:
        batch: int | None = graphs.graph_max_batch(release, inputs)
    except NotApplicable:
        batch = inputs.graph_max_batch if rules.classes[-1].chunk_tokens else None
    found = {"fraction": value, "chunk": graphs.chunked_prefill_size(release, inputs), "batch": batch}
    return found | {"batches": shapes(release, inputs, batch)}


def shapes(release: str, inputs: Inputs, batch: int | None) -> list[int] | None:
    """The captured decode batches; None where the release leaves them to the capture."""
    if batch is None or sizing(release).decode_shapes == "capture":
        return None
    speculative = inputs.speculative_algorithm is not None
    return graphs.decode_shapes(release, batch, speculative=speculative, on_cpu=inputs.device == "cpu")


def released(release: str, configurations: Iterable[Inputs]) -> list[Result]:
    """The same by the release's own code."""
    lines = "".join(json.dumps(asdict(inputs)) + "\n" for inputs in configurations)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tools.conformance.release_sizing", release]
    run = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, env=environment)
    if run.returncode != 0:
        raise RuntimeError(f"the sizing code of SGLang {release} could not be run: {run.stderr[-2000:]}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def agree(ours: Result, theirs: Result) -> bool:
    """Whether both give the same; a batch counts only where the release has the argument."""
    if "error" in ours or "error" in theirs:
        return "error" in ours and "error" in theirs
    batch = theirs["batch"] is None or ours["batch"] == theirs["batch"]
    batches = theirs["batches"] is None or ours["batches"] == theirs["batches"]
    same = abs(ours["fraction"] - theirs["fraction"]) < 1e-9 and ours["chunk"] == theirs["chunk"]
    return bool(same and batch and batches)


def readable(release: str, inputs: Inputs) -> Inputs:
    """The inputs with the capacity that the release can read on that device."""
    return inputs if devices.reads_capacity(inputs.device, release) else replace(inputs, capacity_mib=None)


def compare(release: str, count: int) -> Comparison:
    """All scenarios and a sample of one release."""
    told = Comparison(release)
    configurations = [readable(release, i) for i in (*grid.SCENARIOS.values(), *grid.sample(release, count))]
    results = released(release, configurations)
    for name, theirs in zip(grid.SCENARIOS, results, strict=False):
        told.scenarios[name] = theirs
    for inputs, theirs in zip(configurations, results, strict=True):
        ours = computed(release, inputs)
        if agree(ours, theirs):
            told.same += 1
        elif "error" in theirs:
            told.refused += 1
            told.reasons[theirs["error"]] += 1
        else:
            told.differences.append(f"{inputs}\n    release {theirs}\n    logscope {ours}")
    return told


def cell(result: Result) -> str:
    """One scenario of one release: fraction, chunk, batch."""
    if "error" in result:
        return "fails"
    told = [f"{result['fraction']:.3f}".removeprefix("0")]
    told.append("–" if result["chunk"] is None else str(result["chunk"]))
    told.append("–" if result["batch"] is None else str(result["batch"]))
    return " · ".join(told)


HEAD = """# Sizing: logscope against each release's own code

`python -m tools.conformance.sizing --write` makes this page. For each release, post-releases included, the sizing
code of its wheel runs in a process of its own, with stub devices and models around it, on the scenarios below and on
a seeded sample of configurations (devices × parallel sizes × chunk, graph, speculation, multimodal and
disaggregation flags). logscope must give the same automatic fraction (to 1e-9), the same prefill chunk, the
same largest decode graph and the same list of captured batches.

**{total:,} configurations of {releases} releases: {different} differences.** Of these, {refused:,} stop the release
itself with an error (an assertion about another flag, a capacity that it must know, a chunk switched off); they are
not counted as same.

A cell holds what the release's own code gave: automatic fraction · prefill chunk · largest decode graph; – where the
release leaves it open, *fails* where it stops with an error. Neighbouring releases that give the same share a row.

"""


def rows(comparisons: list[Comparison]) -> list[str]:
    """One row for each run of releases whose scenarios came out the same."""
    runs: list[list[Comparison]] = []
    for told in comparisons:
        if runs and runs[-1][-1].scenarios == told.scenarios:
            runs[-1].append(told)
        else:
            runs.append([told])
    lines = []
    for run in runs:
        name = run[0].release if len(run) == 1 else f"{run[0].release} … {run[-1].release}"
        counts = [sum(c.same for c in run), sum(c.refused for c in run), sum(len(c.differences) for c in run)]
        cells = [cell(run[0].scenarios[scenario]) for scenario in grid.SCENARIOS]
        lines.append("| " + " | ".join([name, *map(str, counts), *cells]) + " |")
    return lines


def page(comparisons: list[Comparison]) -> str:
    """The page of the documentation."""
    different = sum(len(c.differences) for c in comparisons)
    refused = sum(c.refused for c in comparisons)
    total = sum(c.same for c in comparisons) + refused + different
    head = HEAD.format(total=total, releases=len(comparisons), different=different, refused=refused)
    titles = ["release", "same", "refused", "different", *grid.SCENARIOS]
    table = ["| " + " | ".join(titles) + " |", "|---" * len(titles) + "|", *rows(comparisons)]
    return head + "\n".join([*table, "", "## What each release changed", "", *changes()]) + "\n"


def changes() -> list[str]:
    """One line for each release that changed the sizing, as its file says it."""
    told = units("logscope.sglang.releases").values()
    said = [" ".join((unit.__doc__ or "").split()).removeprefix("SGLang ") for unit in told]
    said.sort(key=lambda text: order(re.split("[:,]", text)[0]))
    return [re.sub(r"^[\d.]+(post\d+)?", r"- **\g<0>**", text) for text in said]


def main() -> int:
    options = asked(__doc__, PAGE, count=300)
    comparisons = []
    for release in options.releases:
        told = compare(release, options.count)
        comparisons.append(told)
        print(f"{release:12} same {told.same} refused {told.refused} different {len(told.differences)}", flush=True)
        for reason, times in told.reasons.most_common(3):
            print(f"    refused {times}: {reason[:150]}")
        for difference in told.differences[:3]:
            print("   ", difference)
    if options.write:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page(comparisons))
    return 1 if any(c.differences for c in comparisons) else 0


if __name__ == "__main__":
    sys.exit(main())
