"""What logscope prints where the stream's encoding lacks its signs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import logscope
from logscope.cli._signs import SPELT, spelt

PACKAGE = Path(logscope.__file__).parent
NEVER_PRINTED = range(0xD800, 0xE000)  # what is no character


def _said(path: Path) -> Iterator[str]:
    """All texts of a module, its docstrings too: `explain` prints some of them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_sign_that_logscope_writes_has_words_of_ascii() -> None:
    modules = [path for path in PACKAGE.rglob("*.py") if path.parent.name not in ("events", "noise", "wrappers")]
    texts = [text for path in modules for text in _said(path)]
    texts += [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.sql")]
    signs = {sign for text in texts for sign in text if not sign.isascii() and ord(sign) not in NEVER_PRINTED}
    assert len(signs) > 20
    assert {sign: spelt(sign) for sign in signs if "\\u" in spelt(sign) or "\\x" in spelt(sign)} == {}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("used ÷ pool ≈ 0.5, ⌊x⌋ ≤ 2³⁰ · 3", "used / pool ~ 0.5, floor(x) <= 2^30 * 3"),
        ("⟨U+202E⟩ −1 … 2 → 3", "<U+202E> -1 ... 2 -> 3"),
        ("模型", "\\u6a21\\u578b"),
    ],
)
def test_signs_become_words_and_other_scripts_escapes(text: str, shown: str) -> None:
    assert text.encode("ascii", SPELT).decode() == shown


def test_what_the_encoding_has_stays() -> None:
    assert "÷ …".encode("latin-1", SPELT) == b"\xf7 ..."


@pytest.mark.parametrize("command", [["formats", "prefill_batch"], ["explain", "state_pool"], ["rules"]])
def test_commands_speak_ascii_to_a_stream_of_ascii(command: list[str]) -> None:
    words = [sys.executable, "-m", "logscope", *command]
    ran = subprocess.run(words, capture_output=True, timeout=60, env={"PYTHONIOENCODING": "ascii"})
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"\\u" not in ran.stdout
    assert b"\\x" not in ran.stdout
