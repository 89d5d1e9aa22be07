"""docs/rules.md names every rule, and says for every invariant of the catalogue which rule judges it, or why none does."""

from __future__ import annotations

import os
import re
from pathlib import Path

from logscope.check import code_of, title_of
from logscope.discover import units

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs/rules.md"
RULES = {code_of(name): module for name, module in units("logscope.rules").items()}
OPEN, CLOSE = "<!-- rules -->", "<!-- /rules -->"
SIZES = {"A": 57, "B": 14, "C": 7, "D": 26, "E": 9, "F": 15, "G": 21, "H": 16, "J": 12}


def table() -> str:
    lines = [f"{len(RULES)} rules.", "", "| code | this log shows that | kind | severity |", "|---|---|---|---|"]
    lines += [f"| {code} | {title_of(rule)} | {rule.KIND} | {rule.SEVERITY} |" for code, rule in RULES.items()]
    return "\n".join(lines)


def entries() -> dict[str, str]:
    """Entry → what judges it."""
    rows = re.findall(r"^\| ([A-J]\d+) \|[^|]*\| (.*) \|$", DOCUMENT.read_text(encoding="utf-8"), re.M)
    assert len(rows) == len({name for name, _ in rows})
    return dict(rows)


def test_the_golden_table_of_rules_is_that_of_the_rules() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = text.partition(OPEN)
    shown, _, after = rest.partition(CLOSE)
    if os.environ.get("LOGSCOPE_GOLDEN") == "rewrite":
        DOCUMENT.write_text(f"{before}{OPEN}\n\n{table()}\n\n{CLOSE}{after}", encoding="utf-8")
        return
    assert shown.strip() == table(), "run make golden"


def test_every_entry_of_the_catalogue_is_told() -> None:
    assert set(entries()) == {f"{letter}{n}" for letter, size in SIZES.items() for n in range(1, size + 1)}


def test_an_entry_is_judged_by_rules_that_exist_or_says_why_not() -> None:
    for name, told in entries().items():
        if told.startswith("– "):
            assert len(told) > 12, name
        else:
            assert set(told.split(", ")) <= set(RULES), name


def test_the_document_counts_the_entries_that_rules_judge() -> None:
    judged = sum(not told.startswith("– ") for told in entries().values())
    assert f"\n{judged} of them are judged by rules" in DOCUMENT.read_text(encoding="utf-8")
