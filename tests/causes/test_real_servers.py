"""Sentences and remedies that logs of real servers, run on a CPU, have asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import logscope

Reported = Callable[[bytes], dict[str, Any]]
READY = "[2026-11-29 22:08:45] The server is fired up and ready to roll!\n"
DECODE = (
    "[2026-11-29 22:08:{:02d}] Decode batch, #running-req: 2, #token: 177, token usage: 0.01, cpu graph: False, "
    "gen throughput (token/s): 80.18, #queue-req: {}\n"
)
REFUSED = '[2026-11-29 22:08:59] INFO:     127.0.0.1:377{} - "{} HTTP/1.1" 503 Service Unavailable\n'
STACK = (
    "Fatal Python error: Segmentation fault\n\n"
    "Current thread 0x00007fb12b9d2b80 (most recent call first):\n"
    '  File "/usr/local/lib/python3.11/site-packages/sglang/srt/layers/sampler.py", line 400 in sampling_from_probs_torch\n'
)
OUTERMOST = '  File "/usr/local/lib/python3.11/site-packages/sglang/srt/managers/{}.py", line 5064 in {}\n'
RETRACTED = (
    "[2026-11-29 22:08:{:02d}] KV cache pool is full. Retract requests. #retracted_reqs: 2, #new_tokens_gained: 109, "
    "#new_token_ratio: 0.0186 -> 0.7315\n"
)


def sentences(report: dict[str, Any]) -> str:
    """What is told of the verdict and of the causes that fit less well."""
    return " ".join([report["verdict"]["sentence"], *(one["why"] for one in report["verdict"]["ruled_out"])])


@pytest.fixture
def told(logs: Path) -> Callable[[str], dict[str, Any]]:
    """The verdict on a log of the repository."""
    return lambda name: dict(logscope.analyze(logscope.open_log(logs / f"{name}.log")).data["verdict"])


def test_what_a_full_queue_turns_away_is_counted_and_its_probes_are_not(reported: Reported) -> None:
    lines = [DECODE.format(46 + place, waiting) for place, waiting in enumerate((3, 2, 2, 1, 0, 0))]
    refused = [REFUSED.format(10 + place, "POST /generate") for place in range(3)]
    text = READY + "".join(lines) + "".join(refused)
    verdict = reported(text.encode())["verdict"]
    assert verdict["cause"] == "admission_capped"
    assert verdict["sentence"].endswith(" 3 requests were answered 503, the queue being full.")
    probed = reported((READY + "".join(lines) + REFUSED.format(10, "GET /health_generate")).encode())["verdict"]
    assert probed["cause"] == "healthy"


@pytest.mark.parametrize(
    ("file", "function", "who"),
    [
        ("scheduler", "run_scheduler_process", "The scheduler"),
        ("detokenizer_manager", "run_detokenizer_process", "The detokenizer"),
        ("mm_worker", "run_unheard_of", "A process of the server"),
    ],
)
def test_a_stack_without_a_rank_is_of_the_process_whose_function_is_outermost(
    file: str, function: str, who: str, reported: Reported
) -> None:
    text = READY + DECODE.format(46, 0) * 3 + STACK + OUTERMOST.format(file, function)
    verdict = reported(text.encode())["verdict"]
    assert verdict["sentence"] == f"{who} was ended by Segmentation fault in native code while serving."


@pytest.mark.parametrize(("child", "who"), [("detokenizer", "The detokenizer"), ("scheduler_0", "scheduler_0")])
def test_a_killed_child_is_named_as_its_line_names_it(child: str, who: str, reported: Reported) -> None:
    gone = f"[2026-11-29 22:08:56] Subprocess {child} (pid=25610) crashed with exit code -9. Triggering SIGQUIT for cleanup...\n"
    verdict = reported((READY + DECODE.format(46, 0) * 3 + gone).encode())["verdict"]
    assert verdict["sentence"].startswith(f"{who} was killed from outside")


def test_one_retraction_has_no_span(reported: Reported) -> None:
    batches = READY + DECODE.format(46, 0) * 3
    once = sentences(reported((batches + RETRACTED.format(50)).encode()))
    assert "2 requests were retracted in 1 event: back-pressure" in once
    twice = sentences(reported((batches + RETRACTED.format(50) + RETRACTED.format(53)).encode()))
    assert "4 requests were retracted in 2 events within 3.0 s: back-pressure" in twice


def test_arguments_that_do_not_fit_each_other_are_no_question_of_ranks(told: Callable[[str], dict[str, Any]]) -> None:
    actions = told("0.5.13-l-chunk-page")["actions"]
    assert [action["do"] for action in actions] == ["Change the argument that the message names."]


def test_an_argument_that_is_no_json_is_named(told: Callable[[str], dict[str, Any]]) -> None:
    assert "json_model_override_args is no JSON: Expecting property name" in told("0.5.18-l-bad-json")["sentence"]


def test_the_exception_that_ended_the_process_is_quoted_beside_the_first_of_its_chain(
    told: Callable[[str], dict[str, Any]],
) -> None:
    quoted = [line["text"] for line in told("0.4.9-l-flashinfer-missing")["evidence"]]
    assert any(line.startswith("Exception: flashinfer_python with minimum required version") for line in quoted)
    assert any("PackageNotFoundError" in line for line in quoted)
