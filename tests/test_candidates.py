"""The release as an unknown: every candidate is tried, and those that cannot be are told with their conflict."""

from __future__ import annotations

from logscope.candidates import candidates
from logscope.quantity import Quantity
from logscope.relations import Setting
from logscope.sglang.releases import ReleaseRange

RANGE = ReleaseRange("0.5.5", "0.5.13", "a test")


def accepted(rate: str) -> dict[str, Quantity]:
    return {
        "accept_length_tokens": Quantity.from_text("accept_length_tokens", "2.60", "tokens/step"),
        "accept_rate_share": Quantity.from_text("accept_rate_share", rate, "share"),
        "speculative_num_draft_tokens": Quantity.exact("speculative_num_draft_tokens", 4, "tokens/step"),
        "speculative_num_steps": Quantity.exact("speculative_num_steps", 2, "tokens/step"),
    }


def test_the_rate_of_acceptance_tells_the_release() -> None:
    setting = Setting(release=RANGE, speculative=True)
    by_draft = candidates(accepted("0.65"), setting, ["acceptance"])
    assert by_draft.fit[0] == "0.5.6"
    assert by_draft.fit[-1].startswith("0.5.10")
    net = candidates(accepted("0.53"), setting, ["acceptance"])
    assert net.fit[0].startswith("0.5.11")
    assert net.fit[-1].startswith("0.5.13")
    by_steps = candidates(accepted("0.87"), setting, ["acceptance"])
    assert set(by_steps.fit) == {release for release in RANGE.releases if release.startswith("0.5.5")}


def test_numbers_that_no_release_makes_fit_none_and_each_says_why() -> None:
    found = candidates(accepted("0.10"), Setting(release=RANGE, speculative=True), ["acceptance"])
    assert found.fit == ()
    assert set(found.excluded) == set(RANGE.releases)
    assert {conflict.observed.name for conflict in found.excluded.values()} == {"accept_rate_share"}
