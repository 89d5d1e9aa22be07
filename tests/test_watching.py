"""What is said of a log that grows: each thing once, at its time, within a budget of memory."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from logscope.kept import Kept
from logscope.trigger import Pace
from logscope.watching import Verdict, Watched

CRASH = "0.5.9-x-scheduler-exception-injected.log"
STOP = "0.5.9-a-clean-sigterm.log"


class Hands:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def hands() -> Hands:
    return Hands()


def run(watched: Watched, hands: Hands, data: bytes, *, step: int = 997, seconds: float = 0.1) -> list[Verdict]:
    """Feed whole lines in pieces, looking after each as the command does."""
    said: list[Verdict] = []
    held = b""
    for start in range(0, len(data), step):
        held += data[start : start + step]
        end = held.rfind(b"\n") + 1
        if end:
            watched.take(held[:end])
        held = held[end:]
        watched.begins(held)
        hands.now += seconds
        said += watched.verdicts() if watched.due else []
    hands.now += 60
    return said + (watched.verdicts() if watched.due else [])


def told(said: list[Verdict]) -> list[tuple[str, str]]:
    return [(verdict.event, verdict.data["cause"]) for verdict in said]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (CRASH, [("died", "server_defect")]),
        ("0.5.23-cpu-forward-out-of-memory.log", [("died", "forward_out_of_memory")]),
        ("0.5.9-f-not-enough-memory.log", [("died", "weights_exceed_budget")]),
        ("0.5.9-a-clean-sigterm.log", [("stopped", "stopped_on_request")]),
    ],
)
def test_a_launch_that_ends_is_told_of_once(
    logs: Path, hands: Hands, name: str, expected: list[tuple[str, str]]
) -> None:
    watched = Watched(name, clock=hands)
    assert told(run(watched, hands, (logs / name).read_bytes())) == expected
    assert watched.last() == []


def test_the_verdict_is_that_of_analyze(logs: Path, hands: Hands) -> None:
    import logscope

    (verdict,) = run(Watched(str(logs / CRASH), clock=hands), hands, (logs / CRASH).read_bytes())
    whole = logscope.analyze(logscope.open_log(logs / CRASH)).data["verdict"]
    same = ("cause", "confidence", "sentence", "fraction", "evidence")
    assert {name: verdict.data[name] for name in same} == {name: whole[name] for name in same}
    assert verdict.data["time"] == "2026-11-29T12:39:00"


@pytest.mark.parametrize("wrapper", ["docker", "cri"])
def test_what_a_container_puts_around_a_line_hides_nothing(logs: Path, hands: Hands, wrapper: str) -> None:
    made = []
    for line in (logs / CRASH).read_text().splitlines():
        if wrapper == "cri":
            made.append(f"2026-11-29T12:39:00.000000001Z stderr F {line}\n")
        else:
            made.append(json.dumps({"log": line + "\n", "stream": "stderr", "time": "2026-11-29T12:39:00.0Z"}) + "\n")
    said = run(Watched("server.log", clock=hands), hands, "".join(made).encode())
    assert told(said) == [("died", "server_defect")]


def test_two_servers_in_one_file_are_told_apart(logs: Path, hands: Hands) -> None:
    def labelled(name: str, label: str) -> list[str]:
        return [f"{label:<9} | {line}\n" for line in (logs / name).read_text().splitlines()]

    crash, stop = labelled(CRASH, "sglang-a"), labelled(STOP, "sglang-b")
    begun = crash[:60] + stop[:60]
    watched = Watched("compose.log", clock=hands)
    said = run(watched, hands, "".join(begun + crash[60:]).encode())
    assert told(said) == [("died", "server_defect")]
    said = run(watched, hands, "".join(stop[60:]).encode())
    assert [verdict.event for verdict in said] == ["stopped"]


def test_a_restart_in_the_same_file_is_another_launch(logs: Path, hands: Hands) -> None:
    data = (logs / CRASH).read_bytes()
    watched = Watched("server.log", clock=hands)
    said = run(watched, hands, data) + run(watched, hands, data)
    assert [(verdict.event, verdict.data["launch"]) for verdict in said] == [("died", 0), ("died", 1)]
    assert said[0].data["fingerprint"] == said[1].data["fingerprint"]
    lines = data.count(b"\n")
    assert said[1].data["evidence"][0]["line"] == said[0].data["evidence"][0]["line"] + lines


def test_a_rule_is_told_of_once_and_its_launch_when_it_ends(logs: Path, hands: Hands) -> None:
    data = (logs / "story-2-booted-alone.log").read_bytes()
    watched = Watched("server.log", clock=hands)
    (found,) = run(watched, hands, data)
    assert (found.event, [one["rule"] for one in found.data["findings"]]) == ("finding", ["MEM101"])
    batches = [line for line in data.split(b"\n") if b" batch, #" in line or b" batch. #" in line]
    assert batches
    assert run(watched, hands, b"\n".join(batches) + b"\n") == []
    assert told(watched.last()) == [("last", "recorded_values_inconsistent")]


def test_a_running_server_is_not_worth_a_word_until_the_end(logs: Path, hands: Hands) -> None:
    data = (logs / CRASH).read_bytes()
    watched = Watched("server.log", clock=hands)
    assert run(watched, hands, data[: data.index(b"Traceback")].rsplit(b"\n", 1)[0] + b"\n") == []
    assert [verdict.event for verdict in watched.last()] == ["last"]


def test_lines_of_a_rotated_file_count_as_the_file_counts_them(logs: Path, hands: Hands) -> None:
    data = (logs / CRASH).read_bytes()
    watched = Watched("server.log", clock=hands)
    (before,) = run(watched, hands, data)
    watched.take(data, fresh=True)
    hands.now += 60
    (after,) = watched.verdicts()
    assert [line["file_line"] for line in after.data["evidence"]] == [line["line"] for line in before.data["evidence"]]
    (third,) = run(watched, hands, data)
    assert third.data["evidence"][0]["line"] == before.data["evidence"][0]["line"] + data.count(b"\n")


def test_a_crash_amid_lines_that_never_pause_is_told_of_in_time(logs: Path, hands: Hands) -> None:
    data = (logs / CRASH).read_bytes()
    watched = Watched("server.log", clock=hands, pace=Pace(most_s=5))
    watched.take(data)
    said: list[Verdict] = []
    access = b'[2026-11-29 12:39:01] INFO:     127.0.0.1:5 - "GET /health HTTP/1.1" 503 Service Unavailable\n'
    while not said and hands.now < 60:
        hands.now += 0.5
        watched.take(access)
        said = watched.verdicts() if watched.due else []
    assert told(said) == [("died", "server_defect")]
    assert hands.now <= 6


def test_words_of_a_failure_that_come_all_the_time_make_looks_rarer(hands: Hands) -> None:
    watched = Watched("server.log", clock=hands)
    looks = 0
    for n in range(3600):
        watched.take(b"[2026-11-29 12:39:01] a user wrote: Traceback (most recent call last) %d\n" % n)
        hands.now += 1
        if watched.due:
            watched.verdicts()
            looks += 1
    assert looks <= 15


def shifted(lines: list[bytes], hours: int, moment: Callable[[int], datetime.datetime]) -> bytes:
    stamp = re.compile(rb"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
    made = []
    for n in range(len(lines)):
        now = moment(n) + datetime.timedelta(hours=hours)
        made.append(stamp.sub(b"[" + now.strftime("%Y-%m-%d %H:%M:%S").encode(), lines[n]))
    return b"\n".join(made) + b"\n"


def test_a_look_that_fails_is_not_taken_again_at_once(
    logs: Path, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched("server.log", clock=hands)
    watched.take((logs / CRASH).read_bytes())
    hands.now += 60
    assert watched.due
    with monkeypatch.context() as patch:
        patch.setattr("logscope.watching.check", lambda launches: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            watched.verdicts()
    assert not watched.due
    assert told(watched.verdicts()) == [("died", "server_defect")]


def rules_of(said: list[Verdict]) -> set[str]:
    return {finding["rule"] for verdict in said for finding in verdict.data["findings"]}


def test_a_server_that_serves_for_days_is_followed_within_the_budget_and_says_no_more_than_all_its_lines(
    logs: Path, hands: Hands
) -> None:
    data = (logs / CRASH).read_bytes()
    crash = data.rindex(b"\n[2026", 0, data.index(b"Traceback")) + 1
    lines = data[:crash].split(b"\n")
    batches = [line for line in lines if b" batch, #" in line or b"HTTP/1.1" in line]
    assert len(batches) > 4
    begin, budget = datetime.datetime(2026, 11, 29, 13), 1 << 18
    bounded = Watched("server.log", clock=hands, budget_bytes=budget, threshold="warning")
    whole = Watched("server.log", clock=hands, budget_bytes=1 << 30, threshold="warning")
    for watched in (bounded, whole):
        watched.take(data[:crash])
    hour = [batches[n % len(batches)] for n in range(360)]
    said: list[Verdict] = []
    for hours in range(72):
        batch = shifted(hour, hours, lambda n: begin + datetime.timedelta(seconds=10 * n))
        for watched in (bounded, whole):
            watched.take(batch)
        hands.now += 3600
        assert bounded.kept.size <= budget
        said += bounded.verdicts() if hours % 24 == 23 else []
    assert whole.kept.size > 10 * budget
    assert bounded.kept.first == 1  # the arguments are still there
    assert {verdict.event for verdict in said} <= {"finding"}
    assert rules_of(said) <= rules_of(whole.verdicts())
    bounded.take(data[crash:])
    assert [(verdict.event, verdict.data["cause"]) for verdict in bounded.verdicts()] == [("died", "server_defect")]


def test_what_is_kept_has_the_numbers_of_the_log() -> None:
    kept = Kept("server.log", 1 << 30)
    kept.append(10, b"a\nb\n")
    kept.append(12, b"c\n")
    kept.unfinished = b"half"
    (whole, half) = kept.blocks()
    assert (whole.first, whole.data, half.first, half.data) == (10, b"a\nb\nc\n", 13, b"half")
    assert kept.lines_at([9, 11, 13, 14]) == {11: b"b", 13: b"half"}
    kept.drop_before(11)
    kept.shift(10)
    assert kept.lines_at([1, 2]) == {1: b"b", 2: b"c"}
    assert (kept.first, kept.lines) == (1, 4)


def test_lines_of_hot_families_go_first_and_the_newest_half_stays() -> None:
    kept = Kept("server.log", 3 << 20)
    hot = b"[2026-11-29 12:00:00 TP0] Decode batch, #running-req: 1, #token: 10, token usage: 0.00\n"
    rare = b"[2026-11-29 12:00:00 TP0] something that was said once\n"
    block = hot * 9 + rare
    for n in range(8000):
        kept.append(1 + 10 * n, block)
    assert kept.size <= 3 << 20
    blocks = list(kept.blocks())
    newest = b"".join(part.data for part in blocks)[-(1 << 20) :]
    assert newest.count(rare) * 9 - 9 <= newest.count(b"Decode") <= newest.count(rare) * 9 + 9
    middle = [part for part in blocks if part.numbers is not None]
    assert middle
    assert all(b"Decode" not in part.data for part in middle)
    assert kept.lines_at([1 + 10 * 7999])[1 + 10 * 7999] == hot[:-1]
