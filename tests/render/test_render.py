"""What all outputs have in common, and how a kept report is loaded."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logscope.errors import ReportUnreadable, UsageError
from logscope.render import FORMATS, load_report, render, suffix
from logscope.render._validity import faults, schema

OWN = ("github", "json", "junit", "line", "md", "sarif", "text", "trace")
REPORTS = sorted((Path(__file__).parents[1] / "fixtures" / "reports").glob("*.json"))


def test_every_file_of_the_folder_is_a_format() -> None:
    files = {path.stem for path in Path(render.__code__.co_filename).parent.glob("[!_]*.py")}
    assert set(FORMATS) == files
    assert set(OWN) <= files


def test_suffixes_are_distinct() -> None:
    suffixes = [suffix(form) for form in OWN]
    assert len(set(suffixes)) == len(suffixes)
    assert all(one.startswith(".") for one in suffixes)


def test_an_unknown_format_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match=r"no format 'pdf'; there are .*sarif"):
        render({}, "pdf")


@pytest.mark.parametrize("form", OWN)
def test_every_report_renders_and_leaves_the_report_alone(form: str, any_report: dict) -> None:
    before = copy.deepcopy(any_report)
    first = render(any_report, form, width=80, color=False)
    assert first == render(copy.deepcopy(any_report), form, width=80, color=False)
    assert any_report == before
    assert first.endswith("\n")


@pytest.mark.parametrize("form", OWN)
def test_no_output_holds_a_character_that_acts_on_its_reader(form: str, any_report: dict) -> None:
    acting = set("\x00\x07\x08\x1b\x7f\x9b\u202e\u2066\u200b\ufeff\u2028\ufffe") | {
        chr(code) for code in range(0xD800, 0xE000)
    }
    output = render(any_report, form)
    if form == "json":
        output = json.dumps(json.loads(output), ensure_ascii=True)
    assert not acting & set(output)


@pytest.mark.parametrize("form", OWN)
def test_every_output_encodes_as_utf_8(form: str, any_report: dict) -> None:
    assert render(any_report, form).encode("utf-8")


def test_a_report_without_any_optional_key_renders(empty_report: dict) -> None:
    empty_report["launches"] = [
        {
            "id": 0,
            "release": {},
            "state": "unknown",
            "lines": {"first": {"path": "a", "line": 1}, "last": {"path": "a", "line": 2}},
            "ranks": [],
            "phases": [],
            "arguments": {},
            "facts": [],
        }
    ]
    empty_report["verdict"]["launch"] = 0
    for form in OWN:
        assert render(empty_report, form)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_kept_reports_load_and_fit_the_schema(path: Path) -> None:
    report = load_report(path)
    jsonschema.Draft202012Validator(schema("report-1")).validate(report)
    assert report == json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["report-1", "prediction-1", "comparison-1"])
def test_the_schemas_are_valid_and_allow_further_keys(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert '"additionalProperties": false' not in json.dumps(schema(name))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[1]", "its schema is None"),
        ('{"schema": "logscope.report/2"}', "its schema is 'logscope.report/2'"),
        ('{"schema": "logscope.report/1"}', "has no 'logscope'"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_what_is_no_report_is_refused_in_one_sentence(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(content)
    with pytest.raises(ReportUnreadable, match=said.replace("[", r"\[")):
        load_report(path)


def test_a_missing_file_and_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ReportUnreadable, match="No such file"):
        load_report(tmp_path / "none.json")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(ReportUnreadable, match="is not JSON"):
        load_report(tmp_path / "binary")


def test_a_report_of_wrong_types_is_refused_with_the_place(tmp_path: Path, empty_report: dict) -> None:
    empty_report["verdict"]["actions"] = [{"do": 3, "why": "x"}]
    path = tmp_path / "report.json"
    path.write_text(json.dumps(empty_report))
    with pytest.raises(ReportUnreadable, match=r"report\.verdict\.actions\[0\]\.do is int where string is due"):
        load_report(path)


ANY_VALUE = st.sampled_from([None, True, 3, 2.5, "text", "error", [], {}, [1], ["a"], {"path": "a", "line": 1}])


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_the_validity_check_agrees_with_jsonschema_after_any_change(data: st.DataObject) -> None:
    report = json.loads(REPORTS[0].read_text(encoding="utf-8"))
    report["launches"] = report["launches"][:1]
    report["launches"][0]["series"] = report["launches"][0].get("series", [])[:1]
    place = report
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else list(range(len(place)))))
        if not isinstance(place[key], (dict, list)) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    if data.draw(st.booleans()):
        del place[key]
    else:
        place[key] = data.draw(ANY_VALUE)
    fits = jsonschema.Draft202012Validator(schema("report-1")).is_valid(report)
    assert (not faults(report, "report-1")) == fits
