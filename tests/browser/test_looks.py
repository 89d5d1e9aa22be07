"""The page looks as it did when somebody last looked at it: pictures of it, compared with a tolerance.

Fonts differ between machines, so this runs only where LOGSCOPE_REQUIRE_BROWSER says that the machine is the one for it;
structure and axe are the gates. `LOGSCOPE_LOOKS=rewrite` takes the pictures anew: look at them before they are kept.
"""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

KEPT = Path(__file__).parent / "looks"
STORY = "story-1-pool-nearly-empty"
HEIGHT = 1800  # pixels from the top: verdict, facts, actions, contradictions
SCALE = 0.25  # letters become grey: the layout and the colours are compared, not the shapes of a font
MEAN_MOST = 5.0  # of 255, over all pixels and channels; other fonts of the same family stay below 3
FAR_MOST = 0.04  # of the pixels may differ by more than FAR
FAR = 60
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"width": 1280, "media": {"prefers-color-scheme": "light"}},
    "dark": {"width": 1280, "media": {"prefers-color-scheme": "dark"}},
    "narrow": {"width": 390, "media": {"prefers-color-scheme": "light"}},
    "print": {"width": 794, "media": {"prefers-color-scheme": "light"}, "printed": True},
    "no-scripts": {"width": 1280, "media": {"prefers-color-scheme": "light"}, "scripts": False},
}
_COMPARE = """(async ([one, other, far]) => {
  const pixels = async (data) => {
    const image = new Image();
    image.src = "data:image/png;base64," + data;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), {width: image.width, height: image.height});
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.width !== b.width || a.height !== b.height) return {size: [a.width, a.height, b.width, b.height]};
  let sum = 0, distant = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    const apart = [0, 1, 2].map((n) => Math.abs(a.data[i + n] - b.data[i + n]));
    sum += apart[0] + apart[1] + apart[2];
    if (Math.max(...apart) > far) distant += 1;
  }
  return {mean: sum / (a.data.length * 0.75), far: distant / (a.data.length / 4)};
})"""


@pytest.fixture(scope="module", autouse=True)
def _only_where_the_fonts_are_known() -> None:
    if not (os.environ.get("LOGSCOPE_REQUIRE_BROWSER") or os.environ.get("LOGSCOPE_LOOKS")):
        pytest.skip("pictures are compared in CI only: set LOGSCOPE_REQUIRE_BROWSER=1")


def picture(browser: Any, page: str, *, width: int, media: dict[str, str], **how: bool) -> str:
    """The top of the page as a small PNG in base64."""
    browser.open(page, width=width, media=media, scripts=how.get("scripts", True))
    if how.get("printed"):
        browser.call("Emulation.setEmulatedMedia", media="print")
    clip = {"x": 0, "y": 0, "width": width, "height": HEIGHT, "scale": SCALE}
    taken: str = browser.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
    return taken


def difference(browser: Any, one: str, other: str) -> dict[str, float]:
    browser.open("about:blank")
    found: dict[str, float] = browser.run(f"{_COMPARE}({json.dumps([one, other, FAR])})")
    return found


def kept(name: str) -> str:
    return base64.b64encode((KEPT / f"{name}.png").read_bytes()).decode()


@pytest.mark.parametrize("name", LOOKS)
def test_the_page_looks_as_it_was_last_seen(browser: Any, page: str, name: str) -> None:
    if STORY not in page:
        pytest.skip("one story is enough to look at")
    taken = picture(browser, page, **LOOKS[name])
    if os.environ.get("LOGSCOPE_LOOKS") == "rewrite":
        KEPT.mkdir(exist_ok=True)
        (KEPT / f"{name}.png").write_bytes(base64.b64decode(taken))
    found = difference(browser, taken, kept(name))
    assert "size" not in found, found
    assert found["mean"] <= MEAN_MOST, found
    assert found["far"] <= FAR_MOST, found


def test_a_page_without_its_style_is_not_taken_for_the_same(browser: Any) -> None:
    found = difference(browser, kept("light"), kept("dark"))
    assert found["mean"] > MEAN_MOST
    found = difference(browser, kept("light"), kept("no-scripts"))
    assert found["far"] > 0
