"""`logscope redact`, `analyze --redact` and `--bundle`."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pyarrow import parquet

from logscope.cli.analyze import analyze
from logscope.cli.redact import redact
from logscope.errors import UsageError

LINES = (
    "[2026-11-29 12:00:00] server_args=ServerArgs(model_path='/home/alice/m', host='gpu-node-17', api_key='SECRET')\n"
    "[2026-11-29 12:00:01] Receive: obj=GenerateReqInput(rid='my-own-id', text='SECRET', stream=False)\r\n"
    'INFO:     10.1.2.3:40262 - "GET /health HTTP/1.1" 200 OK\n'
    "bad \\udcff byte on gpu-node-17"
)
NAMES = ("alice", "gpu-node-17", "SECRET", "10.1.2.3", "my-own-id")


def run(command: object, *arguments: object) -> Result:
    return CliRunner().invoke(command, [str(one) for one in arguments], catch_exceptions=False)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "server.log"
    path.write_bytes(LINES.encode().replace(b"\\udcff", b"\xff"))
    return path


def test_nothing_private_is_left_and_every_line_keeps_its_place(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.log"
    result = run(redact, log, "-o", target)
    assert result.exit_code == 0
    data = target.read_bytes()
    assert not [name for name in NAMES if name.encode() in data]
    assert [line.endswith(b"\r") for line in data.split(b"\n")] == [False, True, False, False]
    assert data.split(b"\n")[3] == b"bad \xff byte on host-1"
    assert "replaced " in result.stderr
    assert "1 prompt" in result.stderr


def test_without_output_it_goes_to_stdout(log: Path) -> None:
    assert b"host-1" in run(redact, log).stdout_bytes


def test_kinds_can_be_kept_and_model_paths_go_on_request(log: Path) -> None:
    shown = run(redact, log, "--keep", "host", "--keep", "ip", "--model-paths").stdout_bytes.decode("utf-8", "replace")
    assert "gpu-node-17" in shown
    assert "10.1.2.3" in shown
    assert "model_path='/models/model-1'" in shown
    with pytest.raises(UsageError, match="'colour' is no kind; there are ip, host"):
        run(redact, log, "--keep", "colour")


def test_several_logs_share_their_pseudonyms_and_keep_their_names(log: Path, tmp_path: Path) -> None:
    (tmp_path / "gpu-node-17.log.gz").write_bytes(gzip.compress(b"10.9.9.9 and 10.1.2.3 on gpu-node-17\n"))
    with pytest.raises(UsageError, match="2 logs need a directory"):
        run(redact, log, tmp_path / "gpu-node-17.log.gz")
    result = run(redact, log, tmp_path / "gpu-node-17.log.gz", "-o", f"{tmp_path}/out/")
    assert result.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["host-1.log", "server.log"]
    first, second = ((tmp_path / "out" / name).read_bytes() for name in ("server.log", "host-1.log"))
    assert second.endswith(b" on host-1\n")
    assert second.split()[2] in first


def test_a_log_is_never_written_over_itself(log: Path) -> None:
    with pytest.raises(UsageError, match="is the log itself"):
        run(redact, log, "-o", log)


def test_a_redacted_report_holds_no_name(logs: Path, tmp_path: Path) -> None:
    source = (logs / "0.5.23-cpu-forward-out-of-memory.log").read_text(encoding="utf-8")
    path = tmp_path / "crash.log"
    path.write_text(
        source.replace("'host': '127.0.0.1'", "'host': 'gpu-node-17'").replace("/models/", "/home/alice/"),
        encoding="utf-8",
    )
    for form in ("json", "html", "md", "text", "sarif"):
        shown = run(analyze, path, "-f", form, "-o", tmp_path / f"r.{form}", "--redact", "--exit-zero")
        assert shown.exit_code == 0
        text = (tmp_path / f"r.{form}").read_text(encoding="utf-8")
        assert not [name for name in ("alice", "gpu-node-17") if name in text], form


def test_a_bundle_holds_every_document_and_table_and_depends_on_the_log_only(logs: Path, tmp_path: Path) -> None:
    path = logs / "0.5.23-cpu-forward-out-of-memory.log"
    for name in ("a.zip", "b.zip"):
        assert run(analyze, path, "--bundle", tmp_path / name, "--exit-zero").exit_code == 0
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as bundle:
        names = bundle.namelist()
        assert names[:3] == ["report.html", "report.md", "report.json"]
        report = json.loads(bundle.read("report.json"))
        rows = {
            name.removeprefix("tables/").removesuffix(".parquet"): parquet.read_table(
                io.BytesIO(bundle.read(name))
            ).num_rows
            for name in names[3:]
        }
    assert rows == {table["name"]: table["rows"] for table in report["tables"]}


def test_tables_hold_no_secret_unless_it_is_asked_for(log: Path) -> None:
    import logscope

    masked, shown = (
        str(logscope.open_log(log, show_prompts=asked).tables["server_args"].to_pylist()) for asked in (False, True)
    )
    assert "SECRET" not in masked
    assert "SECRET" in shown
