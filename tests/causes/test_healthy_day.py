"""Hours of a server in which nothing is wrong: four releases, eight ranks, all families of a quiet day. It is acquitted.

LOGSCOPE_HEALTHY_HOURS sets the length; 12 is the day that counts, and a fraction of it runs by default.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

import logscope
from logscope.sglang import between

HOURS = float(os.environ.get("LOGSCOPE_HEALTHY_HOURS", "0.25"))
RANKS = 8
POOL_TOKENS, CELL_BYTES, CONTEXT = 374_469, 147_456, 40_960
BEFORE_GIB, AFTER_GIB, FRACTION = 78.50, 63.20, 0.85
STEPS, RATE = 400, 38.0  # decode steps between two lines, and steps a second


@dataclass(frozen=True, slots=True)
class Release:
    """How one release words what this log needs."""

    name: str
    rank: str  # of one rank in the prefix
    ends: str  # of the load, its time
    batch: str  # between "batch" and its fields
    tail: str  # of a batch line
    prefill: str  # behind the queue of a prefill line
    probe: str
    dtype: str = "dtype=torch.bfloat16, "


RELEASES = (
    Release("0.4.9.post4", "DP{n} TP{n}", "", ".", ", ", "", "/get_model_info"),
    Release("0.5.4.post1", "DP{n} TP{n}", "", ",", ", ", "", "/get_model_info"),
    Release(
        "0.5.9",
        "DP{n} TP{n}",
        "elapsed=12.40 s, ",
        ",",
        "",
        ", input throughput (token/s): {rate:.2f}, cuda graph: False",
        "/model_info",
    ),
    Release(
        "0.5.12",
        "DP{n} TP{n}",
        "elapsed=12.40 s, ",
        ",",
        "",
        ", #pending-token: 0, cuda graph: False, input throughput (token/s): {rate:.2f}",
        "/model_info",
        "",
    ),
)


@dataclass(slots=True)
class Rank:
    """What one rank has running: the lengths of its requests, tokens, and how many it will still write."""

    name: str
    requests: list[list[int]]

    @property
    def tokens(self) -> int:
        return sum(length for length, _ in self.requests)


def lines(release: Release, hours: float) -> Iterator[str]:
    """The log from its first line to a request to stop after `hours`."""
    chance = random.Random(release.name)
    now = datetime(2026, 1, 12, 6, 0, 0)
    ranks = [Rank(release.rank.format(n=n), []) for n in range(RANKS)]
    yield from _start(release, now, ranks)
    now += timedelta(seconds=90)
    end = now + timedelta(hours=hours)
    while now < end:
        now += timedelta(seconds=STEPS / RATE)
        stamp = now.strftime("%Y-%m-%d %H:%M:%S")
        for rank in ranks:
            yield from _served(release, rank, stamp, chance)
        yield f'[{stamp}] INFO:     10.0.0.{chance.randrange(2, 9)}:{chance.randrange(1024, 60000)} - "GET /health HTTP/1.1" 200 OK'
    for rank in ranks:
        rank.requests.clear()
    yield f"[{now:%Y-%m-%d %H:%M:%S}] SIGTERM received. signum=None frame=None. Draining requests and shutting down..."


def _start(release: Release, now: datetime, ranks: list[Rank]) -> Iterator[str]:
    def at(seconds: float) -> str:
        return (now + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S")

    values = {
        "model_path": "Qwen/Qwen3-8B",
        "tp_size": RANKS,
        "dp_size": RANKS,
        "enable_dp_attention": True,
        "mem_fraction_static": FRACTION,
        "chunked_prefill_size": 8192,
        "decode_log_interval": STEPS,
        "page_size": 1,
    }
    yield f"[{at(0)}] server_args=ServerArgs({', '.join(f'{name}={value!r}' for name, value in values.items())})"
    pool = (AFTER_GIB - BEFORE_GIB * (1 - FRACTION)) / 2
    left = 11.44
    elapsed = "elapsed=3.12 s, " if release.ends else ""
    for seconds, text in (
        (5, "Init torch distributed begin."),
        (8, f"Init torch distributed ends. {elapsed}mem usage=0.61 GB"),
        (9, f"Load weight begin. avail mem={BEFORE_GIB:.2f} GB"),
        (
            22,
            f"Load weight end. {release.ends}type=Qwen3ForCausalLM, {release.dtype}avail mem={AFTER_GIB:.2f} GB, mem usage={BEFORE_GIB - AFTER_GIB:.2f} GB.",
        ),
        (
            23,
            f"KV Cache is allocated. #tokens: {POOL_TOKENS}, K size: {pool - 0.005:.2f} GB, V size: {pool - 0.005:.2f} GB",
        ),
        (23, f"Memory pool end. avail mem={left:.2f} GB"),
        (24, f"Capture cuda graph begin. This can take up to several minutes. avail mem={left:.2f} GB"),
        (40, f"Capture cuda graph end. Time elapsed: 16.02 s. mem usage=1.44 GB. avail mem={left - 1.44:.2f} GB."),
        (
            41,
            f"max_total_num_tokens={POOL_TOKENS}, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=4096, context_len={CONTEXT}, available_gpu_mem={left - 1.44:.2f} GB",
        ),
    ):
        for rank in ranks:
            yield f"[{at(seconds)} {rank.name}] {text}"
    for text in ("Started server process [214]", "Waiting for application startup.", "Application startup complete."):
        yield f"[{at(42)}] INFO:     {text}"
    yield f'[{at(43)}] INFO:     127.0.0.1:51844 - "GET {release.probe} HTTP/1.1" 200 OK'
    yield f'[{at(45)}] INFO:     127.0.0.1:51860 - "POST /generate HTTP/1.1" 200 OK'
    yield f"[{at(45)}] The server is fired up and ready to roll!"


def _served(release: Release, rank: Rank, stamp: str, chance: random.Random) -> Iterator[str]:
    """One interval of a rank: what arrived, and the decode line at its end."""
    for request in rank.requests:
        request[0] += STEPS
        request[1] -= STEPS
    rank.requests = [request for request in rank.requests if request[1] > 0]
    arrived = chance.randrange(0, 4) if len(rank.requests) < 40 else 0
    for _ in range(arrived):
        new = chance.randrange(200, 4000)
        usage = rank.tokens / POOL_TOKENS
        more = release.prefill.format(rate=new / 0.2)
        yield (
            f"[{stamp} {rank.name}] Prefill batch{release.batch} #new-seq: 1, #new-token: {new}, #cached-token: 64, "
            f"token usage: {usage:.2f}, #running-req: {len(rank.requests)}, #queue-req: 0{more}{release.tail}"
        )
        yield f'[{stamp}] INFO:     10.0.0.4:{chance.randrange(1024, 60000)} - "POST /v1/chat/completions HTTP/1.1" 200 OK'
        rank.requests.append([new + 64, chance.randrange(2, 16) * STEPS])
    if rank.requests:
        count, share = len(rank.requests), chance.uniform(0.97, 1.0)
        yield (
            f"[{stamp} {rank.name}] Decode batch{release.batch} #running-req: {count}, #token: {rank.tokens}, "
            f"token usage: {rank.tokens / POOL_TOKENS:.2f}, cuda graph: True, gen throughput (token/s): {count * RATE * share:.2f}, "
            f"#queue-req: 0{release.tail}"
        )


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_a_quiet_day_is_acquitted_without_a_finding_above_a_note(release: Release, tmp_path: Path) -> None:
    path = tmp_path / "day.log"
    path.write_text("\n".join(lines(release, HOURS)) + "\n")
    report = logscope.analyze(logscope.open_log(path)).data
    assert report["verdict"]["cause"] in ("healthy", "stopped_on_request")
    assert report["verdict"]["fraction"] == "leave"
    loud = [f"{f['rule']} {f['severity']} {f['message']}" for f in report["findings"] if f["severity"] != "note"]
    assert loud == []
    assert report["coverage"]["unread"] == 0
    told = report["launches"][-1]["release"]
    assert release.name in between(told.get("lo", ""), told.get("hi", ""))
