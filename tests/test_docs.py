"""The documents are true: their commands exist, their files exist, and their Python runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from logscope.cli import logscope as command

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TARGETS = set(re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.M))


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)


def commands(path: Path) -> list[str]:
    """The commands of the console blocks, with continued lines joined and comments taken off."""
    text = "\n".join(blocks(path, "console")).replace("\\\n", " ")
    return [line[2:].partition("  #")[0].strip() for line in text.splitlines() if line.startswith("$ ")]


def in_all(read: object) -> list[object]:
    return [pytest.param(item, id=f"{p.name}: {item}"[:100]) for p in DOCUMENTS for item in read(p)]  # type: ignore[operator]


@pytest.mark.parametrize("line", in_all(commands))
def test_a_command_in_a_document_can_be_given(line: str) -> None:
    words = shlex.split(line)
    while "|" in words:
        words = words[words.index("|") + 1 :]
    words = words[: words.index(">")] if ">" in words else words
    if words[0] == "make":
        assert {word for word in words[1:] if "=" not in word} <= TARGETS
    elif words[0] == "logscope":
        context = click.Context(command)
        group = command.get_command(context, words[1])
        assert group is not None, f"there is no command {words[1]}"
        if "--help" not in words:
            group.make_context(words[1], words[2:], parent=context).close()
    else:
        assert words[0] in {"pip", "git", "python", "cat", "kubectl", "docker", "journalctl", "zcat"}


@pytest.mark.parametrize("source", in_all(lambda path: blocks(path, "python")))
def test_python_in_a_document_runs(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = (ROOT / "tests/fixtures/logs/0.5.23-cpu-forward-out-of-memory.log").read_bytes()
    monkeypatch.chdir(tmp_path)
    Path("crash.log").write_bytes(log)
    exec(compile(source, "document", "exec"), {})


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_what_a_document_links_to_exists(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target]
    assert [target for target in local if not (path.parent / target).exists()] == []


def test_the_readme_lists_every_make_target() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {target for target in TARGETS if f"make {target}" not in readme} == set()


def test_the_readme_says_what_it_is_for_before_anything_else() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    opening = readme.split("![", 1)[0].strip().splitlines()
    assert opening[0] == "# logscope"
    assert len([line for line in opening[1:] if line]) <= 6
