"""No secret of a command line or of server arguments is in any output of any command, unless it is asked for."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from logscope.render import FORMATS

REFUSED = "0.5.9-f-not-enough-memory.log"
SHELL = (
    "+ HF_TOKEN=hf_KEPTa0123456789abcdef python -m sglang.launch_server --model-path m --api-key KEPTb-word"
    " --admin-api-key=KEPTc --hf-token 'KEPTd quoted'\n"
)
ARGUMENTS = {
    ", api_key=None": ", api_key='KEPTe-plain'",
    "admin_api_key=None": "admin_api_key='sk-KEPTf0123456789abcdef'",
    "model_loader_extra_config='{}'": "model_loader_extra_config='"
    '{"auth_token": "KEPTg", "from": "https://me:KEPTh@host/x?sig=KEPTi0123456789"}\'',
}
SECRET = re.compile(rb"KEPT[a-i]")


@pytest.fixture
def log(tmp_path: Path, logs: Path) -> Path:
    """A log whose command line and dump hold nine secrets, and which goes to the verdict through its arguments."""
    text = (logs / REFUSED).read_text(encoding="utf-8")
    for plain, secret in ARGUMENTS.items():
        assert plain in text
        text = text.replace(plain, secret)
    path = tmp_path / "secret.log"
    path.write_text(SHELL + text, encoding="utf-8")
    return path


def leaked(data: bytes) -> list[bytes]:
    return sorted(set(SECRET.findall(data)))


def test_no_format_and_no_member_of_a_bundle_holds_a_secret(run: Callable[..., Any], log: Path, tmp_path: Path) -> None:
    formats = [word for form in FORMATS for word in ("-f", form)]
    ran = run("analyze", log, *formats, "-o", f"{tmp_path}/out/", "--bundle", tmp_path / "all.zip", "--exit-zero")
    assert (ran.code, len(list((tmp_path / "out").iterdir()))) == (0, len(FORMATS))
    assert {path.name: leaked(path.read_bytes()) for path in (tmp_path / "out").iterdir()} == {
        path.name: [] for path in (tmp_path / "out").iterdir()
    }
    assert b"&lt;masked&gt;" in (tmp_path / "out/report.html").read_bytes()
    with zipfile.ZipFile(tmp_path / "all.zip") as bundle:
        bundle.extractall(tmp_path / "all")
    members = [path for path in (tmp_path / "all").rglob("*") if path.is_file()]
    assert [path.name for path in members if leaked(content(path))] == []


def content(path: Path) -> bytes:
    """What a file says; the cells of a Parquet file are compressed."""
    return (
        str(pyarrow.parquet.read_table(path).to_pylist()).encode() if path.suffix == ".parquet" else path.read_bytes()
    )


@pytest.mark.parametrize(
    "command",
    [
        ("whatif", "{log}"),
        ("diff", "{log}", "{log}", "-f", "json"),
        ("query", "select * from server_args", "{log}", "-f", "json"),
        ("query", "select * from command", "{log}", "-f", "csv"),
        ("scan", "{log}", "-f", "jsonl"),
        ("redact", "{log}"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_no_command_prints_a_secret(run: Callable[..., Any], log: Path, command: tuple[str, ...]) -> None:
    ran = run(*(word.format(log=log) for word in command))
    assert ran.code in (0, 1), ran.err
    assert ran.out
    assert leaked((ran.out + ran.err).encode()) == []


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
def test_no_table_holds_a_secret(run: Callable[..., Any], log: Path, tmp_path: Path, form: str) -> None:
    assert run("tables", log, "-o", tmp_path / "tables", "--format", form).code == 0
    made = list((tmp_path / "tables").iterdir())
    assert {"server_args", "command"} <= {path.stem for path in made}
    assert [path.name for path in made if leaked(content(path))] == []


def test_secrets_are_kept_where_they_are_asked_for(run: Callable[..., Any], log: Path) -> None:
    assert b"KEPTe" in run("analyze", log, "-f", "json", "--show-prompts").out.encode()
