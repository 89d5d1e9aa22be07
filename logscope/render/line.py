"""One line for chat and alerts: state, cause and confidence, the sentence, the direction, the decisive line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logscope.render import _wording as words
from logscope.render._places import with_short_places

SUFFIX = ".line.txt"
SENTENCE_MAX = 400


def line(report: Mapping[str, Any]) -> str:
    """One line without control characters, at most about 700 characters long."""
    report = with_short_places(report)
    verdict = report.get("verdict", {})
    launch = words.subject(report)
    name = " ".join(words.clip_path(one.get("path", "-"), 80) for one in report.get("inputs", ())[:1])
    others = len(report.get("inputs", ())) - 1
    unread = "" if name else words.clip("; ".join(map(words.prose, verdict.get("missing") or ())), SENTENCE_MAX)
    sentence = words.clip(words.prose(verdict.get("sentence", "")).rstrip("."), SENTENCE_MAX)
    evidence = verdict.get("evidence") or []
    parts = [
        f"{name or 'no log'}{f' and {others} more' if others > 0 else ''}: {words.headline(report)}",
        f"{words.prose(verdict.get('cause', ''))} ({words.prose(verdict.get('confidence', ''))}): {sentence}",
        unread,
        words.direction(report) if verdict.get("fraction", "leave") != "leave" else "",
        words.place(evidence[0]) if evidence else "",
        words.server(launch) if launch.get("release") else "",
    ]
    return " | ".join(part for part in parts if part) + "\n"
