"""A redacted log says the same: the same rows, the same numbers, the same verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import logscope
from logscope.redact import KINDS, Redactor, Streams, redacted

LOGS = sorted((Path(__file__).parents[1] / "fixtures" / "logs").glob("*.log"))


def redacted_log(path: Path, folder: Path) -> Path:
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    redactor = Redactor([kind for kind in KINDS if kind != "model_path"])
    redactor.learn(text)
    target = folder / path.name
    target.write_bytes("".join(redacted([text], redactor, Streams())).encode("utf-8", "surrogateescape"))
    return target


def numbers_of(log: Any) -> dict[str, list[dict[str, Any]]]:
    """Every table without the columns that hold texts; ranks stay."""
    kept = {}
    for name, table in log.tables.items():
        texts = {f.name for f in table.schema if pa.types.is_string(f.type) or pa.types.is_dictionary(f.type)}
        kept[name] = table.drop(sorted(texts - {"rank"})).to_pylist()
    return kept


def meaning_of(log: Any) -> dict[str, Any]:
    report = logscope.analyze(log).data
    verdict = report["verdict"]
    return {
        "verdict": [verdict.get(key) for key in ("launch", "cause", "confidence", "fraction", "fraction_range")],
        "states": [(one["state"], one["release"], one["ranks"]) for one in report["launches"]],
        "findings": [(one["rule"], one["severity"], one["role"], one.get("rank")) for one in report["findings"]],
        "coverage": {k: v for k, v in report["coverage"].items() if isinstance(v, int)},
        "tables": report["tables"],
    }


def check(path: Path, folder: Path) -> None:
    before, after = logscope.open_log(path), logscope.open_log(redacted_log(path, folder))
    assert numbers_of(after) == numbers_of(before)
    assert meaning_of(after) == meaning_of(before)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_fixture_log_keeps_its_tables_and_its_verdict(path: Path, tmp_path: Path) -> None:
    check(path, tmp_path)


@pytest.mark.parametrize(
    "scenario", ["0.5.23-h", "0.5.9-h-log-requests-l2", "0.5.9-h-log-requests-l3", "0.5.9-i2", "0.5.9-g3"]
)
def test_a_real_log_with_requests_and_dumps_keeps_its_tables_and_its_verdict(
    shared: Path, scenario: str, tmp_path: Path
) -> None:
    (path,) = sorted((shared / "reallogs").glob(f"{scenario}*.log"))
    check(path, tmp_path)


@pytest.mark.parametrize("case", ["r-rank3-watchdog-still-200", "r-cri-frames-31-to-41", "r-ray-traceback-without-end"])
def test_a_wrapped_or_cut_log_keeps_its_tables_and_its_verdict(shared: Path, case: str, tmp_path: Path) -> None:
    check(shared / "cases" / case / "log.txt", tmp_path)


WRAPPED = {
    "docker": lambda n, line: json.dumps(
        {
            "log": line + "\n",
            "stream": "stderr",
            "time": f"2026-11-29T12:18:{n % 60:02d}Z",
            "attrs": {"host": "acme-gpu-7"},
        }
    ),
    "cri": lambda n, line: f"2026-11-29T12:18:{n % 60:02d}.865183516+08:00 stderr F {line}",
    "journald": lambda n, line: f"Nov 29 12:18:{n % 60:02d} acme-gpu-7 sglang[4242]: {line}",
    "kubectl": lambda n, line: f"[pod/acme-gpu-7/worker] {line}",
    "stern": lambda n, line: f"acme-gpu-7 sglang › {line}",
    "syslog": lambda n, line: f"<134>Nov 29 12:18:{n % 60:02d} acme-gpu-7 sglang[4242]: {line}",
    "ray": lambda n, line: f"(SGLangEngine pid=361, ip=10.0.5.12) {line}",
    "compose": lambda n, line: f"sglang-1  | {line}",
    "fluent": lambda n, line: json.dumps({"date": 1768186028.1, "log": line, "kubernetes": {"pod_name": "acme-gpu-7"}}),
}


@pytest.mark.parametrize("wrapper", WRAPPED)
def test_a_wrapped_log_loses_the_names_of_its_wrapper_and_keeps_its_meaning(
    wrapper: str, logs: Path, tmp_path: Path
) -> None:
    lines = (logs / "0.5.23-cpu-forward-out-of-memory.log").read_text(encoding="utf-8").splitlines()
    path = tmp_path / "wrapped" / "crash.log"
    path.parent.mkdir()
    path.write_text("".join(f"{WRAPPED[wrapper](n, line)}\n" for n, line in enumerate(lines)), encoding="utf-8")
    check(path, tmp_path)
    shown = (tmp_path / "crash.log").read_text(encoding="utf-8")
    assert "acme-gpu-7" not in shown
    assert "10.0.5.12" not in shown
