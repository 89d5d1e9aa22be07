"""How the fraction that holds is found: what an action that moves it adds to its check."""

from __future__ import annotations

IN_STAGING = "Find the ceiling in staging with the longest prompts and run one or two steps of 0.02 below it."
