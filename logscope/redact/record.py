"""Request records with every text masked that somebody wrote: prompts, outputs, headers.

Inside a record nothing textual survives unless its key is known to be harmless: a key that a later release adds is
private until somebody says otherwise. Outside of records only keys that always hold prompts are masked.
"""

from __future__ import annotations

import re
from collections import Counter

TOKENS_MAX = 200_000
DEPTH_MAX = 64

# Text under these keys of a request record is an identifier or a constant of the protocol, never what a user wrote.
PUBLIC_TEXTS = frozenset(
    (
        *("rid", "id", "event", "timestamp", "level", "type", "model", "object", "role", "tool_choice", "session_id"),
        *("lora_id", "lora_path", "weight_version", "http_worker_ipc", "bootstrap_host", "err_type", "status"),
        *("status_code", "finish_reason", "conversation_id", "modalities"),
    )
)
# Containers that are looked into; every other one is masked as a whole.
PUBLIC_CONTAINERS = frozenset(
    ("obj", "out", "sampling_params", "params", "meta_info", "finish_reason", "headers", "usage", "error", "batch")
)
# What an abort says about a request is evidence ("longer than the context"), and SGLang writes it, not the user.
SPOKEN_BY_SERVER = frozenset(("finish_reason", "error"))

_RECORD = re.compile(
    r"(?:Receive|Received|Finish|Finished)(?: [A-Za-z]{1,20})?: obj=|\"event\": ?\"request\.|\bReq\(rid"
    r"|\b[A-Z][A-Za-z]{0,40}ReqInput\("
)
RECORD_NEEDLES = (": obj=", '"request.', "Req(rid", "ReqInput(")
_RAW_HEAD = re.compile(r"(?:\[[^\]\n]{1,80}\] )?(?:[A-Z]+:? +)?in=|(?:.{0,200}?\] )in=")
_TOKEN = re.compile(
    r"(?P<name>[A-Za-z_]\w{0,80})=(?!=)"
    r"|(?P<text>'(?:[^'\\]++|\\.)*+'|\"(?:[^\"\\]++|\\.)*+\")"
    r"|(?P<open>[\[{(])|(?P<close>[\]})])|(?P<torn>['\"])|(?P<sign>=)",
    re.DOTALL,
)
_COLON = re.compile(r"\s*:")
_KEY = re.compile(r"(['\"])[\w.\- ]{0,80}\1")

# The names or paths of templates; their texts hold instructions to the model.
TEMPLATES = ("chat_template", "completion_template")
_NAME_OR_PATH = r"[\w./~@:+-]*+"
_PRIVATE_KEY = re.compile(
    r"(?<![A-Za-z0-9_])(?:origin_input_text|origin_input_ids|input_text|input_ids|output_ids|output_text|decoded_text"
    r"|prompt_token_ids|prompts?|messages)['\"]?(?:=|: ?)(?=[\[{('\"])"
    r"|(?<![A-Za-z0-9_])(?:content|text|arguments)(?:=|['\"]: ?)(?=['\"])"
    r"|(?<![A-Za-z0-9_])(?:content|arguments)['\"]: ?(?=[\[{])"
    rf"|(?<![A-Za-z0-9_])(?:chat|completion)_template['\"]?(?:=|: ?)(?=['\"](?!{_NAME_OR_PATH}['\"]))"
    r"|\b(?:tool|function)[ _-]?calls?\b[^\n{\[]{0,60}(?=[{\[])"
)
_REFUSED = re.compile(r"(?<=input_value=).+?(?=, input_type=\w+[\],])|(?<=input_value=).+", re.DOTALL)  # by pydantic

_SPEAKERS = {"out": "output", "headers": "header"}
_MARK_TEXT = r"<\w+: \d+ \w+ masked\.*>"
_NO_NAME = "?"  # the key where a cut tore its name apart: private, as every name that is not known
_PRIVATE_NEEDLES = (
    *("_text", "_ids", "_template", "prompt", "messages", "content", "text=", "text'", 'text"', "arguments"),
    *("input_value=", "tool", "function"),
)


def written_template(name: str, value: str) -> bool:
    """Whether an argument holds the text of a template, not its name or path."""
    return name in TEMPLATES and not re.fullmatch(_NAME_OR_PATH, value)


def record_start(text: str) -> re.Match[str] | None:
    """Where a request record begins in the line; None when it holds none."""
    return _RECORD.search(text) if any(needle in text for needle in RECORD_NEEDLES) else None


def mask_records(text: str, masked: Counter[str]) -> str:
    """The line with its request record, raw or not, masked; `masked` counts by kind."""
    raw = _RAW_HEAD.match(text)
    if raw:
        head, body = text[: raw.end()], text[raw.end() :]
        asked, comma, answered = body.rpartition(", out=") if ", out=" in body else (body, "", "")
        answer = _mask_record("out=" + answered, masked, kind="output")[4:] if comma else ""
        return head + _placeholder(asked, "prompt", "characters", len(asked), masked) + comma + answer
    start = record_start(text)
    if start is not None:
        at = max(0, text.rfind("{", 0, start.start())) if text[start.start()] == '"' else start.start()
        return text[:at] + _mask_record(text[at:], masked, kind="prompt")
    return _mask_private_keys(text, masked) if any(needle in text for needle in _PRIVATE_NEEDLES) else text


def _mask_private_keys(text: str, masked: Counter[str]) -> str:
    out, done = [], 0
    for match in _PRIVATE_KEY.finditer(text):
        if match.start() < done:
            continue
        end = _value_end(text, match.end())
        out.append(text[done : match.end()])
        kind = "output" if "output" in match[0] or "decoded" in match[0] else "prompt"
        out.append(_masked_value(text[match.end() : end], kind, masked))
        done = end
    shown = "".join(out) + text[done:]

    def refused(match: re.Match[str]) -> str:
        return _placeholder(match[0], "prompt", "characters", len(match[0]), masked)

    return _REFUSED.sub(refused, shown) if "input_value=" in shown else shown


def _mask_record(text: str, masked: Counter[str], *, kind: str) -> str:
    """A record with every text and container masked whose key is not public."""
    record = _Record(text, masked, kind)
    for count, token in enumerate(_TOKEN.finditer(text)):
        if token.start() < record.done:
            continue
        if token["torn"] or count > TOKENS_MAX or len(record.stack) > DEPTH_MAX:
            return record.cut_at(token.start())
        record.take(token)
    return record.finished()


class _Record:
    """A record while it is read: the key in force, the keys of the open containers, and what is shown so far."""

    def __init__(self, text: str, masked: Counter[str], kind: str) -> None:
        self.text, self.masked, self.kind = text, masked, kind
        self.quote = '"' if text.startswith('{"') else "'"
        self.key = ""
        self.stack: list[str] = []
        self.out: list[str] = []
        self.done = 0

    def take(self, token: re.Match[str]) -> None:
        if token["name"]:
            self.key = token["name"]
        elif token["text"]:
            self._text(token)
        elif token["sign"]:
            self.key = _NO_NAME
        elif token["open"]:
            if self.stack and self.key and self.key not in PUBLIC_CONTAINERS:
                self._mask(token.start(), _value_end(self.text, token.start()))
            else:
                self.stack.append(self.key)
        elif self.stack:
            self.stack.pop()
            self.key = self.stack[-1] if self.stack else ""
        if self.key in _SPEAKERS and len(self.stack) <= 1:
            self.kind = _SPEAKERS[self.key]

    def _text(self, token: re.Match[str]) -> None:
        """A text is a key when a colon follows; one that is no plain name is as private as what stands under it."""
        names = bool(self.stack) and _COLON.match(self.text, token.end()) is not None
        if names and _KEY.fullmatch(token["text"]):
            self.key = token["text"][1:-1]
        elif names or not _public(self.key, self.stack):
            self._mask(token.start(), token.end())
            self.key = _NO_NAME if names else self.key

    def _mask(self, start: int, end: int) -> None:
        value = self.text[start:end]
        self.out += [self.text[self.done : start], _masked_value(value, self.kind, self.masked, quote=self.quote)]
        self.done = end

    def cut_at(self, at: int) -> str:
        """What is shown when the rest cannot be read: nothing of it."""
        rest = self.text[at:]
        hidden = _placeholder(rest, self.kind, "characters", len(rest), self.masked)
        return "".join([*self.out, self.text[self.done : at], hidden])

    def finished(self) -> str:
        return "".join(self.out) + self.text[self.done :]


def _public(key: str, stack: list[str]) -> bool:
    return key in PUBLIC_TEXTS or (key == "message" and bool(stack) and stack[-1] in SPOKEN_BY_SERVER)


def _value_end(text: str, at: int) -> int:
    """Where the string or container that opens at `at` ends; the end of the line when it does not close."""
    depth = 0
    for count, token in enumerate(_TOKEN.finditer(text, at)):
        if token["torn"] or count > TOKENS_MAX:
            return len(text)
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth -= 1
        if depth <= 0:
            return token.end()
    return len(text)


def _masked_value(value: str, kind: str, masked: Counter[str], *, quote: str = "'") -> str:
    inner = value[1:-1]
    if not inner.strip() or inner in ("None", "null"):
        return value
    if value[0] in "'\"":
        if re.fullmatch(_MARK_TEXT, inner):
            return value
        return value[0] + _placeholder(inner, kind, "characters", len(inner), masked) + value[0]
    return quote + _placeholder(inner, kind, "items", inner.count(",") + 1, masked) + quote


def _placeholder(value: str, kind: str, what: str, size: int, masked: Counter[str]) -> str:
    if not value or re.fullmatch(_MARK_TEXT, value):
        return value
    masked[kind] += 1
    return f"<{kind}: {size} {what} masked>"
