"""The same log told otherwise: another clock, other hosts, ranks in another order, a wrapper. Lines → lines.

None of it may change a diagnosis: the tests hold the incidents to that, and `tools.confusion` counts it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

Lines = Sequence[str]
Told = Callable[[Lines], list[str]]
_HEAD = re.compile(r"^\[(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?P<rank>(?: [A-Z_]+\d+)*)\] ")
_UNRELATED = (
    "/usr/lib/python3/dist-packages/urllib3/connectionpool.py:1097: InsecureRequestWarning: Unverified HTTPS request",
    "[transformers] `torch_dtype` is deprecated! Use `dtype` instead!",
)


def another_year(lines: Lines) -> list[str]:
    """Seven years earlier: what has no year (torch, glog) takes it from its neighbours."""
    return [re.sub(r"\b20(2\d)-(\d\d-\d\d)", lambda m: f"20{int(m[1]) - 7:02d}-{m[2]}", line) for line in lines]


def other_hosts(lines: Lines) -> list[str]:
    """Private addresses of another network."""
    return [re.sub(r"\b10\.(\d+)\.(\d+)\.(\d+)\b", r"172.20.\2.\3", line) for line in lines]


def other_paths(lines: Lines) -> list[str]:
    """An installation from a wheel instead of a checkout."""
    here, there = "/sgl-workspace/sglang/python/sglang/", "/srv/app/.venv/lib/python3.11/site-packages/sglang/"
    return [line.replace(here, there) for line in lines]


def other_model(lines: Lines) -> list[str]:
    """A copy of the model under a local name."""
    name = re.compile(r"(model_path|tokenizer_path)='[^']*/([^'/]+)'")
    return [name.sub(r"\1='/mnt/weights/\2-copy'", line) for line in lines]


def other_ranks(lines: Lines) -> list[str]:
    """Ranks of the second half of a larger group."""
    return [re.sub(r"(?<=[ \[])(TP|EP)(\d)(?=[\] ])", lambda m: f"{m[1]}{int(m[2]) + 16}", line) for line in lines]


def ranks_swapped(lines: Lines) -> list[str]:
    """Neighbours of one second and of different ranks change places: the order of processes in a file is chance."""
    done = list(lines)
    place = 0
    while place + 2 < len(done):
        one, two, after = (_HEAD.match(done[place + step]) for step in range(3))
        if one and two and after and one["time"] == two["time"] and one["rank"] != two["rank"]:
            done[place], done[place + 1] = done[place + 1], done[place]
            place += 1
        place += 1
    return done


def unrelated_lines(lines: Lines) -> list[str]:
    """Warnings of other programs between records."""
    done: list[str] = []
    for place, line in enumerate(lines):
        if place % 5 == 3 and _HEAD.match(line) and (not done or _HEAD.match(done[-1])):
            done.append(_UNRELATED[place % 2])
        done.append(line)
    return done


def other_rates(lines: Lines) -> list[str]:
    """A machine that is three times as fast: printed rates are no cause."""
    rate = re.compile(r"(throughput \(token/s\): )(\d+\.\d\d)")
    return [rate.sub(lambda m: f"{m[1]}{float(m[2]) * 3:.2f}", line) for line in lines]


def in_cri(lines: Lines) -> list[str]:
    """As containerd writes a pod's standard error."""
    first = datetime(2031, 3, 2, 8, 11, 2)
    times = [first + timedelta(milliseconds=37 * place) for place in range(len(lines))]
    return [f"{t.isoformat(timespec='microseconds')}123Z stderr F {line}" for t, line in zip(times, lines, strict=True)]


def in_compose(lines: Lines) -> list[str]:
    """As `docker compose logs` prints a service."""
    return [f"inference-1  | {line}" for line in lines]


def in_ray(lines: Lines) -> list[str]:
    """As a Ray driver prints an actor."""
    return [f"(SGLangEngine pid=90817) {line}" for line in lines]


TOLD: tuple[Told, ...] = (
    another_year,
    other_hosts,
    other_paths,
    other_model,
    other_ranks,
    ranks_swapped,
    unrelated_lines,
    other_rates,
    in_cri,
    in_compose,
    in_ray,
)


def told_otherwise(log: bytes, told: Told) -> bytes | None:
    """A log told otherwise; None where there is nothing in it to be told otherwise."""
    text = log.decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    ended = lines.pop() == "" if text.endswith("\n") else False
    new = told(lines)
    return None if new == lines else ("\n".join(new) + "\n" * ended).encode("utf-8", "surrogateescape")
