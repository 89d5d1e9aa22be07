"""Markdown for a comment: parsed again with a CommonMark parser, nothing of the log becomes markup."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from logscope.render._markup_md import code, escape, fence
from logscope.render.md import SIZE_MAX, md

HTML_WRITTEN = re.compile(r"</?details>|</?summary>|</?sub>|<!-- -->")


def parsed(source: str) -> list:
    return MarkdownIt("gfm-like", {"linkify": False}).parse(source)


def inline(source: str) -> list:
    return [child for token in parsed(source) for child in token.children or ()]


def test_it_is_never_longer_than_a_comment_may_be(any_report: dict) -> None:
    assert len(md(any_report).encode()) <= SIZE_MAX


def test_a_huge_report_drops_parts_from_the_end_and_says_which(kept_report: dict) -> None:
    kept_report["findings"] *= 300
    kept_report["launches"][0]["events"] = kept_report["launches"][0]["events"] * 500
    for finding in kept_report["findings"]:
        finding["evidence"] = [{"path": "a.log", "line": 1, "text": "`" * 3 + "y" * 4000}] * 6
    source = md(kept_report)
    assert len(source.encode()) <= SIZE_MAX
    assert re.search(r"\d+ more are in the full report; these matter most", source)
    assert "### The lines that prove it" in source


def test_what_does_not_fit_at_all_is_named(kept_report: dict) -> None:
    step = {"says": "because of this " + "y" * 900}
    kept_report["verdict"]["chain"] = [step] * 2000
    source = md(kept_report)
    assert len(source.encode()) <= SIZE_MAX
    assert "<details><summary>Causal chain, root first" in source
    kept_report["findings"] = [kept_report["findings"][0] | {"message": "m" * 60_000, "title": "|" * 60_000}] * 3
    for one in kept_report["findings"]:
        one["evidence"] = [{"path": "p" * 20_000, "line": 1, "text": "y"}] * 6
    assert "Left out, as the comment would be too long: findings" in md(kept_report)


def test_no_text_of_a_log_becomes_an_element_a_link_an_image_or_a_heading(any_report: dict) -> None:
    source = md(any_report)
    tokens = parsed(source)
    headings = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]
    assert len(headings) == len(parsed_headings_of_the_template(any_report))
    assert not [t for t in inline(source) if t.type in ("link_open", "image")]
    html = [t.content for t in (*tokens, *inline(source)) if t.type.startswith("html_")]
    assert not re.search(r"[<>]", HTML_WRITTEN.sub("", "".join(html)))


def parsed_headings_of_the_template(report: dict) -> list[str]:
    has = report["verdict"]
    wanted = ["verdict", "evidence" if has["evidence"] else "", "actions" if has["actions"] else "", *["blank"] * 4]
    return [one for one in wanted if one]


def test_every_fold_is_closed(any_report: dict) -> None:
    source = md(any_report)
    assert source.count("<details>") == source.count("</details>")


def test_the_parts_that_only_people_know_are_labelled_blanks(kept_report: dict) -> None:
    source = md(kept_report)
    for name in ("Impact", "Detection", "Owners", "Follow-ups"):
        assert f"### {name}\n\n_To be filled in: " in source


def test_findings_show_numbers_conflict_solutions_and_quoted_lines(kept_report: dict) -> None:
    source = md(kept_report)
    with_conflict = next(one for one in kept_report["findings"] if one.get("conflict"))
    assert "| observed | " in source
    assert "rounding explains" in source
    assert with_conflict["conflict"][0]["name"] in source
    assert "| possible |" in source
    assert "| excluded |" in source
    assert with_conflict["evidence"][0]["text"] in source


@pytest.mark.parametrize("content", ["plain", "``", "a ``` b ```` c", "`" * 50, "~~~", "ends with `"])
def test_fences_and_spans_are_longer_than_what_they_hold(content: str) -> None:
    tokens = parsed(fence(content))
    assert [t.type for t in tokens] == ["fence"]
    assert tokens[0].content == content + "\n"
    (span,) = [t for t in inline(code(content)) if t.type == "code_inline"]
    assert span.content == content


@pytest.mark.parametrize(
    "text",
    [
        "one ` tick and `` two",
        "a_b_c --flag=1",
        "*no* _no_ __no__ ~~no~~",
        "<b>x</b> &amp; &lt;",
        "[a](b) ![c](d)",
        "| a | b |",
        "1 < 2 > 0",
        "\\ \\*",
    ],
)
def test_escaped_prose_reads_as_it_was(text: str) -> None:
    shown = "".join(t.content for t in inline("x " + escape(text)) if t.type in ("text", "text_special"))
    assert shown == "x " + text


@pytest.mark.parametrize("text", ["@here now", "see #12", "in !34", "GH-5", "http://a.b", "www.a.b"])
def test_mentions_and_references_are_cut_so_that_nobody_is_notified(text: str) -> None:
    assert "<!-- -->" in escape(text)


def test_code_between_backticks_stays_code_and_holds_no_markup() -> None:
    tokens = inline("see " + escape("`<b>x` and `@here`"))
    assert [t.content for t in tokens if t.type == "code_inline"] == ["<b>x", "@here"]


def test_what_many_ranks_say_at_once_is_one_row_of_the_timeline(empty_report: dict) -> None:
    events = [
        {"t": 3, "rank": f"TP{n}", "kind": "failure", "text": "refused", "line": {"path": "a", "line": n}}
        for n in range(8)
    ]
    empty_report["launches"] = [{"id": 0, "start": "2026-11-29T12:00:00", "events": events}]
    empty_report["verdict"]["launch"] = 0
    assert "| 12:00:03 | TP0, TP1 and 6 more | refused | `a:0` |" in md(empty_report)


def test_one_file_is_named_once(kept_report: dict) -> None:
    path = kept_report["inputs"][0]["path"]
    line = kept_report["verdict"]["evidence"][0]["line"]
    kept_report["verdict"]["chain"] = [{"says": f"it began at {path}:77"}]
    source = md(kept_report)
    assert source.count(path) == 1
    assert f"line {line}: " in source
    assert "it began at line 77" in source
