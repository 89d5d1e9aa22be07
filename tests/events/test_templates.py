"""The table of templates: what its lines promise, and that a hostile line costs no more than one pass."""

from __future__ import annotations

import re
import time

import pytest
import regex

from logscope.events import _templates, diffusion, notice, notice_record

TABLE = _templates.templates()
ROUTES = (notice, notice_record, diffusion)


def rendered(template: _templates.Template, value: str = "abc", number: str = "1.25") -> str:
    text = template.head.replace("{n}", number).replace("{}", value)
    return text.replace("\x02", "{")


def test_every_text_stands_once_and_in_order() -> None:
    texts = [template.text for template in TABLE]
    assert len(texts) == len(set(texts))
    assert len(texts) > 1000


def test_every_template_belongs_to_one_family() -> None:
    exact = [s for module in ROUTES for s in module.FAMILY.shapes if not s.sets.get("changed")]
    assert len(exact) == len(TABLE)
    assert all(module.FAMILY.last for module in ROUTES)


def test_a_template_takes_its_own_rendering_and_types_its_values() -> None:
    for template in TABLE[::3]:
        found = regex.fullmatch(_templates.pattern(template), rendered(template))
        assert found, template
        numbers = [float(v) for k, v in found.groupdict().items() if k.startswith("number_") and v]
        assert set(numbers) <= {1.25}, template


def test_a_value_may_hold_what_people_write() -> None:
    for template in TABLE[::7]:
        value = "C:\\x, y=1; [http://127.0.0.1:30000] é"
        last = template.head.rstrip().endswith("{}") and template.head.count("{") == 1
        if last:
            assert regex.fullmatch(_templates.pattern(template), rendered(template, value)), template


def test_no_literal_is_so_short_that_it_takes_foreign_lines() -> None:
    for module in ROUTES:
        for shape in module.FAMILY.shapes:
            letters = sum(c.isalpha() for c in (shape.starts[0] if shape.starts else shape.contains))
            assert letters >= 3, shape.sets["template"]


def test_a_message_that_goes_on_otherwise_is_known_by_its_beginning_only_behind_a_prefix() -> None:
    changed = [s for s in notice.FAMILY.shapes if s.sets.get("changed")]
    assert len(changed) > 500
    for shape in changed:
        assert not shape.bare
        assert regex.fullmatch(shape.pattern, shape.starts[0] + ", and so on")
        assert not shape.since
        assert not shape.until


@pytest.mark.parametrize("filler", ["a, b: ", ": ", "x " * 3, ", "])
def test_a_hostile_line_costs_one_pass(filler: str) -> None:
    worst = sorted(TABLE, key=lambda template: -len(template.literals))[:200]
    line = filler * 2000
    began = time.process_time()
    for template in worst:
        regex.fullmatch(_templates.pattern(template), template.literals[0] + line + "\x03")
    assert time.process_time() - began < 5


def test_bounds_are_releases_and_open_at_the_ends_of_what_is_known() -> None:
    release = re.compile(r"\d+\.\d+\.\d+(?:\.post\d+)?")
    for template in TABLE:
        assert all(not bound or release.fullmatch(bound) for bound in (template.first, template.last))
        assert template.level in {"debug", "info", "warning", "error", "critical", "print"}
