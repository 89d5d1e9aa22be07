"""The texts that a function can log are found without running it."""

from __future__ import annotations

import ast
import importlib
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def wordings(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("tools.conformance.wordings")


def texts(wordings: ModuleType, source: str) -> list[str]:
    tree = ast.parse(textwrap.dedent(source))
    functions = {node.name: [node] for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    found = wordings.Interpreter(lambda name: functions.get(name, ())).run(functions["report"][0])
    return [text.replace("\x01", "<").replace("\x02", ">") for text in found]


def test_a_message_in_pieces_comes_out_in_every_form_that_its_branches_allow(wordings: ModuleType) -> None:
    source = """
        def report(self):
            msg = f"Decode batch, #running-req: {n}, "
            if self.speculation:
                msg += f"accept len: {length:.2f}, "
            msg += f"#queue-req: {q}"
            logger.info(msg)
    """
    assert texts(wordings, source) == [
        "Decode batch, #running-req: <>, accept len: <.2f>, #queue-req: <>",
        "Decode batch, #running-req: <>, #queue-req: <>",
    ]


def test_a_condition_that_was_assumed_holds_to_the_end(wordings: ModuleType) -> None:
    source = """
        def report(self):
            parts = []
            if self.hybrid:
                parts.append("full")
            if not self.hybrid:
                parts.append("plain")
            if not parts:
                parts.append("never")
            logger.info("usage: " + ", ".join(parts))
    """
    assert set(texts(wordings, source)) == {"usage: full", "usage: plain"}


def test_a_name_that_is_none_takes_only_the_branch_for_it(wordings: ModuleType) -> None:
    source = """
        def report(self):
            usage = other = None
            if self.hybrid:
                usage = self.read()
            if usage is None:
                logger.info("plain usage")
            if other is not None:
                logger.info("never printed")
    """
    assert texts(wordings, source) == ["plain usage"]


def test_texts_that_another_function_returns_are_followed(wordings: ModuleType) -> None:
    source = """
        def report(self):
            logger.info(f"Prefill batch, {', '.join(self.parts())}, #queue-req: {q:d}")

        def parts(self):
            return [f"token usage: {u:.2f}"]
    """
    assert texts(wordings, source) == ["Prefill batch, token usage: <.2f>, #queue-req: <d>"]


def test_the_conversions_of_a_percent_format_are_values(wordings: ModuleType) -> None:
    source = """
        def report(self):
            logger.warning("capped to %d by %s (%.2f GB)", a, b, c)
    """
    assert texts(wordings, source) == ["capped to <d> by <> (<.2f> GB)"]


def test_what_is_raised_is_a_text_too(wordings: ModuleType) -> None:
    source = """
        def report(self):
            if bad:
                raise RuntimeError(f"Not enough memory. Current value: {value}")
    """
    assert texts(wordings, source) == ["Not enough memory. Current value: <>"]
