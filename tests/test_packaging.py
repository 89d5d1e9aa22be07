"""An installed wheel, an editable install and a plain checkout all find the templates and the schema."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOG = ROOT / "tests/fixtures/logs/0.5.23-cpu-forward-out-of-memory.log"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout with what is installed here: nothing is fetched."""
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, text=True, timeout=120)
    return next(out.glob("*.whl"))


def shipped(folder: str, home: str) -> set[str]:
    """The names in the wheel of all files of a folder that are not code."""
    files = (p.relative_to(ROOT / folder) for p in (ROOT / folder).rglob("*") if p.is_file())
    return {f"{home}/{p}" for p in files if p.suffix != ".pyc" and not p.name.startswith(".")}


def test_the_wheel_holds_code_tables_templates_schemas_and_the_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert shipped("logscope", "logscope") - names == set()
    assert shipped("reports/templates", "logscope/templates") - names == set()
    assert {"logscope/schema/report-1.json", "logscope/templates/report.html.j2", "logscope/py.typed"} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "reports/", "tools/", "docs/"))]


def test_a_page_is_rendered_from_the_wheel_in_an_empty_directory(wheel: Path, tmp_path: Path) -> None:
    """The wheel is unpacked and put before the checkout, so that only its own files can be found."""
    home, empty = tmp_path / "site", tmp_path / "empty"
    zipfile.ZipFile(wheel).extractall(home)
    empty.mkdir()
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"PYTHONPATH": str(home)}

    def logscope(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "logscope", *arguments]
        return subprocess.run(command, cwd=empty, env=environment, capture_output=True, text=True, timeout=120)

    where = [sys.executable, "-c", "import logscope; print(logscope.__path__[0])"]
    found = subprocess.run(where, cwd=empty, env=environment, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()) == home / "logscope"
    ran = logscope("analyze", str(LOG), "-f", "html", "-f", "json", "-o", "out", "--exit-zero")
    assert ran.returncode == 0, ran.stderr
    assert (empty / "out/report.html").read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    assert json.loads((empty / "out/report.json").read_text())["schema"] == "logscope.report/1"
    assert json.loads(logscope("schema").stdout)["$schema"]


def test_the_lowest_versions_that_are_tested_are_those_that_are_promised() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    promised = {requirement.replace(">=", "==") for requirement in project["dependencies"]}
    lines = (ROOT / "tests/lowest.txt").read_text(encoding="utf-8").splitlines()
    assert {line for line in lines if not line.startswith("#")} == promised
