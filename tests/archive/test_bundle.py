"""Bundles are read in place, and what is hostile in them is refused by name while the rest is read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from logscope.archive.bundle import members
from logscope.archive.member import Budget, Caps
from logscope.archive.selection import Refused
from logscope.errors import LogRefused, LogUnreadable

Scanned = Callable[..., list[dict[str, Any]]]
TEXT = b"[2026-11-29 12:00:00] server log\n"


def tar_of(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def zip_of(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, data in files.items():
            bundle.writestr(name, data)
    return out.getvalue()


def read(data: bytes, caps: Caps | None = None) -> dict[str, bytes | str]:
    """What a bundle holds: the bytes of a member, the kind of a refusal."""
    found: dict[str, bytes | str] = {}
    for one in members(lambda: io.BytesIO(data), "b", Budget(caps or Caps(), "b", len(data))):
        if isinstance(one, Refused):
            found[one.path] = one.kind
        else:
            with one.opener() as first, one.opener() as again:
                found[one.path] = first.read()
                assert again.read() == found[one.path]
    return found


@pytest.mark.parametrize(
    "pack",
    [lambda d: d, gzip.compress, bz2.compress, lzma.compress, zstandard.compress],
    ids=["plain", "gzip", "bzip2", "xz", "zstd"],
)
def test_a_tar_is_read_in_place_in_every_compression(pack: Callable[[bytes], bytes]) -> None:
    files = {"a.log": TEXT, "d/b.log": TEXT * 3}
    assert read(pack(tar_of(files))) == {f"b!/{name}": data for name, data in files.items()}


def test_a_member_too_large_to_hold_is_read_from_the_bundle_again() -> None:
    files = {"a.log": TEXT, "b.log": TEXT * 100, "c.log": TEXT}
    assert read(gzip.compress(tar_of(files)), Caps(held_bytes=100)) == {f"b!/{n}": d for n, d in files.items()}


def test_bundles_in_bundles_have_nested_paths_up_to_a_depth() -> None:
    inner = zip_of({"node.log": TEXT})
    data = gzip.compress(tar_of({"x.zip": inner, "y.tar.xz": lzma.compress(tar_of({"z.zip": inner}))}))
    assert read(data) == {"b!/x.zip!/node.log": TEXT, "b!/y.tar.xz!/z.zip!/node.log": TEXT}
    assert read(data, Caps(nesting=2)) == {"b!/x.zip!/node.log": TEXT, "b!/y.tar.xz!/z.zip": "nesting"}


def test_a_tar_with_devices_links_and_names_that_leave_it_gives_the_rest() -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, kind, link in (
            ("dev.log", tarfile.CHRTYPE, ""),
            ("pipe.log", tarfile.FIFOTYPE, ""),
            ("abs.log", tarfile.SYMTYPE, "/etc/passwd"),
            ("d/up.log", tarfile.SYMTYPE, "../../x"),
            ("d/near.log", tarfile.SYMTYPE, "../a.log"),
            ("../evil.log", tarfile.REGTYPE, ""),
            ("/root.log", tarfile.REGTYPE, ""),
        ):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, link
            tar.addfile(entry)
        entry = tarfile.TarInfo("a.log")
        entry.size = len(TEXT)
        tar.addfile(entry, io.BytesIO(TEXT))
    assert read(out.getvalue()) == {
        "b!/dev.log": "device",
        "b!/pipe.log": "device",
        "b!/abs.log": "symlink_out",
        "b!/d/up.log": "symlink_out",
        "b!/../evil.log": "path_out",
        "b!//root.log": "path_out",
        "b!/a.log": TEXT,
    }


def test_a_zip_with_a_link_and_a_name_that_leaves_it_gives_the_rest() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as bundle:
        link = zipfile.ZipInfo("link.log")
        link.external_attr = 0o120777 << 16
        bundle.writestr(link, "/etc/passwd")
        bundle.writestr("../../evil.log", TEXT)
        bundle.writestr("d\\..\\..\\win.log", TEXT)
        bundle.writestr("a.log", TEXT)
    found = read(out.getvalue())
    assert found["b!/link.log"] == "symlink_out"
    assert found["b!/../../evil.log"] == "path_out"
    assert found["b!/a.log"] == TEXT
    assert sorted(kind for kind in found.values() if isinstance(kind, str)) == ["path_out", "path_out", "symlink_out"]


@pytest.mark.parametrize(
    ("caps", "word"),
    [
        (Caps(members=2), "members"),
        (Caps(expanded_bytes=1000), "expands beyond"),
        (Caps(ratio=20, ratio_from_bytes=1000), "bomb"),
    ],
    ids=["members", "expanded bytes", "ratio"],
)
@pytest.mark.parametrize("make", [lambda f: gzip.compress(tar_of(f)), zip_of], ids=["tar.gz", "zip"])
def test_a_bundle_beyond_a_cap_is_refused_before_it_is_expanded(
    make: Callable[[dict[str, bytes]], bytes], caps: Caps, word: str
) -> None:
    data = make({"a.log": TEXT, "b.log": b"A" * 500_000, "c.log": TEXT})
    with pytest.raises(LogRefused, match=word):
        read(data, caps)


def test_a_zip_that_lies_about_a_size_gives_no_more_than_it_says() -> None:
    data = bytearray(zip_of({"a.log": b"A" * 100_000, "b.log": TEXT}))
    true = (100_000).to_bytes(4, "little")
    lie = (10).to_bytes(4, "little")
    assert data.count(true) == 2
    data = data.replace(true, lie)
    found = read(bytes(data))
    assert found == {"b!/a.log": "unreadable", "b!/b.log": TEXT}


def test_a_damaged_bundle_is_unreadable_by_name() -> None:
    with pytest.raises(LogUnreadable, match="damaged"):
        read(zip_of({"a.log": TEXT})[:-30])
    with pytest.raises(LogUnreadable, match="damaged"):
        read(tar_of({"a.log": TEXT * 1000})[:2000])


def test_a_tar_whose_header_is_a_bomb_is_refused_before_it_is_in_memory() -> None:
    entry = tarfile.TarInfo("././@LongLink")
    entry.type, entry.size = tarfile.GNUTYPE_LONGNAME, 200 << 20
    with pytest.raises(LogUnreadable, match="header of 209715200 bytes"):
        read(gzip.compress(entry.tobuf(tarfile.GNU_FORMAT) + b"A" * (1 << 20)))


def test_a_seven_zip_is_read_in_memory_within_its_cap() -> None:
    py7zr = pytest.importorskip("py7zr", reason="py7zr is not installed (extra 7z)")
    out = io.BytesIO()
    with py7zr.SevenZipFile(out, "w") as bundle:
        bundle.writestr(TEXT, "a.log")
        bundle.writestr(TEXT * 2, "d/b.log")
    assert read(out.getvalue()) == {"b!/a.log": TEXT, "b!/d/b.log": TEXT * 2}
    with pytest.raises(LogRefused, match="in memory"):
        read(out.getvalue(), Caps(held_bytes=50))


def test_a_scan_reads_a_bundle_like_the_files_it_was_made_of(archive: Path, tmp_path: Path, scanned: Scanned) -> None:
    files = {p.relative_to(archive).as_posix(): p.read_bytes() for p in sorted(archive.rglob("*.log"))}
    bundle = tmp_path / "fleet.tar.gz"
    bundle.write_bytes(gzip.compress(tar_of({"notes.png": b"\x89PNG" + bytes(range(256)) * 4, **files})))
    from_files, from_bundle = scanned(archive), scanned(bundle)
    assert [row["path"] for row in from_bundle] == [f"{bundle}!/{name}" for name in files]
    shown = ("cause", "confidence", "sha256", "lines", "launches", "fingerprint")
    assert [[r[k] for k in shown] for r in from_bundle] == [[r[k] for k in shown] for r in from_files]


def test_a_bomb_is_one_failed_row_and_the_scan_goes_on(archive: Path, scanned: Scanned) -> None:
    (archive / "bomb.zip").write_bytes(zip_of({"a.log": b"\n" * (80 << 20)}))
    rows = scanned(archive)
    assert [row["error_kind"] for row in rows if row.get("error")] == ["bomb"]
    assert sum("cause" in row for row in rows) >= 3
