"""Chrome trace events."""

from __future__ import annotations

import json

from logscope.render.trace import trace


def events_of(report: dict) -> list[dict]:
    return json.loads(trace(report))["traceEvents"]


def test_every_event_has_what_its_phase_needs(any_report: dict) -> None:
    for event in events_of(any_report):
        assert event["ph"] in "MXiC"
        assert {"name", "pid", "tid"} <= set(event)
        if event["ph"] != "M":
            assert isinstance(event["ts"], int)
        if event["ph"] == "X":
            assert event["dur"] >= 0
        if event["ph"] == "C":
            assert all(isinstance(value, (int, float)) for value in event["args"].values())


def test_events_are_in_the_order_of_time(kept_report: dict) -> None:
    times = [event["ts"] for event in events_of(kept_report) if event["ph"] != "M"]
    assert times == sorted(times)
    assert times[0] >= 0


def test_each_launch_is_a_process_and_each_rank_a_thread(kept_report: dict) -> None:
    named = [event for event in events_of(kept_report) if event["ph"] == "M"]
    launches = kept_report["launches"]
    assert [e["pid"] for e in named if e["name"] == "process_name"] == [one["id"] + 1 for one in launches]
    threads = {(e["pid"], e["args"]["name"]) for e in named if e["name"] == "thread_name"}
    assert {(one["id"] + 1, rank) for one in launches for rank in one["ranks"]} <= threads


def test_a_second_launch_begins_where_its_clock_says(kept_report: dict) -> None:
    import datetime

    first, second = (datetime.datetime.fromisoformat(one["start"]) for one in kept_report["launches"])
    begin = min(e["ts"] for e in events_of(kept_report) if e["pid"] == 2 and e["ph"] != "M")
    assert begin == (second - first).total_seconds() * 1e6


def test_interval_artefacts_are_not_counters(empty_report: dict) -> None:
    series = {
        "name": "gen_throughput_tok_s",
        "t": [0.0, 1.0, 2.0],
        "lo": [5, 1, 6],
        "hi": [7, 1, 6],
        "flags": [0, 1, 0],
    }
    empty_report["launches"] = [{"id": 0, "ranks": [], "phases": [], "series": [series]}]
    counters = [event["args"] for event in events_of(empty_report) if event["ph"] == "C"]
    assert counters == [{"highest": 7, "lowest": 5}, {"highest": 6}]


def test_a_phase_without_an_end_is_not_drawn_and_one_with_seconds_is(empty_report: dict) -> None:
    start = "2026-11-29T12:00:00"
    phases = [
        {"name": "open", "start": start},
        {"name": "load", "rank": "TP0", "start": "2026-11-29T12:00:02", "seconds": 3},
    ]
    empty_report["launches"] = [{"id": 0, "start": start, "ranks": ["TP0"], "phases": phases}]
    spans = [(e["name"], e["ts"], e["dur"]) for e in events_of(empty_report) if e["ph"] == "X"]
    assert spans == [("load", 2_000_000, 3_000_000)]
