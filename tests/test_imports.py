"""What is imported on which path: a start must not pay for what it does not use."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOG = ROOT / "tests/fixtures/logs/0.5.23-cpu-forward-out-of-memory.log"
NEVER_NEEDED_TO_ANALYSE = {"pandas", "matplotlib", "duckdb", "IPython", "distributed", "fsspec", "py7zr"}
NEVER_NEEDED_TO_HELP = NEVER_NEEDED_TO_ANALYSE | {"pyarrow", "numpy", "regex", "rich", "jinja2", "zstandard"}

RUN = """
import sys
from logscope.cli import main
try:
    main(sys.argv[1:])
finally:
    print("modules:", *sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def imported_by(*arguments: str) -> set[str]:
    """The top-level modules that are loaded at the end of a run of the command line."""
    ran = subprocess.run([sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, cwd=ROOT, timeout=120)
    last = ran.stderr.strip().splitlines()[-1]
    assert last.startswith("modules:"), ran.stderr
    return set(last.split()[1:])


@pytest.mark.parametrize("arguments", [["--help"], ["analyze", "--help"], ["--version"], ["tables", "--help"]])
def test_help_imports_no_library_but_click(arguments: list[str]) -> None:
    assert not imported_by(*arguments) & NEVER_NEEDED_TO_HELP


@pytest.mark.parametrize("form", ["text", "json", "line"])
def test_analysing_imports_no_plotting_and_no_data_frames(form: str) -> None:
    assert not imported_by("analyze", str(LOG), "--format", form) & NEVER_NEEDED_TO_ANALYSE


def test_writing_tables_imports_no_plotting_and_no_data_frames(tmp_path: Path) -> None:
    arguments = ("tables", str(LOG), "-o", str(tmp_path), "--format", "parquet")
    assert not imported_by(*arguments) & NEVER_NEEDED_TO_ANALYSE


def test_importing_the_library_imports_nothing_heavy() -> None:
    code = "import logscope, sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert not {name.partition(".")[0] for name in ran.stdout.split()} & NEVER_NEEDED_TO_ANALYSE


def test_the_help_is_there_within_150_milliseconds_of_processor_time() -> None:
    def seconds() -> float:
        before = os.times()
        subprocess.run([sys.executable, "-m", "logscope", "--help"], capture_output=True, cwd=ROOT, check=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    assert min(seconds() for _ in range(5)) < 0.15


def test_nothing_below_the_command_line_imports_the_library_s_face() -> None:
    """`logscope/__init__.py` stands above all stages, so a stage that imports from it imports upwards."""
    package = ROOT / "logscope"
    submodules = {p.stem for p in package.glob("*.py")} | {p.name for p in package.iterdir() if p.is_dir()}
    upward = []
    for path in sorted(package.rglob("*.py")):
        if path.parent.name == "cli" or path == package / "__init__.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = isinstance(node, ast.ImportFrom) and node.module == "logscope"
            if named and any(alias.name not in submodules for alias in node.names):
                upward.append(f"{path.relative_to(ROOT)}:{node.lineno}")
            if isinstance(node, ast.Import) and any(alias.name == "logscope" for alias in node.names):
                upward.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert upward == []
