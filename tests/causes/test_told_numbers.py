"""A verdict tells the limit, the sizes and the pools that the lines themselves name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import logscope
from logscope.causes._flag_names import largest_graph
from logscope.launch import Launch, Piece
from logscope.releases import ReleaseRange

Reported = Callable[[bytes], dict[str, Any]]


def test_weights_that_print_as_nothing_bound_no_fraction_but_the_refused_one(logs: Path) -> None:
    verdict = logscope.analyze(logscope.open_log(logs / "0.5.9-f-not-enough-memory.log")).data["verdict"]
    assert "it grants 2.2 MiB" in verdict["sentence"]
    assert verdict["fraction_range"]["lo"] == 0.0001
    assert verdict["actions"][0]["do"].startswith("Raise --mem-fraction-static above 0.0001 ")
    weighty = logscope.analyze(logscope.open_log(logs / "story-2-refused-then-booted.log")).data
    assert "grants" not in weighty["verdict"]["sentence"]


KILLED = "[  913.512204] oom-kill:constraint={},task=sglang::schedul,pid=7,uid=0\n[  913.512288] {}: Killed process 7 (sglang::schedul) total-vm:9kB, anon-rss:1048576kB, file-rss:0kB, shmem-rss:{}kB\n"


@pytest.mark.parametrize(
    ("text", "limit", "held", "cure"),
    [
        (KILLED.format("CONSTRAINT_NONE", "Out of memory", 65757280), "the whole machine", "62.7 GiB of shared", "Give the machine"),
        (KILLED.format("CONSTRAINT_MEMCG", "Memory cgroup out of memory", 0), "of its container", "1.0 GiB of memory of its own", "Raise the memory limit"),
        (KILLED.format("CONSTRAINT_CPUSET", "Out of memory", 0), "a memory limit", "1.0 GiB", "Raise the memory limit"),
    ],
)  # fmt: skip
def test_a_kill_is_told_with_the_limit_and_the_memory_that_its_line_names(
    text: str, limit: str, held: str, cure: str, reported: Reported
) -> None:
    verdict = reported(text.encode())["verdict"]
    assert limit in verdict["sentence"]
    assert held in verdict["sentence"]
    assert verdict["actions"][0]["do"].startswith(cure)


def test_a_killed_container_without_a_line_of_the_kernel_sends_to_the_kernel(reported: Reported) -> None:
    verdict = reported(b"    Reason:       OOMKilled\n    Exit Code:    137\n")["verdict"]
    assert verdict["actions"][0]["do"].startswith("Read the kernel log")


def test_host_pools_are_added_up_over_the_ranks_that_still_have_to_allocate(reported: Reported) -> None:
    line = "[2026-06-19 23:30:51 TP{}] Allocating {} GB host memory for hierarchical {} cache.\n"
    first = "".join(line.format(rank, "150.00", "KV") for rank in range(4))
    told = reported((first + line.format(0, "34.38", "indexer")).encode())["verdict"]["sentence"]
    assert "and 737.5 GB once each of the 4 ranks has its 184.38 GB (150.00 + 34.38)." in told
    assert reported(first.encode())["verdict"]["sentence"].endswith("would take 600 GB of host memory.")


def test_a_leak_of_the_second_pool_of_a_server_is_counted_and_the_first_is_left_alone(reported: Reported) -> None:
    parts = "[{}] total={}, available=100, evictable={}, protected=0, session_held=0, uncached=0\n"
    full = "ValueError: pool memory leak detected! " + parts.format("full", 1000, 900)
    found = reported((full + parts.format("swa", 500, 144)).encode())
    assert "The swa pool has 500 slots and accounts for 244: 256 are missing" in found["verdict"]["sentence"]
    assert "POL102" not in {one["rule"] for one in found["findings"]}
    assert "POL102" in {one["rule"] for one in reported(full.encode())["findings"]}
    dumped = reported(
        ("Scheduler debug info:\n" + parts.format("full", 1000, 900) + parts.format("swa", 500, 144)).encode()
    )
    assert not {"POL101", "POL102"} & {one["rule"] for one in dumped["findings"]}


@pytest.mark.parametrize(
    ("lo", "hi", "prefill", "flags"),
    [
        ("0.5.17", "0.5.21", False, "--cuda-graph-max-bs-decode"),
        ("0.5.9", "0.5.9", False, "--cuda-graph-max-bs"),
        ("0.5.9", "0.5.17", False, "--cuda-graph-max-bs; from 0.5.14 on --cuda-graph-max-bs-decode"),
        ("", "", False, "--cuda-graph-max-bs; from 0.5.14 on --cuda-graph-max-bs-decode"),
        ("0.5.14", "0.5.23", True, "--cuda-graph-max-bs-prefill"),
        ("0.5.9", "0.5.12", True, "--piecewise-cuda-graph-max-tokens"),
    ],
)
def test_a_flag_is_named_as_the_releases_of_the_log_name_it(lo: str, hi: str, prefill: bool, flags: str) -> None:
    launch = Launch(0, (Piece("server.log", 1, 1),), {}, ReleaseRange(lo, hi))
    assert largest_graph(launch, prefill=prefill) == flags


def test_an_attribute_of_a_built_in_object_is_nothing_that_a_machine_lacks(reported: Reported) -> None:
    text = (
        "Exception in ModelRpcClient:\nTraceback (most recent call last):\n"
        '  File "/srv/sglang/srt/managers/infer_batch.py", line 203, in prepare_for_extend\n    indices.cpu()\n'
        "AttributeError: {} has no attribute 'cpu'\n"
    )
    of_none, of_package = (
        reported(text.format(whose).encode())["verdict"] for whose in ("'NoneType' object", "'Qwen2Config' object")
    )
    assert "environment_broken" not in {other["cause"] for other in of_none["ruled_out"]}
    assert "environment_broken" in {of_package["cause"], *(other["cause"] for other in of_package["ruled_out"])}


def test_a_server_on_a_processor_has_no_device_that_ran_out(logs: Path) -> None:
    nodes = [logs / f"joined/two-nodes/node{node}.log" for node in range(2)]
    for paths, whose in (([logs / "0.5.23-cpu-forward-out-of-memory.log"], "The host"), (nodes, "The device")):
        found = logscope.analyze(logscope.open_log(paths)).data["findings"]
        assert [one["message"].split(" ran")[0] for one in found if one["rule"] == "CRA101"] == [whose]
