"""Several inputs of one incident: what becomes one launch and why, what stays apart, what counts once, in any order."""

from __future__ import annotations

import datetime
import gzip
import itertools
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import logscope
from logscope.facts.failures import failures
from logscope.log import Log

LOGS = Path(__file__).parent / "fixtures" / "logs"
JOINED = LOGS / "joined"
NODES = JOINED / "two-nodes"
SHARED = Path(os.environ.get("LOGSCOPE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
RANKED = [LOGS / "story-2-refused-then-booted.log", LOGS / "0.5.9-g3-tp2-kill-rank1.log"]
RANKED += sorted((SHARED / "reallogs").glob("*g*-tp2*.log"))
STAMP = re.compile(r"(?m)^\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")
PREFIX = re.compile(rb"\[\d{4}-\d\d-\d\d [\d:]+((?: [A-Z]+\d+)*)\]")


def told(*paths: Path) -> tuple[Log, Mapping[str, Any]]:
    log = logscope.open_log(list(paths))
    return log, logscope.analyze(log).data


def written(folder: Path, **texts: str) -> list[Path]:
    paths = []
    for name, text in texts.items():
        paths.append(folder / f"{name}.log")
        paths[-1].write_text(text, encoding="utf-8")
    return paths


def moved(text: str, seconds: int) -> str:
    """The text by a clock that is ahead."""

    def later(stamp: re.Match[str]) -> str:
        return f"[{datetime.datetime.fromisoformat(stamp[1]) + datetime.timedelta(seconds=seconds):%Y-%m-%d %H:%M:%S}"

    return STAMP.sub(later, text)


def quoted(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(Path(line["path"]).name, line["text"]) for line in report["verdict"]["evidence"]]


@pytest.mark.parametrize("names", [("node0.log", "node1.log"), ("node1.log", "node0.log")])
def test_the_cause_is_found_on_the_node_whose_rank_died_first(names: Sequence[str]) -> None:
    _, report = told(*(NODES / name for name in names))
    assert report["verdict"]["cause"] == "forward_out_of_memory"
    assert quoted(report)[0][0] == "node1.log"
    assert quoted(report)[0][1].startswith("torch.OutOfMemoryError: CUDA out of memory.")
    launch = report["launches"][0]
    assert len(report["launches"]) == 1
    assert launch["ranks"] == [*(f"TP{n}" for n in range(16)), "main"]
    assert "node_rank 0 and 1 of nnodes 2 with the same arguments" in launch["joined_because"]
    assert [Path(piece["path"]).name for piece in launch["pieces"]] == ["node0.log", "node1.log"]
    assert launch["arguments"]["node_rank"] == 0


def test_the_followers_alone_do_not_name_the_cause() -> None:
    _, report = told(NODES / "node0.log")
    assert report["verdict"]["cause"] == "peer_lost"
    assert any("other node" in one for one in report["verdict"]["missing"])


@pytest.mark.parametrize("seconds", [37, -41, 8 * 3600, -9 * 3600])
def test_a_clock_that_is_wrong_does_not_change_who_failed_first(tmp_path: Path, seconds: int) -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in NODES.iterdir()}
    log, report = told(*written(tmp_path, node0=texts["node0"], node1=moved(texts["node1"], seconds)))
    assert report["verdict"]["cause"] == "forward_out_of_memory"
    assert quoted(report)[0][0] == "node1.log"
    (offset,) = report["launches"][0]["clock_offsets"]
    assert offset["path"].endswith("node1.log")
    assert offset["lo_s"] - 1 <= seconds <= offset["hi_s"] + 1
    assert offset["hi_s"] - offset["lo_s"] <= 6
    assert "distributed init end" in offset["why"]
    assert failures(log.launches[0])[0].ref.path.endswith("node1.log")


def test_a_node_without_arguments_joins_by_the_ranks_that_the_other_lacks(tmp_path: Path) -> None:
    text = (NODES / "node1.log").read_text(encoding="utf-8")
    bare = "".join(line for line in text.splitlines(keepends=True) if "server_args=" not in line)
    _, report = told(NODES / "node0.log", *written(tmp_path, worker=bare))
    assert len(report["launches"]) == 1
    assert "has TP8 to TP15" in report["launches"][0]["joined_because"]
    assert quoted(report)[0][0] == "worker.log"


def test_a_node_of_another_start_is_not_joined(tmp_path: Path) -> None:
    late = moved((NODES / "node1.log").read_text(encoding="utf-8"), 2 * 3600 + 700)
    _, report = told(NODES / "node0.log", *written(tmp_path, node1=late))
    assert len(report["launches"]) == 2
    assert "s apart" in report["launches"][0]["kept_apart"][0]["why"]


def test_each_start_of_a_node_finds_the_start_of_the_other(tmp_path: Path) -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in NODES.iterdir()}
    twice = {name: text + moved(text, 900) + moved(text, 1800) for name, text in texts.items()}
    log, report = told(*written(tmp_path, **twice))
    assert [len(launch.pieces) for launch in log.launches] == [2, 2, 2]
    assert [launch["start"] for launch in report["launches"]] == [
        "2026-03-11T04:02:10",
        "2026-03-11T04:17:10",
        "2026-03-11T04:32:10",
    ]


def test_an_overlap_of_two_dumps_of_a_pod_counts_once() -> None:
    _, report = told(JOINED / "pod" / "current.log", JOINED / "pod" / "previous.log")
    (launch,) = report["launches"]
    assert "begins with the last 20 lines of" in launch["joined_because"]
    current = report["inputs"][0]
    assert (current["lines"], current["overlap"]["lines"]) == (60, 20)
    assert report["coverage"]["lines"] == 86 + 60 - 20
    batches = {table["name"]: table["rows"] for table in report["tables"]}
    assert batches["decode_batch"] == 40 + 12
    assert report["verdict"]["cause"] == "forward_out_of_memory"


def test_the_same_content_twice_counts_once(tmp_path: Path) -> None:
    text = (JOINED / "pod" / "previous.log").read_text(encoding="utf-8")
    _, once = told(JOINED / "pod" / "previous.log")
    _, twice = told(*written(tmp_path, a=text, b=text))
    assert twice["coverage"]["lines"] == once["coverage"]["lines"]
    assert twice["tables"] == once["tables"]
    assert len(twice["launches"]) == 1
    assert "joined_because" not in twice["launches"][0]
    assert twice["inputs"][1]["notes"] == [f"same content as {tmp_path / 'a.log'}: counted once, there"]


def rotated(folder: Path) -> list[Path]:
    """One log as a rotation leaves it, newest first."""
    previous = (JOINED / "pod" / "previous.log").read_text(encoding="utf-8").splitlines(keepends=True)
    whole = previous + (JOINED / "pod" / "current.log").read_text(encoding="utf-8").splitlines(keepends=True)[20:]
    (folder / "server.log").write_text("".join(whole[70:]), encoding="utf-8")
    (folder / "server.log.1").write_text("".join(whole[8:70]), encoding="utf-8")
    (folder / "server.log.2.gz").write_bytes(gzip.compress("".join(whole[:8]).encode()))
    (folder / "whole.txt").write_text("".join(whole), encoding="utf-8")
    return [folder / "server.log", folder / "server.log.1", folder / "server.log.2.gz"]


def test_a_rotated_log_is_one_launch_in_the_order_of_its_times(tmp_path: Path) -> None:
    pieces = rotated(tmp_path)
    _, whole = told(tmp_path / "whole.txt")
    _, report = told(*pieces)
    (launch,) = report["launches"]
    assert [Path(piece["path"]).name for piece in launch["pieces"]] == [path.name for path in reversed(pieces)]
    assert launch["joined_because"].count("is the next piece of the rotated log") == 2
    same = ("cause", "confidence", "sentence", "fraction", "fraction_range")
    assert {key: report["verdict"].get(key) for key in same} == {key: whole["verdict"].get(key) for key in same}
    assert report["coverage"]["recognised"] == whole["coverage"]["recognised"]
    assert report["tables"] == whole["tables"]


def test_a_log_that_was_split_goes_on_in_the_next_piece(tmp_path: Path) -> None:
    rotated(tmp_path)
    lines = (tmp_path / "whole.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    paths = written(tmp_path, xab="".join(lines[30:80]), xaa="".join(lines[:30]), xac="".join(lines[80:]))
    _, report = told(*paths)
    (launch,) = report["launches"]
    assert "with the same ranks and no start of its own" in launch["joined_because"]
    assert launch["arguments"]["tp_size"] == 1


def test_a_pod_that_started_again_has_two_launches(tmp_path: Path) -> None:
    rotated(tmp_path)
    again = (JOINED / "two-servers" / "alpha.log").read_text(encoding="utf-8")
    text = (tmp_path / "whole.txt").read_text(encoding="utf-8")
    _, report = told(*written(tmp_path, current=again, previous=text))
    assert [launch["state"] for launch in report["launches"]] == ["ready_then_crashed", "ready"]
    assert report["launches"][1]["kept_apart"][0]["why"].startswith("a later start: ")
    assert report["verdict"]["launch"] == 0


def whole_lines(folder: Path) -> list[str]:
    rotated(folder)
    return (folder / "whole.txt").read_text(encoding="utf-8").splitlines(keepends=True)


def test_three_dumps_that_overlap_in_a_row_count_once(tmp_path: Path) -> None:
    lines = whole_lines(tmp_path)
    _, report = told(*written(tmp_path, c="".join(lines[50:]), a="".join(lines[:60]), b="".join(lines[20:90])))
    assert [one.get("overlap", {}).get("lines") for one in report["inputs"]] == [40, None, 40]
    assert report["coverage"]["lines"] == len(lines)
    assert len(report["launches"]) == 1


def test_an_overlap_that_begins_within_a_line_counts_once(tmp_path: Path) -> None:
    lines = whole_lines(tmp_path)
    _, report = told(*written(tmp_path, a="".join(lines[:60]), b=lines[40][25:] + "".join(lines[41:])))
    assert report["inputs"][1]["overlap"]["lines"] == 20
    assert report["coverage"]["lines"] == len(lines)


def test_lines_that_are_alike_by_chance_are_no_overlap(tmp_path: Path) -> None:
    access = '[2026-03-11 09:00:59] INFO:     10.0.0.1:1 - "GET /health HTTP/1.1" 200 OK\n'
    alpha, beta = ((JOINED / "two-servers" / f"{name}.log").read_text(encoding="utf-8") for name in ("alpha", "beta"))
    _, report = told(*written(tmp_path, a=alpha + access, b=access + beta))
    assert not any("overlap" in one for one in report["inputs"])
    assert len(report["launches"]) == 2


def test_the_pieces_of_one_host_share_the_bounds_of_its_clock(tmp_path: Path) -> None:
    texts = {path.stem: path.read_text(encoding="utf-8").splitlines(keepends=True) for path in NODES.iterdir()}
    paths = []
    for name, seconds in (("node0", 0), ("node1", 37)):
        for piece, lines in ((f"{name}.log.1", texts[name][:60]), (f"{name}.log", texts[name][60:])):
            paths.append(tmp_path / piece)
            paths[-1].write_text(moved("".join(lines), seconds), encoding="utf-8")
    log, report = told(*paths)
    assert len(log.launches) == 1
    assert [Path(one["path"]).name for one in report["launches"][0]["clock_offsets"]] == ["node1.log.1", "node1.log"]
    assert quoted(report)[0][0] == "node1.log"
    assert failures(log.launches[0])[0].ref.path.endswith("node1.log")


def test_a_part_that_fits_two_launches_alike_joins_none(tmp_path: Path) -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in NODES.iterdir()}
    bare = "".join(line for line in texts["node1"].splitlines(keepends=True) if "server_args=" not in line)
    other = moved(texts["node0"], 4).replace(":5000", ":5001")
    named = written(tmp_path, alpha_0=texts["node0"], beta_0=other, alpha_1=moved(bare, 2))
    assert [len(launch.pieces) for launch in told(*named)[0].launches] == [2, 1]
    nameless = written(tmp_path, x=texts["node0"], y=other, z=moved(bare, 2))
    _, report = told(*nameless)
    assert len(report["launches"]) == 3
    assert any("fits several launches alike" in one["why"] for one in report["launches"][2]["kept_apart"])


def test_nodes_with_other_arguments_are_one_launch_and_the_difference_is_named(tmp_path: Path) -> None:
    other = (NODES / "node1.log").read_text(encoding="utf-8").replace("fraction_static=0.88", "fraction_static=0.8")
    _, report = told(NODES / "node0.log", *written(tmp_path, node1=other))
    assert len(report["launches"]) == 1
    assert "but another mem_fraction_static" in report["launches"][0]["joined_because"]


def test_output_and_errors_of_one_server_are_one_launch(tmp_path: Path) -> None:
    lines = whole_lines(tmp_path)
    access = [line for line in lines if "HTTP/1.1" in line]
    rest = [line for line in lines if "HTTP/1.1" not in line]
    _, report = told(*written(tmp_path, out="".join(access), err="".join(rest)))
    assert len(report["launches"]) == 1
    assert "lines of the main process only" in report["launches"][0]["joined_because"]


def test_the_failure_of_a_client_is_not_that_of_the_server(tmp_path: Path) -> None:
    client = (
        "============ Serving Benchmark Result ============\n"
        "Successful requests:                     812\n"
        "Traceback (most recent call last):\n"
        '  File "/opt/bench/run.py", line 40, in main\n'
        "    answer.raise_for_status()\n"
        "requests.exceptions.ConnectionError: HTTPConnectionPool(host='10.0.0.1', port=30000): Max retries exceeded\n"
    )
    _, report = told(*written(tmp_path, server="".join(whole_lines(tmp_path)), bench=client))
    assert [launch.get("role") for launch in report["launches"]] == [None, "client"]
    assert report["verdict"]["cause"] == "forward_out_of_memory"


def test_of_servers_that_fail_within_minutes_the_first_is_the_verdict(tmp_path: Path) -> None:
    """Prefill starts later here, and dies of what decode's end does to it."""
    folder = JOINED / "prefill-decode"
    closed = (NODES / "node0.log").read_text(encoding="utf-8").splitlines(keepends=True)[174:]
    stamped = [re.sub(r"^\[\S+ \S+ TP3", "[2026-03-11 13:05:58 TP1", line) for line in closed[:15]]
    stamped = [re.sub(r"^\[\S+ \S+ TP0", "[2026-03-11 13:05:58 TP0", line) for line in stamped]
    prefill = moved((folder / "prefill.log").read_text(encoding="utf-8"), 10) + "".join(stamped)
    _, report = told(*written(tmp_path, prefill=prefill), folder / "decode.log")
    assert [launch["state"] for launch in report["launches"]] == ["ready_then_crashed"] * 2
    assert [launch["role"] for launch in report["launches"]] == ["decode", "prefill"]
    assert quoted(report)[0][0] == "decode.log"


def test_two_servers_are_not_joined_and_the_reason_is_given() -> None:
    _, report = told(JOINED / "two-servers" / "beta.log", JOINED / "two-servers" / "alpha.log")
    assert [launch["model"] for launch in report["launches"]] == ["acme/chat-14b", "acme/code-13b"]
    assert report["launches"][0]["kept_apart"] == [
        {"path": str(JOINED / "two-servers" / "beta.log"), "why": "another model: acme/chat-14b and acme/code-13b"}
    ]


def test_two_replicas_with_the_same_arguments_are_not_joined(tmp_path: Path) -> None:
    text = (JOINED / "two-servers" / "alpha.log").read_text(encoding="utf-8")
    _, report = told(*written(tmp_path, one=text, two=moved(text, 2)))
    assert [launch["kept_apart"][0]["why"] for launch in report["launches"]] == ["each is a server of one node"] * 2


def test_excerpts_of_two_servers_that_both_have_a_rank_stay_apart(tmp_path: Path) -> None:
    text = (JOINED / "two-servers" / "alpha.log").read_text(encoding="utf-8")
    batches = "".join(line for line in text.splitlines(keepends=True) if "Decode batch" in line)
    _, report = told(*written(tmp_path, one=batches, two=moved(batches, 2)))
    assert [launch["kept_apart"][0]["why"] for launch in report["launches"]] == ["both have a rank TP0"] * 2


def test_the_servers_of_a_disaggregated_deployment_keep_their_roles() -> None:
    folder = JOINED / "prefill-decode"
    _, report = told(folder / "router.log", folder / "decode.log", folder / "prefill.log")
    roles = {Path(launch["name"]).name.partition(".")[0]: launch["role"] for launch in report["launches"]}
    assert roles == {"prefill": "prefill", "decode": "decode", "router": "router"}
    assert report["verdict"]["cause"] == "forward_out_of_memory"
    assert quoted(report)[0][0] == "decode.log"
    reasons = {one["why"] for launch in report["launches"] for one in launch["kept_apart"]}
    assert "another role: prefill and decode" in reasons


def test_requests_that_two_servers_logged_bound_their_clocks(tmp_path: Path) -> None:
    """Decode's clock is 90 s ahead: a request lasts 1 s in prefill and 4 s in decode."""
    folder = JOINED / "prefill-decode"
    texts = {name: (folder / f"{name}.log").read_text(encoding="utf-8") for name in ("prefill", "decode")}
    for n in range(3):
        asked = f"obj=GenerateReqInput(rid='8c1f{n}', text='a')"
        texts["prefill"] += (
            f"[2026-03-11 13:06:{n}0] Receive: {asked}\n[2026-03-11 13:06:{n}1] Finish: {asked}, out={{}}\n"
        )
        texts["decode"] += (
            f"[2026-03-11 13:06:{n}0] Receive: {asked}\n[2026-03-11 13:06:{n}4] Finish: {asked}, out={{}}\n"
        )
    _, report = told(*written(tmp_path, prefill=texts["prefill"], decode=moved(texts["decode"], 90)))
    decode = next(launch for launch in report["launches"] if launch["role"] == "decode")
    (offset,) = decode["clock_offsets"]
    assert (Path(offset["path"]).name, Path(offset["against"]).name) == ("decode.log", "prefill.log")
    assert (offset["lo_s"], offset["hi_s"]) == (90 - 1 - 1, 90 + 4 + 1)
    assert "3 requests with the same id" in offset["why"]


def test_two_services_in_one_file_are_two_launches() -> None:
    _, report = told(JOINED / "compose.log")
    models = [launch["model"] for launch in report["launches"]]
    assert models == ["acme/chat-14b", "acme/rank-12b"]
    assert [launch["state"] for launch in report["launches"]] == ["ready", "ready_then_crashed"]
    assert report["launches"][1]["pieces"][0]["labels"] == ["rerank-1"]
    assert report["verdict"]["launch"] == 1
    assert sum(launch["series"][0]["rows"] for launch in report["launches"] if launch["series"]) == 30 + 20


def test_two_nodes_in_one_file_are_one_launch(tmp_path: Path) -> None:
    lines: list[tuple[str, str]] = []
    for name in ("node0", "node1"):
        stamp = ""
        for line in (NODES / f"{name}.log").read_text(encoding="utf-8").splitlines():
            stamp = line[1:20] if line.startswith("[2026") else stamp
            lines.append((stamp, f"[pod/sglang-{name}/sglang] {line}\n"))
    both = "".join(line for _, line in sorted(lines, key=lambda item: item[0]))
    _, report = told(*written(tmp_path, both=both))
    assert len(report["launches"]) == 1
    assert "both.log (sglang-node0/sglang)" in report["launches"][0]["joined_because"]
    assert len(report["launches"][0]["ranks"]) == 17
    assert report["verdict"]["cause"] == "forward_out_of_memory"


def test_a_label_of_a_rank_splits_no_launch(tmp_path: Path) -> None:
    text = (NODES / "node1.log").read_text(encoding="utf-8")
    labelled = "".join(
        line if line.startswith("[2026") else f"[rank11]: {line}" for line in text.splitlines(keepends=True)
    )
    _, report = told(*written(tmp_path, node1=labelled))
    assert len(report["launches"]) == 1
    assert "pieces" not in report["launches"][0]


def test_what_the_kernel_says_belongs_to_the_server_beside_it(tmp_path: Path) -> None:
    kernel = (
        "[  913.410000] sglang::schedul invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), "
        "order=0, oom_score_adj=0\n"
        "[  913.512288] Out of memory: Killed process 573170 (sglang::schedul) total-vm:181233412kB, "
        "anon-rss:10342160kB, file-rss:4096kB, shmem-rss:65757280kB, UID:0 pgtables:160412kB oom_score_adj:0\n"
    )
    _, report = told(JOINED / "two-servers" / "alpha.log", *written(tmp_path, dmesg=kernel))
    assert len(report["launches"]) == 1
    assert report["verdict"]["cause"] == "host_killed_process"
    assert quoted(report)[0][0] == "dmesg.log"


@pytest.mark.parametrize("folder", ["two-nodes", "pod", "two-servers", "prefill-decode"])
def test_the_order_in_which_inputs_are_given_does_not_matter(folder: str) -> None:
    reports = []
    for paths in itertools.permutations(sorted((JOINED / folder).iterdir())):
        _, report = told(*paths)
        reports.append({**report, "inputs": sorted(report["inputs"], key=lambda one: one["path"])})
    assert all(report == reports[0] for report in reports[1:])


def by_rank(path: Path, folder: Path) -> list[Path]:
    """One file a rank; a line without a rank goes where the line before it went."""
    texts: dict[str, list[bytes]] = {}
    name = "main"
    for line in re.findall(rb"[^\n]*\n|[^\n]+$", path.read_bytes()):
        found = PREFIX.match(line)
        name = found[1].decode().strip().replace(" ", "_") or "main" if found else name
        texts.setdefault(name, []).append(line)
    for name, lines in texts.items():
        (folder / f"{name}.log").write_bytes(b"".join(lines))
    return sorted(folder.iterdir())


def rows(log: Log, launch: int, rank: str) -> dict[str, list[Any]]:
    """The rows of one rank without where they stand; bare lines are nobody's and may go to another file."""
    found = {}
    for name in ("load_weight", "kv_pool", "memory_pool_end", "graph_capture", "capacity", "decode_batch"):
        table = log.launches[launch].rank(rank).table(name)
        if isinstance(table, pa.Table) and table.num_rows:
            dropped = [c for c in table.column_names if c in ("path", "line") or c.startswith("_")]
            found[name] = table.drop_columns(dropped).to_pylist()
    return found


@pytest.mark.parametrize("path", RANKED, ids=lambda path: path.stem)
def test_a_log_split_by_rank_tells_what_the_whole_tells(path: Path, tmp_path: Path) -> None:
    log, whole = told(path)
    split, report = told(*by_rank(path, tmp_path))
    assert [launch.ranks for launch in split.launches] == [launch.ranks for launch in log.launches]
    for launch in log.launches:
        for rank in launch.ranks:
            assert rows(split, launch.id, rank) == rows(log, launch.id, rank)
    same = ("launch", "cause", "confidence", "sentence", "fraction", "fraction_range", "command")
    assert {key: report["verdict"].get(key) for key in same} == {key: whole["verdict"].get(key) for key in same}
    assert [launch["state"] for launch in report["launches"]] == [launch["state"] for launch in whole["launches"]]
    counts = ("lines", "recognised", "continuation", "noise", "unread")
    assert {key: report["coverage"][key] for key in counts} == {key: whole["coverage"][key] for key in counts}


CUT = [*RANKED[:2], LOGS / "story-1-third-start-at-04.log", LOGS / "0.5.23-f-not-enough-memory.log"]


@pytest.mark.parametrize("path", [*CUT, NODES / "node1.log"], ids=lambda path: path.stem)
def test_a_rotation_at_any_line_changes_no_verdict(path: Path, tmp_path: Path) -> None:
    lines = re.findall(rb"[^\n]*\n|[^\n]+$", path.read_bytes())
    _, whole = told(path)
    for cut in {1, 7, len(lines) - 1, *range(11, len(lines), max(1, len(lines) // 5))}:
        (tmp_path / "server.log.1").write_bytes(b"".join(lines[:cut]))
        (tmp_path / "server.log").write_bytes(b"".join(lines[cut:]))
        _, report = told(tmp_path / "server.log", tmp_path / "server.log.1")
        for key in ("launch", "cause", "confidence", "sentence", "fraction"):
            assert report["verdict"][key] == whole["verdict"][key], f"cut behind line {cut}"
        assert [one["state"] for one in report["launches"]] == [one["state"] for one in whole["launches"]], cut
        assert report["coverage"]["lines"] == whole["coverage"]["lines"]


def with_outer_clock(text: str, ahead_s: float, *, bare: bool) -> str:
    """A log as `docker logs -t` shows it; bare: of a release that printed no clock of its own."""
    made, now = [], ""
    for line in text.splitlines():
        found = STAMP.match(line)
        if found:
            moment = datetime.datetime.fromisoformat(found[1]) + datetime.timedelta(seconds=ahead_s)
            now = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}456789Z"
        shown = line.partition("] ")[2] if found and bare else line
        made.append(f"{now} {shown}\n")
    return "".join(made)


def test_the_outer_clock_is_the_time_where_no_other_is_printed(tmp_path: Path) -> None:
    rotated(tmp_path)
    text = (tmp_path / "whole.txt").read_text(encoding="utf-8")
    _, plain = told(tmp_path / "whole.txt")
    log, report = told(*written(tmp_path, bare=with_outer_clock(text, 0.25, bare=True)))
    assert report["launches"][0]["start"] == "2026-03-11T09:00:00.250"
    assert report["inputs"][0]["clocks"][0]["orders"] == "outer"
    assert len(report["launches"][0]["series"]) == len(plain["launches"][0]["series"])
    times = log.launches[0].table("decode_batch")["time"]
    assert times.null_count == 0
    assert pc.count_distinct(times).as_py() == 52


def test_of_two_clocks_on_one_line_the_inner_one_orders(tmp_path: Path) -> None:
    rotated(tmp_path)
    text = (tmp_path / "whole.txt").read_text(encoding="utf-8")
    log, report = told(*written(tmp_path, both=with_outer_clock(text, -7 * 3600 + 0.25, bare=False)))
    assert report["launches"][0]["start"] == "2026-03-11T09:00:00"
    (clocks,) = report["inputs"][0]["clocks"]
    assert clocks["orders"] == "inner"
    assert clocks["offset_s"] == {"lo": -25199.75, "hi": -25199.75}
    # The line of the exception has no stamp of its own: the outer one, by the inner clock.
    (raised,) = log.launches[0].rows("allocator_failure")
    assert raised["time"] == datetime.datetime(2026, 3, 11, 9, 10, 50, 250000)
