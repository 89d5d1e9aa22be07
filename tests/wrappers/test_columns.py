"""What wrappers say beside the text: original numbers, process labels, the outer clock, repeats."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import logscope
from logscope.source import Block, sources
from logscope.wrappers import run, unwrapper, unwrapping
from logscope.wrappers.json_lines import bare


def blocks_of(path: Path, text: str, size: int = 1 << 20) -> list[Block]:
    path.write_text(text, encoding="utf-8")
    return list(unwrapping(sources([path])[0], size))


def test_a_joined_line_bears_the_number_of_its_first_piece_and_the_others_keep_theirs(tmp_path: Path) -> None:
    text = (
        "2026-01-12T02:47:08.1Z stderr P [2026-01-12 02:47:08] server_\n"
        "2026-01-12T02:47:08.2Z stdout F between\n"
        "2026-01-12T02:47:08.3Z stderr P args=Serv\n"
        "2026-01-12T02:47:08.4Z stderr F erArgs()\n"
        "2026-01-12T02:47:08.5Z stderr F [2026-01-12 02:47:09] after\n"
    )
    (block,) = blocks_of(tmp_path / "a.log", text)
    assert block.data == b"between\n[2026-01-12 02:47:08] server_args=ServerArgs()\n[2026-01-12 02:47:09] after\n"
    assert block.numbers is not None
    assert block.numbers.tolist() == [2, 1, 5]


def test_a_piece_whose_end_never_comes_is_kept(tmp_path: Path) -> None:
    text = "2026-01-12T02:47:08.1Z stderr F a\n2026-01-12T02:47:08.2Z stderr P cut off here\n"
    found = blocks_of(tmp_path / "a.log", text, size=10)
    assert b"".join(block.data for block in found) == b"a\ncut off here\n"
    numbers = [block.first if block.numbers is None else int(block.numbers[0]) for block in found]
    assert numbers == [1, 2]


@pytest.mark.parametrize(
    ("name", "line", "label"),
    [
        ("compose", "sglang-1  | a", "sglang-1"),
        ("kubectl_prefix", "[pod/sglang-0-1/worker] a", "sglang-0-1/worker"),
        ("ray", "(SGLangEngine pid=361, ip=10.0.5.12) a", "SGLangEngine pid=361, ip=10.0.5.12"),
        ("srun", "  3: a", "task 3"),
        ("torchrun", "[rank3]: a", "rank 3"),
        ("torchrun", "[1,5]<stderr>:a", "rank 5"),
        ("journald", "Jan 12 02:47:08 gpu-1 sglang[7]: a", "gpu-1 sglang"),
        ("syslog", "<14>1 2026-01-12T02:47:08Z gpu-1 sglang 7 - - a", "gpu-1 sglang"),
        ("stern", "sglang-0 server › a", "sglang-0 server"),
        ("json_lines", '{"log": "a", "kubernetes": {"pod_name": "sglang-0", "host": "n1"}}', "sglang-0"),
        ("cloudwatch", "2026-05-20T08:02:44.797000+00:00 ecs/sglang/0a1b a", "ecs/sglang/0a1b"),
    ],
)
def test_the_process_that_a_wrapper_names_is_the_label(name: str, line: str, label: str) -> None:
    (block,) = run([Block("a.log", 1, f"{line}\n\n".encode())], [unwrapper(name, [line])])
    assert block.data == b"a\n\n"
    assert block.labels == (label, "")


def test_labels_of_nested_wrappers_stand_outermost_first() -> None:
    block = Block("a.log", 1, b"head-1  | (Engine pid=7) a\n")
    (found,) = run([block], [unwrapper("compose"), unwrapper("ray")])
    assert found.labels == ("head-1/Engine pid=7",)


@pytest.mark.parametrize(
    ("name", "line", "time"),
    [
        ("cri", "2026-03-05T11:26:31.865166804+08:00 stderr F a", "2026-03-05T03:26:31.865"),
        ("container_time", "2026-03-05T03:26:31.865166804Z a", "2026-03-05T03:26:31.865"),
        ("container_time", "2026-03-05T00:26:31-03:30 a", "2026-03-05T03:56:31.000"),
        ("cloudwatch", "1779264164797\t2026-05-20T08:02:44.797Z\ta", "2026-05-20T08:02:44.797"),
        ("kibana", "May 6, 2026 @ 20:42:57.225    a", "2026-05-06T20:42:57.225"),
        ("outer_time", "2026/05/06 20:42:57 a", "2026-05-06T20:42:57.000"),
        ("docker_json", '{"log":"a\\n","stream":"stderr","time":"2026-03-05T03:26:31.86Z"}', "2026-03-05T03:26:31.860"),
        ("json_lines", '{"date": 1768186028.5, "log": "a"}', "2026-01-12T02:47:08.500"),
        ("json_lines", '{"MESSAGE": "a", "__REALTIME_TIMESTAMP": "1768186028123456"}', "2026-01-12T02:47:08.123"),
        ("journald", "Jan 12 02:47:08 gpu-1 sglang[7]: a", "NaT"),
        ("container_time", "2026-13-45T99:26:31Z a", "NaT"),
    ],
)
def test_the_outer_clock_is_kept_in_utc_where_it_says_its_zone(name: str, line: str, time: str) -> None:
    (block,) = run([Block("a.log", 1, f"{line}\n".encode())], [unwrapper(name, [line])])
    assert block.data == b"a\n"
    found = np.array(["NaT"], "datetime64[ms]") if block.outer_times is None else block.outer_times
    assert str(found[0]) == time


def test_the_outermost_clock_of_two_is_kept() -> None:
    block = Block("a.log", 1, b"2026-03-05T03:26:31Z stderr F 2026-03-05T04:00:00Z a\n")
    (found,) = run([block], [unwrapper("cri"), unwrapper("container_time")])
    assert found.outer_times is not None
    assert str(found.outer_times[0]) == "2026-03-05T03:26:31.000"


def test_equal_lines_that_ray_kept_back_are_counted() -> None:
    text = (
        b"(W pid=1) [2025-05-23 18:02:29] Init torch distributed begin. [repeated 7x across cluster] "
        b"(Ray deduplicates logs by default. Set RAY_DEDUP_LOGS=0 to disable)\n(W pid=2) b\n"
    )
    (block,) = run([Block("a.log", 1, text)], [unwrapper("ray")])
    assert block.data == b"[2025-05-23 18:02:29] Init torch distributed begin.\nb\n"
    assert block.repeats is not None
    assert block.repeats.tolist() == [7, 0]


def test_a_message_of_several_lines_bears_one_number() -> None:
    entries = [{"message": '[2026-01-12 02:47:08] a\n  File "b.py", line 1\n'}, {"message": "[2026-01-12 02:47:09] c"}]
    text = "".join(json.dumps(entry) + "\n" for entry in entries)
    (block,) = run([Block("a.log", 5, text.encode())], [unwrapper("json_lines", text.split("\n"))])
    assert block.data == b'[2026-01-12 02:47:08] a\n  File "b.py", line 1\n[2026-01-12 02:47:09] c\n'
    assert block.numbers is not None
    assert block.numbers.tolist() == [5, 5, 6]


def test_the_only_clock_of_a_line_is_lent_to_it() -> None:
    lines = ["2025-07-05 17:27:14 - ERROR - Watchdog timeout (self.watchdog_timeout=300)", "  continued"]
    data = "".join(line + "\n" for line in lines).encode()
    (block,) = run([Block("a.log", 1, data)], [unwrapper("supervising_logger", lines)])
    assert block.data == b"[2025-07-05 17:27:14] Watchdog timeout (self.watchdog_timeout=300)\n  continued\n"
    assert block.outer_times is None


def test_an_entry_of_a_document_bears_the_number_of_its_message(tmp_path: Path) -> None:
    entries = [{"insertId": "a", "textPayload": f"[2026-01-12 02:47:0{i}] Load weight begin."} for i in range(3)]
    found = blocks_of(tmp_path / "a.json", json.dumps({"events": entries}, indent=4), size=50)
    data = b"".join(block.data for block in found)
    numbers = [n for b in found for n in ([b.first] if b.numbers is None else b.numbers.tolist())]
    assert data.split(b"\n")[:3] == [entry["textPayload"].encode() for entry in entries]
    assert numbers == [5, 9, 13]


def test_the_file_that_tail_names_is_the_label_across_blocks(tmp_path: Path) -> None:
    text = "==> node0.log <==\n[2026-01-12 02:47:01] a\n\n==> node1.log <==\n[2026-01-12 02:47:02] b\n"
    found = blocks_of(tmp_path / "a.log", text, size=20)
    labels = [label for block in found for label in block.labels or ()]
    assert labels == ["node0.log", "node0.log", "node0.log", "node1.log", "node1.log"]


def test_what_wrappers_joined_and_split_is_counted(tmp_path: Path) -> None:
    pieces = "2026-01-12T02:47:08Z stderr P [2026-01-12 02:47:08] a\n" + "2026-01-12T02:47:08Z stderr F b\n" * 2
    path = tmp_path / "a.log"
    path.write_text(pieces)
    joined = unwrapping(sources([path])[0], 10)
    assert sum(block.data.count(b"\n") for block in joined) == 2
    assert (joined.joined_lines, joined.extra_lines) == (1, 0)
    path.write_text(json.dumps({"message": "[2026-01-12 02:47:08] a\nb\nc"}) + "\n")
    split = unwrapping(sources([path])[0])
    assert sum(block.data.count(b"\n") for block in split) == 3
    assert (split.joined_lines, split.extra_lines) == (0, 2)


def test_a_line_of_a_shipper_is_quoted_as_the_server_printed_it(tmp_path: Path) -> None:
    printed = [
        "[2026-01-12 02:47:08 TP0] Scheduler hit an exception: Traceback (most recent call last):",
        '  File "/opt/sglang/srt/managers/scheduler.py", line 9, in event_loop_normal',
        "    self.run_batch(batch)",
        'ValueError: a "quoted" word',
    ]
    path = tmp_path / "shipped.log"
    path.write_text("".join(json.dumps({"log": f"{line}\n", "stream": "stderr"}) + "\n" for line in printed))
    quoted = logscope.analyze(logscope.open_log(path)).data["verdict"]["evidence"]
    assert quoted
    assert {line["text"] for line in quoted} <= set(printed)


def test_an_object_without_a_message_of_one_line_is_quoted_whole() -> None:
    for line in ('{"level": "info"}', '{"log": "a\\nb"}', "no object", '{"log": "cut'):
        assert bare(line) == line
