"""Every cause says the same things in the same order, has an incident that it is, and one that looks like it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import logscope
from logscope.discover import units

HEADINGS = ("What it is", "How to tell", "Not to be taken for", "What to do", "Source")
CAUSES = units("logscope.causes")
WAYS = ("raise", "lower", "leave", "depends")


@pytest.mark.parametrize("name", CAUSES)
def test_a_cause_has_all_headings_in_order_and_text_below_each(name: str) -> None:
    text = CAUSES[name].__doc__ or ""
    found = [line for line in text.split("\n") if line in HEADINGS]
    assert tuple(found) == HEADINGS
    parts = re.split("|".join(f"^{heading}$" for heading in HEADINGS), text, flags=re.MULTILINE)
    assert all(part.strip() for part in parts)


@pytest.mark.parametrize("name", CAUSES)
def test_a_cause_has_a_way_and_a_title(name: str) -> None:
    assert CAUSES[name].WAY in WAYS
    assert CAUSES[name].TITLE.strip()


@pytest.mark.parametrize("name", CAUSES)
def test_a_cause_has_an_incident_and_a_look_alike(name: str, incidents: list[Any]) -> None:
    assert any(one.label["cause"] == name for one in incidents), f"no incident is {name}"
    alike = [one for one in incidents if name in one.label.get("looks_like", ())]
    assert alike, f"no incident looks like {name}"
    assert all(name not in one.accepted for one in alike)


def test_labels_name_causes_and_ways_that_exist_and_lines_that_are_there(incidents: list[Any]) -> None:
    for one in incidents:
        assert one.accepted | set(one.label.get("looks_like", ())) <= set(CAUSES), one.name
        assert one.label["fraction"] in WAYS, one.name
        lines = one.log.read_text().split("\n")
        assert all(any(part in line for line in lines) for part in one.label["decisive"]), one.name


def test_a_log_of_a_vllm_server_is_named_and_not_judged(tmp_path: Path) -> None:
    lines = (
        "INFO 05-01 10:00:00 [api_server.py:1043] vLLM API server version 0.8.5",
        "INFO 05-01 10:00:01 [cuda.py:240] Using Flash Attention backend on V1 engine.",
        (
            "ERROR 05-01 10:00:02 [core.py:390] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. "
            "GPU 0 has a total capacity of 23.64 GiB of which 1.00 GiB is free."
        ),
    )
    path = tmp_path / "vllm.log"
    path.write_text("\n".join(lines) + "\n")
    verdict = logscope.analyze(logscope.open_log(path)).data["verdict"]
    assert (verdict["cause"], verdict["fraction"]) == ("not_enough_evidence", "leave")
    assert "vLLM" in verdict["sentence"]


_SCRIPT = (
    "Traceback (most recent call last):",
    '  File "/app/train.py", line 3, in <module>',
    "    main()",
    '  File "/usr/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1747, in _call_impl',
    "    return forward_call(*args, **kwargs)",
)
_MEMORY = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.64 GiB of which 1.00 GiB is free."


def _judged(path: Path, lines: tuple[str, ...]) -> dict[str, Any]:
    path.write_text("\n".join(lines) + "\n")
    data: dict[str, Any] = logscope.analyze(logscope.open_log(path)).data
    return data


def test_a_traceback_of_a_script_that_never_enters_sglang_is_not_judged(tmp_path: Path) -> None:
    report = _judged(tmp_path / "job.log", (*_SCRIPT, _MEMORY))
    assert (report["verdict"]["cause"], report["findings"]) == ("not_enough_evidence", [])
    assert (report["launches"][0]["state"], report["launches"][0]["program"]) == (
        "unknown",
        "a Python program that never enters SGLang",
    )


@pytest.mark.parametrize(
    "lines",
    [
        (_SCRIPT[0], *_SCRIPT[3:], _MEMORY),  # whose script it was is cut away
        (_MEMORY,),
        (*_SCRIPT[:3], '  File "/srv/sglang/srt/entrypoints/engine.py", line 9, in __init__', *_SCRIPT[3:], _MEMORY),
        ("[2026-01-01 10:00:00 TP0] Load weight begin. avail mem=23.10 GB", *_SCRIPT, _MEMORY),
    ],
)
def test_a_traceback_that_may_be_sglang_s_is_judged(tmp_path: Path, lines: tuple[str, ...]) -> None:
    report = _judged(tmp_path / "server.log", lines)
    assert (report["launches"][0]["program"], bool(report["findings"])) == ("SGLang", True)


_BOOT = "[  100.000000] usb 1-1: new high-speed USB device number 2 using xhci_hcd"
_KILLED = "[  913.512288] Out of memory: Killed process 7 ({}) total-vm:1kB, anon-rss:65757280kB"


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ((_BOOT,), "a kernel that names no process of SGLang"),
        ((_BOOT, _KILLED.format("mysqld")), "a kernel that names no process of SGLang"),
        (
            (
                "2024-10-01T12:00:10.000000Z ERROR text_generation_launcher: Error when initializing model",
                "2024-10-01T12:00:10.100000Z ERROR shard-manager: text_generation_launcher: torch.cuda.OutOfMemoryError: CUDA out of memory.",
            ),
            "a server of text-generation-inference",
        ),
    ],
)
def test_what_a_kernel_or_another_server_says_of_others_is_not_judged(
    tmp_path: Path, lines: tuple[str, ...], name: str
) -> None:
    report = _judged(tmp_path / "other.log", lines)
    assert (report["verdict"]["cause"], report["findings"]) == ("not_enough_evidence", [])
    assert report["launches"][0]["program"] == name


@pytest.mark.parametrize("process", ["sglang::schedul", "python3", "pt_main_thread"])
def test_a_kernel_that_killed_what_may_be_the_server_is_evidence(tmp_path: Path, process: str) -> None:
    report = _judged(tmp_path / "dmesg.log", (_BOOT, _KILLED.format(process)))
    assert report["verdict"]["cause"] == "host_killed_process"
