"""The balance of an idle pool: every token is available, evictable, protected, held, or has leaked.

leaked = N − available − evictable − protected − session_held − uncached. Which of the terms a message prints
depends on the release: up to 0.4.9 `available_size` already holds the evictable tokens; protected ones are counted
from 0.5.2 on, those of sessions and uncached ones from 0.5.11 on. A term that a release does not know is zero: give
it so. A positive remainder is lost, a negative one was freed twice.

Releases: all that print the message. Exempt: a pool that is not idle.
Source: `Scheduler.check_memory`, `_check_pool_leak`.
"""

from __future__ import annotations

from logscope.relation import Relation
from logscope.relations import Setting
from logscope.relations._variables import (
    AVAILABLE_TOKENS,
    EVICTABLE_TOKENS,
    LEAKED_TOKENS,
    PROTECTED_TOKENS,
    SESSION_TOKENS,
    TOKENS,
    UNCACHED_TOKENS,
)


def relations(setting: Setting) -> list[Relation]:  # noqa: ARG001
    """The balance of one pool, in tokens."""
    counted = AVAILABLE_TOKENS + EVICTABLE_TOKENS + PROTECTED_TOKENS + SESSION_TOKENS + UNCACHED_TOKENS
    return [
        Relation("pool_balance", LEAKED_TOKENS, TOKENS - counted, strength="identity", source="Scheduler.check_memory")
    ]
