"""The page in a browser: it asks for nothing, says nothing on the console, and is complete without its script."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytestmark = pytest.mark.browser


def test_a_page_opens_from_a_file_without_a_request_and_without_a_word_on_the_console(browser: Any, page: str) -> None:
    browser.open(page)
    browser.run("scrollTo(0, document.body.scrollHeight)")
    assert browser.said() == []
    assert [url for url in browser.requested() if url != page] == []


@pytest.mark.parametrize("scripts", [True, False])
def test_every_section_is_seen_with_scripts_and_without(
    browser: Any, page: str, scripts: bool, sections: tuple[str, ...]
) -> None:
    browser.open(page, scripts=scripts)
    heights = browser.run(
        f"Object.fromEntries({json.dumps(sections)}.map((id) => [id, document.getElementById(id).offsetHeight]))"
    )
    assert min(heights.values()) > 40, heights
    assert browser.run(
        "Array.from(document.querySelectorAll('svg.plot, svg.waterfall')).every((s) => s.viewBox.baseVal.width > 0)"
    )


def test_no_text_of_the_body_is_wider_than_a_narrow_screen(browser: Any, page: str) -> None:
    browser.open(page, width=390)
    wide = browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_no_violation(browser: Any, axe: str, page: str, scheme: str, width: int) -> None:
    browser.open(page, width=width, media={"prefers-color-scheme": scheme})
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    browser.run(axe + "; 0")
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = browser.run(
        f"axe.run(document, {{runOnly: {json.dumps(tags)}}}).then((r) => r.violations.map((v) => [v.id, v.help,"
        " v.nodes.length, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + n.failureSummary)]))"
    )
    assert found == []


def test_the_crosshair_shows_the_values_of_all_charts_at_one_moment(browser: Any, page: str) -> None:
    browser.open(page)
    launch = browser.run("document.querySelector('figure.panel div.plot').dataset.launchIndex")
    end = browser.run("Number(document.querySelector('figure.panel div.plot').dataset.end)")
    browser.run(f"logscope.point({json.dumps(launch)}, {end / 2})")
    shown = browser.run(
        f"Array.from(document.querySelectorAll('figure.panel:has(div.plot[data-launch-index={json.dumps(launch)}]) output'))"
        ".map((one) => one.textContent)"
    )
    assert shown
    assert all(shown), shown
    lines = browser.run(
        f"document.querySelectorAll('div.plot[data-launch-index={json.dumps(launch)}] .cross[visibility=visible]').length"
    )
    assert lines == browser.run(f"document.querySelectorAll('div.plot[data-launch-index={json.dumps(launch)}]').length")


def test_dragging_over_a_chart_zooms_all_charts_and_escape_shows_all_again(browser: Any, page: str) -> None:
    browser.open(page)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    browser.run("document.querySelector('figure.panel').scrollIntoView({behavior: 'instant'})")
    box = browser.run(
        "(({left, top, width, height}) => ({left, top, width, height}))(document.querySelector('figure.panel svg.plot').getBoundingClientRect())"
    )
    before = browser.run(
        "Array.from(document.querySelectorAll('figure.panel path.line')).map((one) => one.getAttribute('d'))"
    )
    y = box["top"] + box["height"] / 2
    for kind, share in (("mousePressed", 0.4), ("mouseMoved", 0.5), ("mouseReleased", 0.6)):
        x = box["left"] + share * box["width"]
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
    after = browser.run(
        "Array.from(document.querySelectorAll('figure.panel path.line')).map((one) => one.getAttribute('d'))"
    )
    launch = browser.run("document.querySelector('figure.panel div.plot').dataset.launchIndex")
    own = browser.run(
        f"document.querySelectorAll('figure.panel div.plot[data-launch-index={json.dumps(launch)}] path.line').length"
    )
    assert sum(a != b for a, b in zip(after, before, strict=True)) == own
    assert "Charts show" in browser.run("document.querySelector('.status-line').textContent")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="Escape", code="Escape")
    again = browser.run(
        "Array.from(document.querySelectorAll('figure.panel path.line')).map((one) => one.getAttribute('d'))"
    )
    assert again == before or all(len(a) >= len(b) * 0.9 for a, b in zip(again, before, strict=True))


def test_filtering_by_severity_hides_what_is_less_and_says_how_many_are_left(browser: Any, page: str) -> None:
    browser.open(page)
    browser.run(
        "(() => { const one = document.querySelector('.tools select'); one.value = 'error'; one.dispatchEvent(new Event('change')); })()"
    )
    assert browser.run(
        "Array.from(document.querySelectorAll('[data-severity]')).every((o) => o.hidden === (o.dataset.severity !== 'error'))"
    )
    assert " of " in browser.run("document.querySelector('.status-line').textContent")


def test_copying_as_markdown_quotes_the_verdict_and_its_lines(browser: Any, page: str) -> None:
    browser.open(page)
    copied = browser.run("logscope.markdown()")
    report = json.loads(browser.run("document.getElementById('report-json').textContent"))
    assert report["verdict"]["cause"] in copied
    assert report["verdict"]["evidence"][0]["text"] in copied


def test_keys_walk_through_the_sections_and_can_be_switched_off(
    browser: Any, page: str, sections: tuple[str, ...]
) -> None:
    browser.open(page)
    for _ in range(3):
        browser.call("Input.dispatchKeyEvent", type="keyDown", key="j", text="j")
    here = browser.run("document.activeElement.id")
    assert here in (*sections, "launches")
    browser.run("document.querySelector('.switch input').click()")
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="j", text="j")
    assert browser.run("document.activeElement.id") == here


def test_printing_unfolds_the_lines_that_prove_the_verdict(browser: Any, page: str) -> None:
    browser.open(page, scripts=False)
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.run("document.querySelector('#verdict details.keep .log').getBoundingClientRect().height") > 0
    assert browser.run("getComputedStyle(document.querySelector('.contents')).display") == "none"
    printed = browser.call("Page.printToPDF", preferCSSPageSize=True)
    assert len(printed["data"]) > 50_000


@pytest.mark.parametrize("width", [390, 1280])
def test_hostile_text_neither_runs_nor_widens_the_page(browser: Any, hostile: str, width: int) -> None:
    browser.open(hostile, width=width)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.said() == []
    assert browser.requested() == [hostile]
    assert browser.run("window.owned === undefined")
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert "owned" in browser.run("logscope.markdown()")


def press(browser: Any, *keys: str) -> None:
    for key in keys:
        browser.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key)


def test_the_crosshair_moves_by_keys_and_says_its_values(browser: Any, page: str) -> None:
    browser.open(page)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    browser.run("document.querySelector('figure.panel div.plot').focus()")
    press(browser, "End", "ArrowLeft", "ArrowLeft")
    said = browser.run("document.querySelector('.status-line').textContent")
    assert any(letter.isdigit() for letter in said), said
    assert browser.run("document.querySelector('.status-line').getAttribute('role')") == "status"
    place = "document.querySelector('figure.panel .cross').getAttribute('x1')"
    right = float(browser.run(place))
    press(browser, "Home")
    assert float(browser.run(place)) < right
    press(browser, "+")
    assert "Charts show" in browser.run("document.querySelector('.status-line').textContent")


def test_the_button_copies_the_markdown_and_says_so(browser: Any, page: str) -> None:
    browser.open(page)
    browser.run(
        "window.copied = ''; document.addEventListener('copy', () => { copied = String(document.activeElement.value); });"
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: () => Promise.reject(new Error('no'))}})"
    )
    browser.run(
        "Array.from(document.querySelectorAll('.tools button')).find((b) => b.textContent.startsWith('Copy')).click()"
    )
    said = browser.run(
        "new Promise((done) => setTimeout(() => done(document.querySelector('.status-line').textContent), 100))"
    )
    assert "copied" in said
    assert browser.run("copied === logscope.markdown()")


@pytest.mark.parametrize("subject", ["rank", "launch"])
def test_filtering_by_a_subject_leaves_what_belongs_to_it_and_to_nothing(browser: Any, page: str, subject: str) -> None:
    browser.open(page)
    select = f"Array.from(document.querySelectorAll('.tools label')).find((l) => l.textContent.trim().startsWith('{subject}'))"
    if not browser.run(f"Boolean({select})"):
        pytest.skip(f"this report has one {subject}")
    chosen = browser.run(
        f"(() => {{ const s = {select}.querySelector('select'); s.selectedIndex = 1;"
        " s.dispatchEvent(new Event('change')); return s.value; })()"
    )
    shown = browser.run(
        f"Array.from(document.querySelectorAll('[data-severity]')).filter((o) => !o.hidden).map((o) => o.dataset.{subject} || '')"
    )
    assert shown
    assert all(not one or chosen in one.replace(",", " ").split(" ") or chosen in one.split(",") for one in shown)


def test_what_has_the_focus_is_seen_and_nothing_moves_where_motion_is_unwanted(browser: Any, page: str) -> None:
    browser.open(page, media={"prefers-reduced-motion": "reduce"})
    for _ in range(4):
        browser.call("Input.dispatchKeyEvent", type="rawKeyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
        style = browser.run(
            "(({outlineStyle, outlineWidth}) => [outlineStyle, outlineWidth])(getComputedStyle(document.activeElement))"
        )
        assert style[0] != "none", browser.run("document.activeElement.outerHTML.slice(0, 200)")
    assert browser.run(
        "Array.from(document.querySelectorAll('*')).every((one) => { const s = getComputedStyle(one);"
        " return s.animationName === 'none' && parseFloat(s.transitionDuration) < 0.011 && s.scrollBehavior !== 'smooth'; })"
    )


@pytest.mark.parametrize("paper", [(8.27, 11.69), (8.5, 11.0)], ids=["A4", "Letter"])
def test_no_card_is_broken_between_pages(browser: Any, page: str, paper: tuple[float, float]) -> None:
    browser.open(page)
    browser.call("Emulation.setEmulatedMedia", media="print")
    cards = browser.run(
        "Array.from(document.querySelectorAll('.card, .panel, .passage, tr')).map((one) => getComputedStyle(one).breakInside)"
    )
    assert cards
    assert set(cards) <= {"avoid", "avoid-page"}
    printed = browser.call("Page.printToPDF", paperWidth=paper[0], paperHeight=paper[1])
    assert len(printed["data"]) > 50_000


@pytest.mark.parametrize("width", [1280, 390])
def test_a_flag_is_never_broken_over_two_lines_where_a_line_holds_it(browser: Any, page: str, width: int) -> None:
    browser.open(page, width=width)
    heights = browser.run("Array.from(document.querySelectorAll('.flag')).map((one) => one.getClientRects().length)")
    assert heights
    assert set(heights) <= {0, 1}  # 0: in a folded part
