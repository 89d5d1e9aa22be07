"""The layout says what the project is: names, sizes and headings are held, so that every unit reads like the next."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "logscope"
MODULES = sorted(PACKAGE.rglob("*.py"))
HEADINGS = {
    "events": ("Sample", "Meaning", "Source"),
    "rules": ("What it says", "Why it matters", "Example", "Silent when", "Source"),
    "causes": ("What it is", "How to tell", "Not to be taken for", "What to do", "Source"),
    "noise": ("Sample",),
    "wrappers": ("Sample",),
}
FORBIDDEN = re.compile(r"^_?(utils?|helpers?|commons?|manager|base|misc|tools?|stuff|shared)$")
MODULE_LINES = 300
SCREEN_LINES = 60


def unit_files(folder: str) -> list[Path]:
    return sorted(path for path in (PACKAGE / folder).rglob("*.py") if not path.name.startswith("_"))


def docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


UNITS = [pytest.param(folder, path, id=name_of(path)) for folder in HEADINGS for path in unit_files(folder)]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_says_what_comes_out_of_it_in_one_sentence(path: Path) -> None:
    first = docstring(path).partition("\n\n")[0]
    if path.read_text(encoding="utf-8").strip():
        assert first, "no docstring"
        assert first.rstrip().endswith((".", ":", "…")), first


@pytest.mark.parametrize(("folder", "path"), UNITS)
def test_a_unit_documents_itself_under_the_headings_of_its_folder(folder: str, path: Path) -> None:
    lines = docstring(path).splitlines()
    heads = [
        re.sub(r"( \(.*\))?:?$", "", line) for line in lines
    ]  # `Sample (wrapped → unwrapped):` is a heading as well
    assert tuple(head for head in heads if head in HEADINGS[folder]) == HEADINGS[folder]
    for heading in HEADINGS[folder]:
        rest = heads[heads.index(heading) + 1 :]
        assert next(filter(None, rest), "") not in ("", *HEADINGS[folder]), f"nothing stands under {heading}"


@pytest.mark.parametrize("folder", [*HEADINGS, "cli", "render"])
def test_a_unit_imports_no_other_unit_of_its_folder(folder: str) -> None:
    """What several units need stands in a module that begins with an underscore, or in a stage below."""
    names = {path.stem for path in unit_files(folder)}
    found = []
    for path in unit_files(folder):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"logscope.{folder}"):
                rest = (node.module or "").removeprefix(f"logscope.{folder}").lstrip(".")
                asked = {rest.partition(".")[0]} if rest else {alias.name for alias in node.names}
                found += [f"{name_of(path)} imports {name}" for name in asked & names if name != path.stem]
    assert found == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_is_named_for_what_it_yields(path: Path) -> None:
    assert not FORBIDDEN.match(path.stem)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_stays_under_300_lines(path: Path) -> None:
    """Lines of the module's own docstring, which for a unit is its documentation and samples, are not counted."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    head = tree.body[0] if tree.body else None
    documented = isinstance(head, ast.Expr) and isinstance(head.value, ast.Constant)
    skipped = head.end_lineno if documented and head and head.end_lineno else 0
    assert len(text.splitlines()) - skipped <= MODULE_LINES


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            yield node


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_function_fits_on_a_screen(path: Path) -> None:
    long = [
        f"{f.name}: {f.end_lineno - f.lineno + 1} lines"
        for f in functions(path)
        if f.end_lineno - f.lineno >= SCREEN_LINES
    ]  # type: ignore[operator]
    assert long == []


@pytest.mark.parametrize("path", unit_files("rules"), ids=name_of)
def test_a_rule_bears_its_code_and_what_the_log_shows(path: Path) -> None:
    assert re.fullmatch(r"[a-z]{3}\d{3}_[a-z0-9_]+", path.stem)
    assert not re.search(r"_(invalid|fix|should|must)(_|$)|^.{6}_check_", path.stem)


def test_no_two_rules_share_a_code() -> None:
    codes = [path.stem.partition("_")[0] for path in unit_files("rules")]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("path", unit_files("rules"), ids=name_of)
def test_rules_use_no_epsilon_and_do_not_ask_for_none(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\bif \w+ is None\b", text)
    assert not re.search(r"\b(isclose|epsilon|tolerance)\b", text)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_the_package_does_not_print(path: Path) -> None:
    if path.parent.name == "cli":
        return
    calls = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
    assert not [n.lineno for n in calls if isinstance(n.func, ast.Name) and n.func.id == "print"]


def test_no_file_names_the_place_it_was_written_in() -> None:
    files = [
        p
        for folder in ("logscope", "tests", "reports", "docs")
        for p in (ROOT / folder).rglob("*")
        if p.is_file() and not {"node_modules", "__pycache__"} & set(p.parts)
    ]
    place = re.compile(rb"/work/(main|shared|venv)\b")
    assert not [name_of(p) for p in files if p != Path(__file__) and place.search(p.read_bytes())]
