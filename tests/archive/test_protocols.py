"""Inputs over HTTP, in Azure Blob Storage and in Google Cloud Storage: real servers, in processes of their own."""

from __future__ import annotations

import contextlib
import functools
import http.server
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
AZURITE = shutil.which("azurite-blob") or shutil.which("azurite-blob", path=str(ROOT / "build/node_modules/.bin"))
AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="  # everybody's

pytestmark = pytest.mark.slow


def needs(*modules: str, also: object = True, named: str = "") -> pytest.MarkDecorator:
    missing = [name for name in modules if importlib.util.find_spec(name) is None] + ([] if also else [named])
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def scan(*arguments: object, **environment: str) -> tuple[int, list[dict[str, Any]], str]:
    """Exit code, rows with the last part of each path, and what was said, of a scan in a process of its own."""
    paths = ("path", "same_content_as")
    ran = subprocess.run(
        [sys.executable, "-m", "logscope", "scan", *map(str, arguments), "--format", "jsonl"],
        env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        cwd=ROOT,
    )
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    rows = [{key: row[key].rpartition("/")[2] if key in paths else row[key] for key in row} for row in rows]
    return ran.returncode, rows, ran.stderr


def answering(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        assert process.poll() is None, "the server has ended"
        assert time.monotonic() < end, "the server does not start"
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextlib.contextmanager
def running(command: list[str], port: int, **environment: str) -> Iterator[None]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, env={**os.environ, **environment}, **quiet)  # type: ignore[call-overload]
    try:
        answering(port, process)
        yield
    finally:
        process.terminate()
        process.wait(10)


class Plain(http.server.SimpleHTTPRequestHandler):
    """Python's own server: whole files, and a page that lists a directory."""

    ranges = 0

    def log_message(self, *_: object) -> None:
        pass


class Ranged(Plain):
    """The same with ranges, as most servers answer."""

    def do_GET(self) -> None:
        asked = self.headers.get("Range", "")
        path = Path(self.translate_path(self.path))
        if not asked.startswith("bytes=") or not path.is_file():
            super().do_GET()
            return
        type(self).ranges += 1
        data = path.read_bytes()
        first, _, last = asked.removeprefix("bytes=").partition("-")
        part = data[int(first) : int(last or len(data) - 1) + 1]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{int(first) + len(part) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def end_headers(self) -> None:
        self.send_header("Accept-Ranges", "bytes")
        super().end_headers()


@pytest.fixture
def packed(archive: Path) -> Path:
    """The archive with one log compressed and a bundle of all of them."""
    subprocess.run(["gzip", str(archive / "node1/story-2-booted-alone.log")], check=True)
    shutil.make_archive(str(archive / "all"), "zip", archive, "node0")
    return archive


@needs("fsspec", "aiohttp")
@pytest.mark.parametrize("handler", [Plain, Ranged], ids=lambda one: one.__name__.lower())
def test_a_web_server_is_scanned_like_the_directory_that_it_shows(handler: type[Plain], packed: Path) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(packed)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    handler.ranges = 0
    try:
        code, rows, said = scan(f"{address}/")
        here = scan(packed)
        assert rows, said
        assert (code, rows) == here[:2]
        one = scan(f"{address}/node1/story-2-booted-alone.log.gz")
        assert [row["path"] for row in one[1]] == ["story-2-booted-alone.log.gz"]
        code, rows, _ = scan(f"{address}/nothing.log", f"{address}/node0/0.5.23-cpu-forward-out-of-memory.log")
        assert code == 4
        assert "there is no such file" in rows[0]["error"]
        assert rows[1]["cause"] == "forward_out_of_memory"
    finally:
        server.shutdown()
        server.server_close()
    assert (handler.ranges > 0) is (handler is Ranged)


@needs("fsspec", "aiohttp")
def test_a_web_server_that_is_not_there_is_a_reason_and_no_traceback() -> None:
    code, rows, said = scan(f"http://127.0.0.1:{free_port()}/a.log")
    assert code in (3, 4)
    assert len(rows) == 1
    assert rows[0]["error"]
    assert "Traceback" not in said


@needs("adlfs", also=AZURITE, named="azurite (npm)")
def test_a_container_of_azure_is_scanned_like_the_directory_it_was_filled_from(packed: Path, tmp_path: Path) -> None:
    port = free_port()
    account = f"AccountName=devstoreaccount1;AccountKey={AZURE_KEY}"
    place = f"BlobEndpoint=http://127.0.0.1:{port}/devstoreaccount1"
    found_by = {"AZURE_STORAGE_CONNECTION_STRING": f"DefaultEndpointsProtocol=http;{account};{place};"}
    command = [str(AZURITE), "--location", str(tmp_path / "azure"), "--blobPort", str(port), "--skipApiVersionCheck"]
    with running(command, port):
        filled("az", packed, **found_by)
        _like_the_directory("az://fleet", packed, tmp_path, **found_by)


@needs("gcsfs", "gcp_storage_emulator")
def test_a_bucket_of_google_is_scanned_like_the_directory_it_was_filled_from(packed: Path, tmp_path: Path) -> None:
    port = free_port()
    found_by = {"STORAGE_EMULATOR_HOST": f"http://127.0.0.1:{port}"}
    command = [sys.executable, "-m", "gcp_storage_emulator", "start", "--host", "127.0.0.1", "--port", str(port)]
    with running([*command, "--in-memory"], port, PYTHONWARNINGS="ignore"):
        filled("gs", packed, **found_by)
        _like_the_directory("gs://fleet", packed, tmp_path, **found_by)


FILL = """
import sys, fsspec
from pathlib import Path
system = fsspec.filesystem(sys.argv[1])
system.mkdir("fleet")
for path in sorted(Path(sys.argv[2]).rglob("*")):
    if path.is_file():
        system.pipe_file(f"fleet/{path.relative_to(sys.argv[2])}", path.read_bytes())
"""


def filled(protocol: str, folder: Path, **environment: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FILL, protocol, str(folder)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr


def _like_the_directory(address: str, folder: Path, tmp_path: Path, **environment: str) -> None:
    here = scan(folder)
    there = scan(address, "-o", tmp_path / "store", **environment)
    assert there[1], there[2]
    assert there[:2] == here[:2]
    again = scan(address, "-o", tmp_path / "store", **environment)
    assert again[1] == there[1]
    assert "4 inputs known" in again[2]
    assert len(scan(f"{address}/node1/*.log", **environment)[1]) == 1
    assert scan(f"{address}/nothing.log", **environment)[0] == 3
