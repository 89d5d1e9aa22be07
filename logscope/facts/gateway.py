"""What a router's lines say of its workers: refusals, and whether it found them well again behind the last of them.

A start-up line prints the router's whole configuration, circuit breaker and timeouts among it: a word of refusal counts
there only as part of a sentence. Information is no complaint, except where the router tells what a probe or a circuit
did.

Source: `sgl-router/src/core/circuit_breaker.rs`, `worker.rs`, `worker_manager.rs`, `middleware.rs`.
"""

from __future__ import annotations

import re

from logscope.launch import Launch, Row

_MANY = 200_000
_TELLS = re.compile(
    r"no (?:available|healthy) workers?|no workers? (?:are )?available|health check (?:is pending|failed|timed? ?out)"
    r"|marked unhealthy|-> open\b|circuits?(?: breaker)? (?:is |are )?open(?:ed)?\b|(?<![\d.])503\b(?!\.\d)",
    re.IGNORECASE,
)
_COMPLAINS = re.compile(
    r"(?<!\b0 )\bunhealthy\b(?!_)|all workers (?:are |were )?(?:down|not|busy|unavailable)|queue (?:is )?full"
    r"|worker .*(?:unreachable|not (?:ready|healthy))|timeout .*worker",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"no (?:available|healthy) workers?|no workers? (?:are )?available|(?<![\d.])503\b(?!\.\d)", re.IGNORECASE
)
_WELL = re.compile(
    r"-> closed\b|health check passed|(?<!not )(?<!become )\bhealthy\b|(?:status(?:_code)?=|\s)200\b"
    r"|workers? (?:is |are )ready",
    re.IGNORECASE,
)
_ANSWER = re.compile(r"\bstatus(?:_code)?=200\b")
_INFORMS = ("INFO", "DEBUG", "TRACE")


def refusals(launch: Launch) -> list[Row]:
    """The lines in which a router refuses, or tells that it does not reach a worker: those that refuse first."""
    if launch.table("router").num_rows >= _MANY:
        return []
    return sorted(
        (row for row in launch.rows("router") if _refuses(row)), key=lambda row: not _REFUSAL.search(said(row))
    )


def recovered(launch: Launch, refused: list[Row]) -> bool:
    """Whether the router found a worker well, or had an answer from it, behind the last line that refuses."""
    last = max(row.ref for row in refused)
    return any(row.ref > last and _WELL.search(said(row)) for row in launch.rows("router"))


def answered(launch: Launch) -> list[Row]:
    """The lines in which a router tells that a request got its answer; none where it refused after the last of them."""
    if not launch.has("router") or launch.table("router").num_rows >= _MANY:
        return []
    found, refused = [row for row in launch.rows("router") if _ANSWER.search(said(row))], refusals(launch)
    return found if not refused or recovered(launch, refused) else []


def said(row: Row) -> str:
    """The words of a router's line."""
    return f"{row.get('event', '')} {row.get('text', '')}"


def _refuses(row: Row) -> bool:
    if row.get("level") in _INFORMS:
        return bool(_TELLS.search(said(row)))
    return bool(_TELLS.search(said(row)) or _COMPLAINS.search(said(row)))
