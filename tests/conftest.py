"""What several folders of tests need: the material beside the checkout, a browser, and a fixed course of property tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("LOGSCOPE_SHARED", ROOT / "../shared")).resolve()

# Two busy cores make any deadline a coin toss; a failing example is printed, so nothing is lost by a fixed seed.
settings.register_profile("logscope", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("logscope")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of labelled cases and real logs, which is not part of the repository."""
    if not (SHARED / "cases").is_dir():
        pytest.skip(f"no labelled cases at {SHARED} (set LOGSCOPE_SHARED)")
    return SHARED


@pytest.fixture(scope="session")
def logs() -> Path:
    """The folder of fixture logs."""
    return ROOT / "tests/fixtures/logs"


@pytest.fixture(scope="session")
def sections() -> tuple[str, ...]:
    """The ids of the sections of a page, in their order; tickets link to them."""
    return (
        *("verdict", "facts", "actions", "contradictions", "chain", "timeline", "memory", "charts"),
        *("configuration", "ruled-out", "coverage", "appendix", "data"),
    )


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; without one the test is skipped, unless LOGSCOPE_REQUIRE_BROWSER asks for it."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None and os.environ.get("LOGSCOPE_REQUIRE_BROWSER"):
        pytest.fail("no Chromium was found, and LOGSCOPE_REQUIRE_BROWSER is set")
    if found is None:
        pytest.skip("no Chromium was found: this test looks at the report in a browser")
    return found
