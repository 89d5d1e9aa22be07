"""Lines and arguments without prompts, outputs and secrets: the masking that is on unless somebody asks for the text.

Reports get attached to tickets, so the text of requests and the secrets of a command line are replaced before anything
is rendered. Inside a request record nothing textual survives unless its key is known to be harmless (`PUBLIC_TEXTS`): a
key that a later release adds is private until somebody says otherwise. Outside of records only secrets and a few keys
that always hold prompts are replaced, because those lines are the evidence.

Every pass is linear: possessive patterns, one tokenizer, and a cap on tokens and depth beyond which the rest of the
line is masked as a whole.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

MASKED = "<masked>"
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
_RECORD_NEEDLES = (": obj=", '"request.', "Req(rid", "ReqInput(")
_RAW_HEAD = re.compile(r"(?:\[[^\]\n]{1,80}\] )?(?:[A-Z]+:? +)?in=|(?:.{0,200}?\] )in=")
_TOKEN = re.compile(
    r"(?P<name>[A-Za-z_]\w{0,80})=(?!=)"
    r"|(?P<text>'(?:[^'\\]++|\\.)*+'|\"(?:[^\"\\]++|\\.)*+\")"
    r"|(?P<open>[\[{(])|(?P<close>[\]})])|(?P<torn>['\"])",
    re.DOTALL,
)
_COLON = re.compile(r"\s*:")

_PRIVATE_KEY = re.compile(
    r"(?<![A-Za-z0-9_])(?:origin_input_text|origin_input_ids|input_text|input_ids|output_ids|output_text|decoded_text"
    r"|prompt_token_ids|prompts?|messages)['\"]?(?:=|: ?)(?=[\[{('\"])"
)

_PRIVATE_NEEDLES = ("_text", "_ids", "prompt", "messages")

_SENSITIVE = (
    r"api[_-]?key|passwords?|passwd|passphrase|secret(?:[_-]?(?:access[_-]?)?key)?|private[_-]?key"
    r"|access[_-]?key(?:[_-]?id)?|credentials?|authorization|cookie"
    r"|(?:hf|hub|auth|access|bearer|refresh|api|github|gitlab|slack|wandb|jwt|security|session)[_-]?token"
)
_SECRET_KEY = re.compile(rf"(?:[a-z0-9]+[_-])*(?:{_SENSITIVE})s?", re.IGNORECASE)
_SECRET = re.compile(
    rf"(?P<key>(?:{_SENSITIVE}|(?<![A-Za-z0-9_-])token))(?P<tie>\\?['\"]?\s{{0,2}}[=:]\s{{0,2}}|\s{{1,2}})"
    r"(?P<value>\\?'(?:[^'\\]++|\\.)*+'|\\?\"(?:[^\"\\]++|\\.)*+\"|[^\s'\",;)\]}&<\\]++)",
    re.IGNORECASE,
)
_SECRET_NEEDLES = ("key", "pass", "secret", "credential", "authorization", "cookie", "token")
_SHAPE_NEEDLES = ("sk-", "hf_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "glpat-", "xox", "AKIA", "eyJ")
_NOT_SECRET = re.compile(r"(?:None|null|True|False|''|\"\"|\*+|<[^>]*>|\[\]|\{\}|not|is|-)?", re.IGNORECASE)
_BEARER = re.compile(r"\b(Bearer|Basic)\s{1,4}(?!<)([A-Za-z0-9._~+/=-]{8,})", re.IGNORECASE)
_URL_PASSWORD = re.compile(r"(://[^\s/:@'\"]{0,128}:)(?!<masked>)([^\s/@'\"]{1,256})(?=@)")
_TOKEN_SHAPE = re.compile(
    r"(?<![A-Za-z0-9_-])(?:sk-[A-Za-z0-9_-]{16,}|hf_[A-Za-z0-9]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abprs]-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})"
)
_SIGNATURE = re.compile(r"((?:X-Amz-Signature|X-Goog-Signature|X-Amz-Credential|[?&]sig)=)([A-Za-z0-9%/_.+-]{8,})")


def mask_line(text: str) -> tuple[str, Counter[str]]:
    """The line without prompts, outputs and secrets, and how many of each kind were replaced.

    Kinds: `prompt`, `output`, `header`, `api_key`, `bearer_token`, `url_password`. Masking twice is masking once.
    """
    masked: Counter[str] = Counter()
    wrapped = _in_json_envelope(text, masked)
    if wrapped is not None:
        return wrapped, masked
    text = _mask_records(text, masked)
    return _mask_secrets(text, masked), masked


def mask_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The same arguments with every secret replaced; an unset secret (None, "", False) stays as it is."""
    return {name: _mask_argument(name, value) for name, value in arguments.items()}


def record_start(text: str) -> re.Match[str] | None:
    """Where a request record begins in the line; None when it holds none."""
    return _RECORD.search(text) if any(needle in text for needle in _RECORD_NEEDLES) else None


def secret_name(name: str) -> bool:
    """Whether an argument, variable or header of this name holds a secret."""
    return _SECRET_KEY.fullmatch(name.strip("-")) is not None or name == "token"


def _mask_argument(name: str, value: Any) -> Any:
    if secret_name(name) and value not in (None, "", False, True):
        return MASKED
    if isinstance(value, Mapping):
        return mask_arguments(value)
    if isinstance(value, (list, tuple)):
        return [_mask_argument("", item) for item in value]
    return mask_line(value)[0] if isinstance(value, str) else value


def _in_json_envelope(text: str, masked: Counter[str]) -> str | None:
    """A collector's JSON envelope (`{"log": "…"}`) with its strings masked one by one: its escapes hide the quotes."""
    if not text.startswith('{"') or '"event": "request.' in text[:200]:
        return None
    if "\\" not in text and not any(needle in text for needle in _RECORD_NEEDLES):
        return None
    try:
        envelope = json.loads(text)
        inner = _mask_strings(envelope, masked)
    except (ValueError, RecursionError):
        return None
    if inner == envelope:
        return text
    separators = (",", ":") if re.match(r'\{"[^"]*":["{\[\d]', text) else (", ", ": ")
    end = text[len(text.rstrip("\r\n")) :]
    return json.dumps(inner, ensure_ascii=False, separators=separators) + end


def _mask_strings(value: Any, masked: Counter[str]) -> Any:
    if isinstance(value, dict):
        return {name: _mask_strings(member, masked) for name, member in value.items()}
    if isinstance(value, list):
        return [_mask_strings(item, masked) for item in value]
    if not isinstance(value, str):
        return value
    text, found = mask_line(value)
    masked.update(found)
    return text


def _mask_records(text: str, masked: Counter[str]) -> str:
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
    return "".join(out) + text[done:]


def _mask_record(text: str, masked: Counter[str], *, kind: str) -> str:
    """A record with every text and container masked whose key is not public."""
    out: list[str] = []
    json_text = text.startswith('{"')
    done = 0
    key = ""
    stack: list[str] = []  # the key under which each open container stands
    for count, token in enumerate(_TOKEN.finditer(text)):
        at = token.start()
        if at < done:
            continue
        if token["torn"] or count > TOKENS_MAX or len(stack) > DEPTH_MAX:
            rest = text[at:]
            return "".join([*out, text[done:at], _placeholder(rest, kind, "characters", len(rest), masked)])
        if token["name"]:
            key = token["name"]
        elif token["text"]:
            if _COLON.match(text, token.end()) and _names_a_key(token["text"], stack):
                key = token["text"][1:-1]
            elif not _public(key, stack):
                out += [text[done:at], _masked_value(token["text"], kind, masked)]
                done = token.end()
        elif token["open"]:
            if stack and key not in PUBLIC_CONTAINERS and key:
                end = _value_end(text, at)
                out += [text[done:at], _masked_value(text[at:end], kind, masked, json_text=json_text)]
                done = end
                continue
            stack.append(key)
        elif stack:
            stack.pop()
            key = stack[-1] if stack else ""
        if key in ("out", "headers") and len(stack) <= 1:
            kind = "output" if key == "out" else "header"
    return "".join(out) + text[done:]


def _names_a_key(text: str, stack: list[str]) -> bool:
    return bool(stack) and len(text) <= 82 and re.fullmatch(r"[\w.\- ]*", text[1:-1]) is not None


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


def _masked_value(value: str, kind: str, masked: Counter[str], *, json_text: bool = False) -> str:
    inner = value[1:-1]
    if not inner.strip() or inner in ("None", "null"):
        return value
    if value[0] in "'\"":
        if re.fullmatch(r"<\w+: \d+ \w+ masked>", inner):
            return value
        quote = value[0]
        return quote + _placeholder(inner, kind, "characters", len(inner), masked) + quote
    quote = '"' if json_text else "'"
    return quote + _placeholder(inner, kind, "items", inner.count(",") + 1, masked) + quote


def _placeholder(value: str, kind: str, what: str, size: int, masked: Counter[str]) -> str:
    if not value or re.fullmatch(r"<\w+: \d+ \w+ masked>", value):
        return value
    masked[kind] += 1
    return f"<{kind}: {size} {what} masked>"


def _mask_secrets(text: str, masked: Counter[str]) -> str:
    def secret(match: re.Match[str]) -> str:
        value = match["value"]
        bare = value.lstrip("\\")
        quoted = bare[:1] in "'\""
        inner = bare[1:-1] if quoted else bare
        if _NOT_SECRET.fullmatch(bare) or _NOT_SECRET.fullmatch(inner) or not _is_secret(match, inner, quoted=quoted):
            return match[0]
        masked["api_key"] += 1
        slash = value[: len(value) - len(bare)]
        closing = "\\" if slash else ""
        return match["key"] + match["tie"] + (f"{slash}{bare[0]}{MASKED}{closing}{bare[-1]}" if quoted else MASKED)

    def counted(kind: str, template: str) -> Any:
        def replace(match: re.Match[str]) -> str:
            masked[kind] += 1
            return match.expand(template)

        return replace

    lowered = text.lower()
    if "bearer" in lowered or "basic" in lowered:
        text = _BEARER.sub(counted("bearer_token", rf"\1 {MASKED}"), text)
    if any(needle in lowered for needle in _SECRET_NEEDLES):
        text = _SECRET.sub(secret, text)
    if "://" in text:
        text = _URL_PASSWORD.sub(counted("url_password", rf"\1{MASKED}"), text)
        text = _SIGNATURE.sub(counted("api_key", rf"\1{MASKED}"), text)
    if any(needle in text for needle in _SHAPE_NEEDLES):
        text = _TOKEN_SHAPE.sub(counted("api_key", MASKED), text)
    return text


def _is_secret(match: re.Match[str], inner: str, *, quoted: bool) -> bool:
    """Prose ("api key is missing") is no assignment: without a sign, only a command line flag is one."""
    if MASKED in inner:
        return False
    if not match["tie"].strip("\\'\" "):
        head = match.string[max(0, match.start() - 40) : match.start()]
        metavar = inner.isupper() and inner.endswith(match["key"].upper().replace("-", "_"))  # of a printed usage text
        return re.search(r"--[\w-]*$", head) is not None and not inner.startswith("-") and not metavar
    if match["key"].lower() == "token":
        return re.fullmatch(r"[\w.~+/=-]{16,}", inner) is not None
    return quoted or "=" in match["tie"] or re.fullmatch(r"\S{8,}", inner) is not None
