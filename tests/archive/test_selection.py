"""What a scan looks at, in which order, and what it refuses by name."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from logscope.archive.selection import STORE_MARK, Filter, Found, Refused, select


def paths(*names: object, wanted: Filter | None = None) -> list[str]:
    return [os.path.relpath(one.path) for one in select(map(str, names), wanted or Filter()) if isinstance(one, Found)]


def refused(*names: object) -> dict[str, str]:
    return {Path(one.path).name: one.kind for one in select(map(str, names), Filter()) if isinstance(one, Refused)}


def write(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x\n")
    return path


def test_a_directory_gives_its_files_in_natural_order(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("d/node10.log", "d/node2.log", "d/.hidden.log", "d/sub/a.log"):
        write(tmp_path / name)
    assert paths("d") == ["d/node2.log", "d/node10.log", "d/sub/a.log"]


def test_a_file_whose_name_is_a_pattern_is_that_file(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "run[1].log")
    write(tmp_path / "run1.log")
    assert paths("run[1].log") == ["run[1].log"]


def test_a_pattern_is_resolved_by_the_scan_itself(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a b/x.log", "a b/y.txt", "c/d/z.log"):
        write(tmp_path / name)
    assert paths("**/*.log") == ["a b/x.log", "c/d/z.log"]
    assert paths("a */*") == ["a b/x.log", "a b/y.txt"]


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "d/a.log")
    assert paths("d/a.log", "d", "d/*") == ["d/a.log"]


def test_excluded_folders_are_not_entered_and_names_are_tried_alone(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("d/old/a.log", "d/new/b.log", "d/new/c.tmp"):
        write(tmp_path / name)
    assert paths("d", wanted=Filter(exclude=("old", "*.tmp"))) == ["d/new/b.log"]


def test_a_link_out_of_the_tree_a_pipe_and_a_socket_are_refused_by_name(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    inside, outside = write(tmp_path / "d/a.log"), write(tmp_path / "secret.log")
    (tmp_path / "d/out.log").symlink_to(outside)
    (tmp_path / "d/in.log").symlink_to(inside)
    os.mkfifo(tmp_path / "d/pipe.log")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("d/sock.log")
        assert refused("d", "/dev/null", "none.log", "none*.log") == {
            "out.log": "symlink_out",
            "pipe.log": "device",
            "sock.log": "device",
            "null": "device",
            "none.log": "not_found",
            "none*.log": "not_found",
        }
    assert paths("d") == ["d/a.log", "d/in.log"]


def test_a_link_to_a_prefix_of_the_tree_leaves_it(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "d/a.log")
    (tmp_path / "d/b.log").symlink_to(write(tmp_path / "d-other/b.log"))
    assert refused("d") == {"b.log": "symlink_out"}


def test_a_store_inside_the_archive_is_no_input(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "d/a.log")
    write(tmp_path / "d/store" / STORE_MARK)
    write(tmp_path / "d/store/runs.log")
    assert paths("d") == ["d/a.log"]


def test_a_tree_without_an_end_is_refused_at_a_depth(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "d/a.log")
    deep = Path("d")
    for _ in range(400):
        deep = deep / "x"
    deep.mkdir(parents=True)
    assert set(refused("d").values()) == {"nesting"}
    assert paths("d") == ["d/a.log"]
