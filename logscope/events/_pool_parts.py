"""The parts of one of two pools (tokens and states, or tokens and windows), as 0.5.3 to 0.5.10.post1 print them by name.

A leak check and a dump share the text; one release names the sizes before the free slots, and shortens the protected ones.
"""

from __future__ import annotations

PARTS = (
    r"(?:self\.(?P<pool>{pool})_tokens_per_layer=(?P<total_tokens>-?\d+), )?"
    r"(?P<pool>{pool})_available_size=(?P<available_tokens>-?\d+), {pool}_evictable_size=(?P<evictable_tokens>-?\d+)"
    r"(?:, self\.[\w.]+\.size=(?P<total_tokens>-?\d+))?"
    r"(?:, (?:self\.tree_cache\.)?{pool}_protected(?:_size\(\))?=(?P<protected_tokens>-?\d+))?"
    r"(?:, session_held_{pool}=(?P<session_tokens>-?\d+))?"
)
