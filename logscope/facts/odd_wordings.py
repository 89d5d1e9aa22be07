"""How many kinds of lines of a launch belong to no release that printed the others.

Source: the first and the last release of every wording, key and argument, met with each other when a log is read.
"""

from __future__ import annotations

import re

from logscope.errors import FactMissing
from logscope.launch import Launch

_TOLD = re.compile(r"(\d+) other wordings belong to no release")


def odd_wordings(launch: Launch) -> int:
    """Their number; raises FactMissing where nothing tells the release."""
    if launch.release.open:
        raise FactMissing("nothing in this launch tells the release")
    found = _TOLD.search(launch.release.how)
    return int(found[1]) if found else 0
