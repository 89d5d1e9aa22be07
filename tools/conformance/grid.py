"""Configurations on which the sizing of a release is compared: named scenarios, and a seeded random sample."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Literal

from logscope.sglang.inputs import Inputs, VisionTower
from logscope.sglang.releases import order

CAPACITIES = (
    *(None, 15360, 16376, 23028, 24564, 25000, 32607, 35840, 40960, 46068, 61440, 61441, 65536),
    *(81559, 81920, 92160, 97887, 98304, 122570, 143771, 163840, 180000, 183359, 196592, 262144),
)
Role = Literal["null", "prefill", "decode"]

SCENARIOS: dict[str, Inputs] = {
    "24 GB card": Inputs(capacity_mib=24564),
    "32 GB card": Inputs(capacity_mib=32607),
    "48 GB card": Inputs(capacity_mib=46068),
    "80 GB card": Inputs(capacity_mib=81559),
    "80 GB, tp 8": Inputs(capacity_mib=81559, tp_size=8),
    "80 GB, tp 8, pp 2": Inputs(capacity_mib=81559, tp_size=8, pp_size=2),
    "80 GB, EAGLE": Inputs(capacity_mib=81559, speculative_algorithm="EAGLE", speculative_draft_tokens=4),
    "80 GB, vision": Inputs(capacity_mib=81559, multimodal=True, vision=VisionTower(27, 1152)),
    "141 GB, tp 8, MLA, DP attention": Inputs(
        capacity_mib=143771, tp_size=8, dp_size=8, dp_attention=True, mla=True, prefill_graphs=False
    ),
    "180 GB, tp 8": Inputs(capacity_mib=183359, tp_size=8),
    "64 GB NPU": Inputs(device="npu", capacity_mib=62 * 1024),
    "CPU, 23 GB": Inputs(device="cpu", capacity_mib=23386),
    "capacity unknown": Inputs(),
}


def sample(release: str, count: int, seed: int = 20) -> list[Inputs]:
    """So many random configurations that the release accepts; the same ones at each call."""
    draw = random.Random(f"{release} {seed}")
    return [_configuration(release, draw) for _ in range(count)]


def _configuration(release: str, draw: random.Random) -> Inputs:
    tp_size = draw.choice((1, 1, 2, 3, 4, 8, 16))
    pp_size = draw.choice((1, 1, 1, 2)) if order(release) >= order("0.4.6.post1") else 1
    found = Inputs(
        device=draw.choice(("cuda",) * 6 + ("hip",)),
        capacity_mib=draw.choice(CAPACITIES),
        tp_size=tp_size,
        pp_size=pp_size,
        chunked_prefill_size=draw.choice((None, None, None, -1, 512, 4096, 16384)),
        max_prefill_tokens=draw.choice((16384, 1024)),
        graph_max_batch=draw.choice((None, None, None, 4, 64, 400)),
        mla=draw.random() < 0.3,
        llama2_path=draw.random() < 0.1,
    )
    found = _parallel(found, release, draw)
    found = _speculation(found, release, draw)
    found = _multimodal(found, draw)
    return _late(found, release, draw) if order(release) >= order("0.5.3") else found


def _parallel(found: Inputs, release: str, draw: random.Random) -> Inputs:
    if draw.random() < 0.7 or found.tp_size < 2 or order(release) < order("0.3.6"):
        return found
    whole = order(release) < order("0.4.4.post1") or found.tp_size % 2 == 1 or draw.random() < 0.5
    size = found.tp_size if whole else max(2, found.tp_size // 2)
    return replace(found, dp_attention=True, dp_size=size)


def _speculation(found: Inputs, release: str, draw: random.Random) -> Inputs:
    names = ["EAGLE"] if order(release) >= order("0.4.1.post4") else []
    names += ["EAGLE3"] if order(release) >= order("0.4.5") else []
    names += ["STANDALONE"] if order(release) >= order("0.5.2") else []
    names += ["NGRAM"] if order(release) >= order("0.5.3") else []
    if not names or draw.random() < 0.6:
        return found
    return replace(found, speculative_algorithm=draw.choice(names), speculative_draft_tokens=draw.choice((4, 16)))


def _multimodal(found: Inputs, draw: random.Random) -> Inputs:
    if draw.random() < 0.75:
        return found
    tower = draw.choice((None, VisionTower(), VisionTower(27, 1152), VisionTower(32, 5120), VisionTower(12, 512)))
    return replace(found, multimodal=True, vision=tower, language_only=draw.random() < 0.2)


def _late(found: Inputs, release: str, draw: random.Random) -> Inputs:
    device = draw.choice((found.device, found.device, found.device, "cpu", "npu", "xpu"))
    roles: list[Role] = ["null", "null", "prefill", "decode"] if order(release) >= order("0.5.15") else ["null"]
    capped = order(release) >= order("0.5.10")
    return replace(
        found,
        device=device,
        prefill_graphs=draw.choice((None, True, False)),
        prefill_graphs_breakable=draw.random() < 0.3,
        decode_graphs=draw.random() < 0.8,
        torch_compile_max_batch=draw.choice((32, 64, None)),
        max_running_requests=draw.choice((None, None, 8, 48, 1000)),
        max_total_tokens=draw.choice((None, None, 3000)) if capped else None,
        context_length=draw.choice((None, None, 2500)),
        disaggregation=draw.choice(roles),
        deepep=draw.random() < 0.3,
        post_capture=order(release) >= order("0.5.16") and draw.random() < 0.15,
    )
