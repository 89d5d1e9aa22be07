"""Some wordings belong to no release that printed the others.

What it says
    The lines of one launch have no release in common.

Why it matters
    A fork, a development build, or the lines of two servers in one log: formulas of a release are tried on it all
    the same, and must be read with care.

Example
    An argument of 0.5.20 beside a decode line of 0.4.6.

Silent when
    Nothing tells the release, or one release prints all.

Source
    The first and last release of every wording that logscope knows.
"""

from __future__ import annotations

from logscope.facts.odd_wordings import odd_wordings
from logscope.finding import Finding
from logscope.launch import Launch
from logscope.wording import several

SEVERITY = "note"
KIND = "smell"


def check(launch: Launch) -> Finding | None:
    """The first line that shows it."""
    odd = odd_wordings(launch)
    if not odd:
        return None
    return Finding(
        message=f"{several(odd, 'wording')} of no release within {launch.release}, to which the others belong: a fork, or lines of two servers.",
        evidence=(launch.first,),
    )
