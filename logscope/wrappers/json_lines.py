r"""JSON lines of a log shipper or a log store: the message is found by what it holds, then by its name.

Loki, Fluent Bit, Fluentd, Vector, Logstash, CloudWatch, Datadog, GCP exports, `journalctl -o json`; one object a line, also
inside an array. SGLang's own JSON (`request.received` …) and the Rust router's are records and stay.

Sample:

    {"date":1768186028.1,"log":"[2026-01-12 02:47:08 TP0] a","kubernetes":{"pod_name":"sglang-0"}} → [2026-01-12 02:47:08 TP0] a
    {"labels":{"pod":"sglang-0"},"line":"[2026-01-12 02:47:08] a","timestamp":"2026-01-12T02:47:08.123Z"} → [2026-01-12 02:47:08] a
    {"timestamp":1768186028123,"message":"[2026-01-12 02:47:08] a\n"} → [2026-01-12 02:47:08] a
    {"id":"x","content":{"timestamp":"2026-01-12T02:47:08Z","message":"[2026-01-12 02:47:08] a","host":"n1"}} → [2026-01-12 02:47:08] a
    {"textPayload":"[2026-01-12 02:47:08] a","timestamp":"2026-01-12T02:47:08Z","resource":{"labels":{"pod_name":"p"}}}, → [2026-01-12 02:47:08] a
    {"MESSAGE":"[2026-01-12 02:47:08] a","__REALTIME_TIMESTAMP":"1768186028123456","_HOSTNAME":"n1"} → [2026-01-12 02:47:08] a
    {"stream":{"pod":"sglang-0"},"values":[["1768186028123456789","[2026-01-12 02:47:08] a"]]} → [2026-01-12 02:47:08] a
    {"timestamp": "2026-01-12T02:47:08.1", "event": "request.received", "rid": "r"} → {"timestamp": "2026-01-12T02:47:08.1", "event": "request.received", "rid": "r"}
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from logscope.source import Block
from logscope.wrappers import Detection, Unwrapper
from logscope.wrappers._clock import moment_ms
from logscope.wrappers._inner import begins, holds_stamp, written
from logscope.wrappers._json import encoded, one_line, parsed
from logscope.wrappers._lines import NO_TIME
from logscope.wrappers._pieces import Piece, Pieces, whole

NAME = "json_lines"

Path = tuple[str, ...]
_MESSAGES = ("log", "message", "msg", "MESSAGE", "line", "textPayload", "body", "content", "@message", "_raw", "text")
_TIMES = ("time", "timestamp", "@timestamp", "ts", "date", "datetime", "eventTime", "__REALTIME_TIMESTAMP", "asctime")
_LABELS = ("pod_name", "pod", "podName", "container_name", "container", "service", "host", "hostname", "_HOSTNAME")
_DEEPEST = 4
_COLOUR = re.compile(r"\x1b\[[\d;]*m")


def leaves(value: Mapping[str, object], path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Every value that is no object, with the keys that lead to it."""
    for key, item in value.items():
        if isinstance(item, dict) and len(path) < _DEEPEST:
            yield from leaves(item, (*path, key))
        else:
            yield (*path, key), item


def _object(line: str) -> dict[str, object] | None:
    value = parsed(encoded(line))
    return None if value is None or _is_record(value) else value


def _is_record(value: Mapping[str, object]) -> bool:
    """SGLang's request log and status, and a line of the tracing library of Rust, are no wrappers."""
    event = value.get("event")
    if isinstance(event, str) and event.startswith(("request.", "scheduler.")):
        return True
    target = value.get("target")
    return isinstance(target, str) and (isinstance(value.get("fields"), dict) or "level" in value)


def _key(values: Sequence[Mapping[str, object]]) -> tuple[Path, bool]:
    """The keys that lead to the message, and whether its text proves it; () if there is none.

    Only unlike texts prove: the command of a process (`_CMDLINE` of journald) is the same in every object.
    """
    proven: defaultdict[Path, set[str]] = defaultdict(set)
    named: Counter[Path] = Counter()
    for value in values:
        for path, item in leaves(value):
            if not isinstance(item, str):
                continue
            if any(begins(line) or holds_stamp(line) for line in _COLOUR.sub("", item).split("\n")):
                proven[path].add(item)
            named[path] += path[-1] in _MESSAGES
    if proven:
        return max(proven, key=lambda path: (len(proven[path]), named[path])), True
    best, count = next(iter(named.most_common(1)), ((), 0))
    return (best, False) if count > 0.8 * len(values) else ((), False)


def detect(lines: Sequence[str]) -> Detection | None:
    """By objects of which one key holds lines of SGLang, or has the name of a message."""
    sample = written(lines)
    values = [value for line in sample if (value := _object(line)) is not None]
    if not values or len(values) < 0.02 * len(sample):
        return None
    loki = sum(1 for value in values if _loki(value))
    path, proven = _key(values)
    if not path and not loki:
        return None
    timed = sum(1 for value in values if _time(value) != NO_TIME)
    if not proven and not loki and (len(values) < 0.8 * len(sample) or timed < len(values)):
        return None
    why = f"{len(values)} of {len(sample)} lines are JSON objects; the message is in {'.'.join(path) or 'values'}"
    return Detection("certain" if proven or loki else "likely", why)


class _Reader:
    def __init__(self, path: Path) -> None:
        self._path = path

    def __call__(self, text: bytes) -> Piece | None:
        value = parsed(text)
        if value is None or _is_record(value):
            return None
        entries = _loki(value)
        if entries:
            message = b"\n".join(encoded(line).removesuffix(b"\n") for _, line in entries)
            return Piece("", message, moment_ms(encoded(entries[0][0])), label=_label(value))
        line = _at(value, self._path)
        line = _named(value) if line is None else line
        if line is None:
            return None
        label, stream = _label(value), value.get("stream")
        more = value.get("_p", value.get("logtag", value.get("partial_message"))) in ("P", "true")
        return Piece(f"{label}/{stream}", line.removesuffix(b"\n"), _time(value), more, label)


def _named(value: Mapping[str, object]) -> bytes | None:
    """The message by the name of its key."""
    by_name = {path[-1]: path for path, item in leaves(value) if isinstance(item, str | list)}
    return next((found for name in _MESSAGES if (found := _at(value, by_name.get(name, ()))) is not None), None)


def bare(line: str) -> str:
    """The message of an object by itself, to be quoted; the line as it is where no name tells it or it is no one line."""
    value = _object(line)
    found = _named(value) if value is not None else None
    return one_line((found or b"").decode(errors="backslashreplace"), line)


def _at(value: Mapping[str, object], path: Path) -> bytes | None:
    """The message under these keys; journald gives one that is not UTF-8 as a list of bytes."""
    item: object = value
    for key in path:
        item = item.get(key) if isinstance(item, dict) else None
    if isinstance(item, list) and item and all(isinstance(part, int) and 0 <= part < 256 for part in item):
        return bytes(item)
    return encoded(item) if isinstance(item, str) and path else None


def _loki(value: Mapping[str, object]) -> list[tuple[str, str]]:
    values = value.get("values")
    if not isinstance(values, list) or "stream" not in value:
        return []
    return [
        (str(item[0]), item[1])
        for item in values
        if isinstance(item, list) and len(item) > 1 and isinstance(item[1], str)
    ]


def _time(value: Mapping[str, object]) -> int:
    found = {path[-1]: item for path, item in leaves(value) if path[-1] in _TIMES}
    item = next((found[name] for name in _TIMES if name in found), None)
    if isinstance(item, float) and 0 < item < 1e11:
        return int(item * 1000)
    return moment_ms(encoded(str(item))) if isinstance(item, str | int) else NO_TIME


def _label(value: Mapping[str, object]) -> str:
    found = {path[-1]: item for path, item in leaves(value) if path[-1] in _LABELS and isinstance(item, str)}
    return next((str(found[name]) for name in _LABELS if name in found), "")


def unwrapper(lines: Sequence[str] = ()) -> Unwrapper:
    """Takes the message by the key that the sample shows."""
    return Pieces(_Reader(_key([value for line in lines if (value := _object(line)) is not None])[0]))


def unwrap(block: Block) -> Block:
    """One whole input, its messages as lines; a pod, container or host is the label."""
    return whole(unwrapper(block.data.decode(errors="surrogateescape").split("\n")), block)
