"""The HTML page: nothing of a log becomes markup, the policy fits the page, every section is there, the bytes are stable."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import html5lib
import pytest

import logscope
from logscope.render._numbers import between, plain
from logscope.render._scale import ticks, time_ticks
from logscope.render._shrink import HARD_BYTES, LEVELS, SOFT_BYTES, Level, shrunk
from logscope.render._templates import folder, source
from logscope.render._visible import visible
from logscope.render.html import html

ROOT = Path(__file__).resolve().parents[2]
REPORTS = sorted((ROOT / "tests/fixtures/reports").glob("*.json"))
# Whatever a log holds, these are the only elements and attributes of a page: what the templates and the drawings write.
ELEMENTS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "a",
    "svg",
    "symbol",
    "path",
    "circle",
    "header",
    "p",
    "strong",
    "h1",
    "nav",
    "ol",
    "li",
    "main",
    "section",
    "h2",
    "h3",
    "h4",
    "div",
    "span",
    "code",
    "dl",
    "dt",
    "dd",
    "details",
    "summary",
    "figure",
    "figcaption",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "article",
    "pre",
    "ul",
    "output",
    "script",
    "footer",
    "em",
    "br",
    "desc",
    "rect",
    "line",
    "text",
    "g",
    "use",
    "clipPath",
    "defs",
    "pattern",
}
ATTRIBUTES = {
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "href",
    "width",
    "height",
    "aria-hidden",
    "focusable",
    "id",
    "viewBox",
    "d",
    "fill",
    "stroke",
    "stroke-width",
    "cx",
    "cy",
    "r",
    "rx",
    "x",
    "y",
    "x1",
    "x2",
    "y1",
    "y2",
    "aria-label",
    "aria-labelledby",
    "aria-describedby",
    "role",
    "tabindex",
    "value",
    "scope",
    "type",
    "open",
    "clip-path",
    "patternUnits",
}
# U+FFFE and U+FFFF, NUL and the like cannot stand in HTML at all; whoever pastes them into a log must not break the page.
HOSTILE = (
    "</script><script>alert(1)</script>",
    "</title></style><style>*{display:none}</style>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<svg onload=alert(1)><foreignObject><iframe src=//x></svg>",
    "{{ 7 * 7 }} {% include '/etc/passwd' %} {# gone #}",
    "]]><!-- --!> <![CDATA[ <?php ?>",
    "&lt;b&gt; &#x3c;script&#62; &notit; &amp",
    "\x1b[2J\x1b]0;owned\x07\x1b[31m red \r over",
    "nul\x00 bell\x07 del\x7f c1\x85\x9b",
    "\u202eoverride \u2066isolate\u2069 \u200bzero\u200d \ufeffmark \U000e0041tag \u3164filler \u00adsoft",
    "lone \ud800 \udfff \udc80 surrogates, \u2028 \u2029 separators, \ufffe \uffff none",
    "javascript:alert(1) data:text/html,<script>alert(1)</script>",
    "`${alert(1)}` \\u003cscript\\u003e",
    "a\tb\nc\r\nd",
    "é ü 漢字 🚀 עברית",
)


def kept() -> dict[str, Any]:
    """The richest report at hand, a fresh copy."""
    report: dict[str, Any] = json.loads(REPORTS[0].read_text(encoding="utf-8"))
    return report


def poisoned(value: Any, text: str) -> Any:
    """The value with the text in every key of free mappings and every string, words of the schema included."""
    if isinstance(value, dict):
        return {key: poisoned(item, text) for key, item in value.items()}
    if isinstance(value, list):
        return [poisoned(item, text) for item in value]
    return f"{value}{text}" if isinstance(value, str) else value


def parsed(page: str) -> Any:
    """The tree of the page; raises at the first fault a parser of HTML finds."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(page)


def names_in(tree: Any) -> tuple[set[str], set[str]]:
    elements, attributes = set(), set()
    for one in tree.iter():
        if isinstance(one.tag, str):
            elements.add(one.tag.rpartition("}")[2])
            attributes |= {str(name).rpartition("}")[2] for name in one.attrib}
    return elements, attributes


def assert_only_the_templates_speak(page: str) -> Any:
    tree = parsed(page)
    elements, attributes = names_in(tree)
    assert elements <= ELEMENTS, elements - ELEMENTS
    assert {name for name in attributes if not name.startswith("data-")} <= ATTRIBUTES
    links = {one.get("href") for one in tree.iter() if isinstance(one.tag, str) and one.get("href")}
    assert all(link.startswith("#") for link in links), links
    assert [one.get("type") for one in tree.iter("script")] == ["application/json", None]
    page.encode("utf-8")
    assert not re.search(
        r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]", page
    )
    return tree


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_hostile_text_in_every_string_adds_no_element_and_no_attribute(path: Path, text: str) -> None:
    report = poisoned(json.loads(path.read_text(encoding="utf-8")), text)
    clean = names_in(parsed(html(json.loads(path.read_text(encoding="utf-8")))))
    tree = assert_only_the_templates_speak(html(report))
    assert names_in(tree)[0] <= clean[0]


def test_hostile_keys_add_no_element_and_no_attribute() -> None:
    report = kept()
    for text in HOSTILE:
        report["launches"][-1]["arguments"][text] = text
        report["redaction"]["kinds"][text] = 1
        report[text] = text
    for launch in report["launches"]:
        del launch["configuration"]
    assert_only_the_templates_speak(html(report))


WRONG = (None, -1.5, True, "text", [], {}, [None, 1, "x", {}], {"a": [1]}, float("nan"), float("inf"), 1 << 80)


def small() -> dict[str, Any]:
    """A report with one of everything and short series, for tests that render it often."""
    report = kept()
    report["launches"] = report["launches"][1:]
    launch = report["launches"][0]
    launch["series"] = [
        one | {"t": [0, 1], "lo": [0, 1], "hi": [1, 2], "flags": [0, 1]} for one in launch["series"][:1]
    ]
    for holder, key in ((report, "excerpts"), (report, "findings"), (launch, "events"), (launch, "phases")):
        holder[key] = holder[key][:1]
    return report


HOLDERS = (
    (),
    ("verdict",),
    ("verdict", "evidence", 0),
    ("verdict", "actions", 0),
    ("verdict", "actions", 0, "set"),
    ("verdict", "fraction_range"),
    ("coverage",),
    ("launches", 0),
    ("launches", 0, "series", 0),
    ("launches", 0, "events", 0),
    ("launches", 0, "phases", 0),
    ("launches", 0, "memory", 0),
    ("launches", 0, "memory", 0, "parts", 0),
    ("launches", 0, "configuration", 0),
    ("findings", 0),
    ("findings", 0, "observed"),
    ("findings", 0, "gap"),
    ("findings", 0, "solutions", 0),
    ("excerpts", 0),
)


@pytest.mark.parametrize("where", HOLDERS, ids=str)
def test_a_report_with_a_value_of_another_type_anywhere_is_still_a_page(where: tuple[str | int, ...]) -> None:
    keys = list(_held(small(), where))
    assert keys
    for number, key in enumerate(keys):
        for wrong in WRONG[number % 3 :: 3]:
            report = small()
            _held(report, where)[key] = wrong
            assert "</html>" in html(report), (key, wrong)


def _held(report: Any, where: tuple[str | int, ...]) -> dict[str, Any]:
    for step in where:
        report = report[step]
    held: dict[str, Any] = report
    return held


def test_the_barest_report_has_every_section_and_says_what_is_not_there(sections: tuple[str, ...]) -> None:
    page = html({"schema": "logscope.report/1"})
    tree = assert_only_the_templates_speak(page)
    ids = {one.get("id") for one in tree.iter("section")}
    assert set(sections) <= ids
    for said in ("holds no verdict", "The arguments are not in the log", "The log shows no launch"):
        assert said in page


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_a_page_has_its_sections_in_order_and_each_id_once(path: Path, sections: tuple[str, ...]) -> None:
    tree = parsed(html(json.loads(path.read_text(encoding="utf-8"))))
    ids = [one.get("id") for one in tree.iter("section")]
    assert [one for one in ids if one != "launches"] == list(sections)
    every = [one.get("id") for one in tree.iter() if isinstance(one.tag, str) and one.get("id")]
    assert len(every) == len(set(every))
    links = {one.get("href")[1:] for one in tree.iter("a")}
    assert links <= set(every), links - set(every)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_headings_go_down_one_level_at_a_time(path: Path) -> None:
    tree = parsed(html(json.loads(path.read_text(encoding="utf-8"))))
    levels = [int(one.tag[1]) for one in tree.iter() if isinstance(one.tag, str) and re.fullmatch("h[1-6]", one.tag)]
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))


def test_the_policy_forbids_everything_but_the_one_style_and_the_one_script() -> None:
    tree = parsed(html(kept()))
    (policy,) = (m.get("content") for m in tree.iter("meta") if m.get("http-equiv") == "Content-Security-Policy")
    (style,) = (one.text for one in tree.iter("style"))
    (script,) = (one.text for one in tree.iter("script") if one.get("type") is None)
    for kind, text in (("style-src", style), ("script-src", script)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    attributes = names_in(tree)[1]
    assert not {name for name in attributes if name == "style" or name.startswith("on")}
    assert not re.search(r"https?://|url\((?!#)|@import", style)
    assert not re.search(r"fetch\(|XMLHttpRequest|innerHTML|localStorage|import\(|eval\(", script)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_the_same_report_gives_the_same_bytes_whatever_the_hash_seed(path: Path) -> None:
    program = (
        "import json, sys, hashlib; from logscope.render.html import html;"
        f"print(hashlib.sha256(html(json.load(open({str(path)!r}, encoding='utf-8'))).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "TZ": zone},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(digests) == 1


def test_the_embedded_report_is_the_report() -> None:
    report = kept()
    report["title"] = "</script>\u2028\u2029&amp;<!--\ud800"
    tree = parsed(html(report))
    (data,) = (one.text for one in tree.iter("script") if one.get("id") == "report-json")
    assert not re.search("[<>&\u2028\u2029]", data)
    assert json.loads(data) == report


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_the_page_of_a_story_is_small_and_quick(path: Path) -> None:
    report = json.loads(path.read_text(encoding="utf-8"))
    assert len(html(report).encode()) <= 400_000
    begin = time.perf_counter()
    html(report)
    assert time.perf_counter() - begin < 1.5  # 0.05 s alone on a machine; the bound only catches another order


def test_a_line_of_ten_megabytes_is_cut_and_the_page_says_so() -> None:
    report = kept()
    report["verdict"]["evidence"][0]["text"] = "<b>" * 3_500_000
    report["excerpts"][0]["lines"][5] = "<i>" * 3_500_000
    page = html(report)
    assert len(page.encode()) < SOFT_BYTES
    assert "10,500,000 characters in all" in page
    assert "texts cut after 4,096 characters: 2" in page


def large() -> dict[str, Any]:
    """A report as no log should give it: everything a hundred times."""
    report = kept()
    report["findings"] = [dict(one, id=i) for i in range(200) for one in report["findings"]]
    report["excerpts"] *= 300
    launch = report["launches"][1]
    points = 5_000
    launch["series"] = [
        {
            "name": f"s{i}_tok_s",
            "unit": "tok/s",
            "rank": f"TP{i}",
            "t": list(range(points)),
            "lo": [1.5] * points,
            "hi": [2.5] * points,
        }
        for i in range(16)
    ]
    launch["events"] *= 200
    report["launches"] = [dict(launch, id=i) for i in range(6)]
    report["not_checked"] *= 500
    return report


def test_a_report_of_any_size_becomes_a_page_below_the_soft_limit_that_says_what_it_leaves_out(
    sections: tuple[str, ...],
) -> None:
    page = html(large())
    assert len(page.encode()) <= SOFT_BYTES < HARD_BYTES
    tree = assert_only_the_templates_speak(page)
    assert set(sections) <= {one.get("id") for one in tree.iter("section")}
    assert "least and largest value kept" in page
    assert "findings are kept, roots first" in page


def test_every_level_is_smaller_than_the_one_before() -> None:
    sizes = [len(json.dumps(shrunk(large(), level)[0])) for level in LEVELS]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < 100_000


def many_findings(rules: int, each: int) -> list[dict[str, Any]]:
    """Findings of many rules, the ones that matter last: notes, then warnings of other launches, then one root."""
    notes = [
        {"id": n, "rule": f"NOT{n % rules:03}", "severity": "note", "role": "context", "launches": [n % 400]}
        for n in range(rules * each)
    ]
    warnings = [one | {"id": len(notes) + n, "severity": "warning"} for n, one in enumerate(notes)]
    roots = [one | {"id": 10**6 + n, "rule": "ROO101", "role": "root", "launches": [n]} for n, one in enumerate(notes)]
    last = {"id": 10**7, "rule": "ROO999", "severity": "error", "role": "root", "launches": [1]}
    texts = {"title": "t" * 80, "message": "m" * 400, "kind": "smell", "evidence": []}
    return [one | texts for one in (*notes, *warnings, *roots, last)]


@pytest.mark.parametrize("level", LEVELS)
def test_of_many_findings_the_root_and_one_of_each_rule_are_kept_and_the_rest_is_counted(level: Level) -> None:
    report = kept()
    report["findings"] = many_findings(rules=3, each=200)
    shown, cuts = shrunk(report, level)
    rules = [one["rule"] for one in shown["findings"]]
    assert len(rules) == level.findings
    assert {"ROO999", "ROO101"} <= set(rules)
    (said,) = [one for one in cuts if "findings are kept" in one]
    left = sum(int(count.replace(",", "")) for count in re.findall(r"([\d,]+) of [A-Z]{3}\d{3}", said))
    assert left + len(rules) == len(report["findings"])


@pytest.mark.parametrize("level", LEVELS)
def test_no_cut_takes_a_member_of_the_verdict_or_the_launch_it_is_about(level: Level) -> None:
    report = kept()
    fatal = next(one for one in report["launches"] if one["id"] == report["verdict"]["launch"])
    others = [fatal | {"id": 1000 + n, "state": "stopped" if n % 2 else "hung"} for n in range(900)]
    report["launches"] = [*others, fatal]
    report["verdict"] |= {"upstream": [], "command": "python -m x"}
    shown, cuts = shrunk(report, level)
    assert set(shown["verdict"]) == set(report["verdict"])
    assert fatal["id"] in [one["id"] for one in shown["launches"]]
    assert {one["state"] for one in shown["launches"]} <= {fatal["state"], "hung"}
    assert f"{level.launches:,} of 901 launches are kept" in " ".join(cuts)


def test_a_page_of_very_many_findings_launches_and_ranks_stays_small_and_whole(sections: tuple[str, ...]) -> None:
    report = kept()
    fatal = next(one for one in report["launches"] if one["id"] == report["verdict"]["launch"])
    fatal["ranks"] = [f"TP{n}" for n in range(2000)]
    fatal["series"] = [
        {"name": "token_usage_share", "label": "usage", "unit": "share", "rank": rank, "t": [0, 1], "lo": [0, 1]}
        for rank in fatal["ranks"]
    ]
    fatal["events"] = [{"t": n, "rank": f"TP{n % 2000}", "kind": "failure", "text": "x" * 300} for n in range(20_000)]
    report["launches"] = [fatal | {"id": 1000 + n} for n in range(400)] + [fatal]
    report["findings"] = many_findings(rules=50, each=20)
    page = html(report)
    assert len(page.encode()) <= SOFT_BYTES
    tree = assert_only_the_templates_speak(page)
    assert set(sections) <= {one.get("id") for one in tree.iter("section")}
    assert "finding-10000000" in {one.get("id") for one in tree.iter()}


def test_binning_keeps_the_least_and_the_largest_value() -> None:
    report = kept()
    series = {"name": "x", "unit": "y", "t": list(range(10_000)), "lo": [5.0] * 10_000, "hi": [6.0] * 10_000}
    series["lo"][4321] = -1.0
    series["hi"][7654] = 99.0
    report["launches"][1]["series"] = [series]
    (binned,) = shrunk(report, LEVELS[0])[0]["launches"][1]["series"]
    assert len(binned["t"]) <= LEVELS[0].points
    assert (min(binned["lo"]), max(binned["hi"])) == (-1.0, 99.0)


def test_points_flagged_as_artefacts_are_marked_and_neither_joined_nor_scaled_to() -> None:
    report = kept()
    flat = {"name": "gen_throughput_tok_s", "unit": "tok/s", "t": [0, 1, 2, 3, 4], "lo": [10.0] * 5, "hi": [10.0] * 5}
    report["launches"][1]["series"] = [flat | {"hi": [10.0, 10.0, 9000.0, 10.0, 10.0], "flags": [0, 0, 1, 0, 0]}]
    page = html(report)
    assert "1 interval artefacts" in page
    assert "9,000" not in page
    shown = page[page.index('id="launch-1-chart-0"') :]
    assert shown[: shown.index("</svg>")].count('class="artefact movable"') == 1


def test_a_negative_remainder_is_drawn_past_zero_and_said() -> None:
    page = html(json.loads(next(path for path in REPORTS if "story-2" in path.name).read_text(encoding="utf-8")))
    assert "The parts exceed what was there" in page
    assert "−25.3 GiB" in page


def test_more_than_eight_ranks_share_one_lane_and_one_band() -> None:
    report = kept()
    launch = report["launches"][1]
    launch["phases"] = [
        {"name": "load", "rank": f"TP{i}", "start": launch["start"], "seconds": 5 + i} for i in range(16)
    ]
    launch["series"] = [
        {
            "name": "running_requests",
            "unit": "requests",
            "rank": f"TP{i}",
            "t": [0, 10, 20],
            "lo": [i] * 3,
            "hi": [i + 1] * 3,
        }
        for i in range(16)
    ]
    page = html(report)
    drawn = page[page.index('id="launch-1-chart-0"') :]
    assert ">16 ranks</text>" in page
    assert drawn[: drawn.index("</svg>")].count("<path") == 2


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢 🚀\tx", "plain é 漢 🚀\tx"),
        ("\u202e", "⟨U+202E⟩"),
        ("\x1b[0m", "⟨U+001B⟩[0m"),
        ("\ud800", "⟨U+D800⟩"),
        ("a\u00a0b\u200bc", "a⟨U+00A0⟩b⟨U+200B⟩c"),
        ("\U000e0041\ufe0f\u3164", "⟨U+E0041⟩⟨U+FE0F⟩⟨U+3164⟩"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_its_code_point(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (94.0, "94.0"),
        (-20.59, "−20.59"),
        (312581, "312,581"),
        (1951.84, "1,951.8"),
        (0.872, "0.872"),
        (-3, "−3"),
    ],
)
def test_numbers_are_written_as_people_read_them(value: float, shown: str) -> None:
    assert plain(value) == shown


def test_an_interval_has_the_decimals_that_tell_its_ends_apart() -> None:
    assert between(33.385, 33.395) == "[33.385, 33.395]"
    assert between(0.87978, 0.88001) == "[0.87978, 0.88001]"
    assert between(5.0, 5.0) == "exact"


def test_ticks_are_round_and_inside() -> None:
    assert ticks(-20.59, 10.42, 4) == [-20, -10, 0, 10]
    assert time_ticks(0, 245, 8, zero_s=3) == [57, 117, 177, 237]


def test_templates_hold_no_style_attribute_no_handler_and_no_way_around_escaping() -> None:
    for path in Path(str(folder())).rglob("*.j2"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bstyle\s*=|\bon[a-z]+\s*=|\|\s*safe|Markup|autoescape", text), path.name
    assert "</script" not in source("report.js")
    assert "</style" not in source("report.css")


def test_rendering_a_page_imports_no_plotting_library() -> None:
    program = (
        "import json, sys; from logscope.render.html import html;"
        f"html(json.load(open({str(REPORTS[0])!r}, encoding='utf-8')));"
        "print([m for m in ('matplotlib', 'pandas', 'pyarrow', 'duckdb') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": str(ROOT)}, capture_output=True, check=True, text=True
    )
    assert done.stdout.strip() == "[]"


LOGS = sorted((ROOT / "tests/fixtures/logs").glob("*.log"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_the_report_of_a_fixture_log_is_a_whole_page_in_which_every_link_leads_somewhere(
    path: Path, sections: tuple[str, ...]
) -> None:
    report = json.loads(logscope.to_json(logscope.analyze(logscope.open_log(path))))
    page = html(report)
    tree = assert_only_the_templates_speak(page)
    every = [one.get("id") for one in tree.iter() if isinstance(one.tag, str) and one.get("id")]
    assert len(every) == len(set(every))
    assert {one.get("href")[1:] for one in tree.iter("a")} <= set(every)
    assert set(sections) <= set(every)
    assert len(page.encode()) <= 400_000
    (quoted,) = (one for one in tree.iter("section") if one.get("id") == "verdict")
    marked = ["".join(one.itertext()) for one in quoted.iter("li") if one.get("class") == "marked"]
    assert any(marked[0].startswith(visible(one["text"])[:200]) for one in report["verdict"]["evidence"][:1])


def test_the_letters_of_a_failure_at_the_end_of_the_log_are_not_cut() -> None:
    page = (Path(__file__).parents[1] / "fixtures/golden/story-2-refused-then-booted/report.html").read_text("utf-8")
    drawing = page[page.index('id="launch-0-timeline"') :].partition("</svg>")[0]
    left, width = map(float, re.findall(r'<clipPath.*?x="([\d.]+)" y="0" width="([\d.]+)"', drawing)[0])
    letters = re.findall(r'class="letter[^"]*" x="([\d.]+)"[^>]*>([^<]+)<', drawing)
    assert letters
    assert all(float(x) + len(letter) * 7 / 2 <= left + width for x, letter in letters)
