"""What must hold of every report, whatever the log: raises AssertionError for what does not.

That an error is one of logscope's own is left to the caller: whatever else is raised is a defect.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

import html5lib
import jsonschema

from logscope.render import FORMATS, render

_PAGE_BYTES = 5 << 20
_COMMENT_CHARACTERS = 65_536
_UNPRINTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def hold(report: Mapping[str, Any]) -> None:
    """All promises that can be told from the report alone."""
    written = {form: render(report, form) for form in FORMATS}
    for form, output in written.items():
        assert isinstance(output, bytes) or output.encode("utf-8") is not None, form
    again = json.loads(_text(written["json"]), parse_constant=_refused)
    _validator().validate(again)
    _adds_up(again)
    _points_into_the_log(again)
    _ranges_are_ranges(again)
    assert len(_text(written["md"])) <= _COMMENT_CHARACTERS
    _page_is_the_templates(_text(written["html"]))


def _text(output: str | bytes) -> str:
    return output if isinstance(output, str) else output.decode()


def _refused(constant: str) -> float:
    raise AssertionError(f"{constant} is no JSON")


@cache
def _validator() -> jsonschema.Draft202012Validator:
    text = resources.files("logscope").joinpath("schema/report-1.json").read_text(encoding="utf-8")
    return jsonschema.Draft202012Validator(json.loads(text))


def _adds_up(report: Mapping[str, Any]) -> None:
    coverage = report["coverage"]
    parts = [coverage[name] for name in ("recognised", "continuation", "noise", "unread")]
    assert sum(parts) == coverage["lines"], coverage
    assert min(parts) >= 0, coverage


def _points_into_the_log(report: Mapping[str, Any]) -> None:
    """Each line that is quoted is one of an input; every launch has its evidence inside the log."""
    lines = {one["path"]: one["lines"] for one in report["inputs"]}
    for place in _places(report):
        assert 1 <= place["line"] <= lines[place["path"]], place


def _places(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        for item in value:
            yield from _places(item)
    elif isinstance(value, dict):
        if isinstance(value.get("line"), int) and isinstance(value.get("path"), str):
            yield value
        for item in value.values():
            yield from _places(item)


def _ranges_are_ranges(report: Mapping[str, Any]) -> None:
    given = report["verdict"].get("fraction_range") or {}
    solved = [q for f in report["findings"] for s in f.get("solutions", ()) for q in s["quantities"]]
    facts = [fact for launch in report["launches"] for fact in launch["facts"]]
    for one in (given, *solved, *facts):
        lo, hi = one.get("lo"), one.get("hi")
        assert lo is None or hi is None or lo <= hi or "no fraction works" in one.get("why", ""), one


def _page_is_the_templates(page: str) -> None:
    """No element that log text made, nothing that is fetched, nothing that cannot be seen."""
    assert len(page.encode()) <= _PAGE_BYTES
    assert not _UNPRINTED.search(page)
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    elements = [one for one in tree.iter() if isinstance(one.tag, str)]
    assert [one.get("type") for one in elements if one.tag == "script"] == ["application/json", None]
    fetched = [one.get(name) for one in elements for name in ("href", "src", "action") if one.get(name)]
    assert all(link.startswith("#") for link in fetched), fetched
    assert not [name for one in elements for name in one.attrib if str(name).startswith("on")]
