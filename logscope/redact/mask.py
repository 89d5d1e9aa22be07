"""Lines and arguments without prompts, outputs and secrets: the masking that is on unless somebody asks for the text.

Reports get attached to tickets, so the text of requests and the secrets of a command line are replaced before anything
is rendered. Inside a request record nothing textual survives unless its key is known to be harmless (`PUBLIC_TEXTS`): a
key that a later release adds is private until somebody says otherwise. Outside of records only secrets and a few keys
that always hold prompts are replaced, because those lines are the evidence.

Every pass is linear: possessive patterns, one tokenizer, and a cap on tokens and depth beyond which the rest of the
line is masked as a whole.
"""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from logscope.redact.record import RECORD_NEEDLES, mask_records, written_template

MASKED = "<masked>"
_REPEATED = 400  # characters of a text that is remembered
_SENSITIVE = (
    r"api[_-]?key|passwords?|passwd|passphrase|secret(?:[_-]?(?:access[_-]?)?key)?|private[_-]?key"
    r"|access[_-]?key(?:[_-]?id)?|credentials?|authorization|cookie"
    r"|(?:hf|hub|auth|access|bearer|refresh|api|github|gitlab|slack|wandb|jwt|security|session)[_-]token"
)
_SECRET_KEY = re.compile(rf"(?:[a-z0-9]+[_-])*(?:{_SENSITIVE})s?", re.IGNORECASE)
_SECRET = re.compile(
    rf"(?P<key>(?:{_SENSITIVE}|(?<![A-Za-z0-9_-])token))(?P<tie>\\?['\"]?\s{{0,2}}[=:]\s{{0,2}}|\s{{1,2}})"
    r"(?P<value>\\?'(?:[^'\\]++|\\.)*+'|\\?\"(?:[^\"\\]++|\\.)*+\"|[^\s'\",;)\]}&<\\]++)",
    re.IGNORECASE,
)
_SECRET_NEEDLES = (
    *("api_key", "api-key", "apikey", "passw", "passphrase", "secret", "private_key", "private-key", "privatekey"),
    *("access_key", "access-key", "accesskey", "credential", "authorization", "cookie", "_token", "-token=", "-token "),
    *("token=", "token'", 'token"', " token: "),
)
_SHAPE_NEEDLES = ("sk-", "hf_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "glpat-", "xox", "AKIA", "eyJ")
_NOT_SECRET = re.compile(r"(?:None|null|True|False|''|\"\"|\*+|<[^>]*>|\[\]|\{\}|not|is|-)?", re.IGNORECASE)
_BEARER = re.compile(r"\b(Bearer|Basic)\s{1,4}(?!<)([A-Za-z0-9._~+/=-]{8,})", re.IGNORECASE)
_URL_PASSWORD = re.compile(r"(://[^\s/:@'\"]{0,128}:)(?!<masked>)([^\s/@'\"]{1,256})(?=@)")
_TOKEN_SHAPE = re.compile(
    r"(?<![A-Za-z0-9_-])(?:sk-[A-Za-z0-9_-]{16,}|hf_[A-Za-z0-9]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abprs]-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})"
)
_SIGNATURE = re.compile(r"((?:X-Amz-Signature|X-Goog-Signature|X-Amz-Credential|[?&]sig)=)([A-Za-z0-9%/_.+-]{8,})")
_QUERY = re.compile(r"(?:^|(?<=[A-Z] ))(/[^\s?\"]*\?)([^\s\"]+)")
_ASKED = re.compile(r"([^&=]*=)?([^&]+)")
_HARMLESS = re.compile(rf"\d{{1,6}}|true|false|{re.escape(MASKED)}", re.IGNORECASE)


def mask_line(text: str) -> tuple[str, Counter[str]]:
    """The line without prompts, outputs and secrets, and how many of each kind were replaced.

    Kinds: `prompt`, `output`, `header`, `query`, `api_key`, `bearer_token`, `url_password`. Masking twice is masking
    once.
    """
    masked: Counter[str] = Counter()
    wrapped = _in_json_envelope(text, masked)
    if wrapped is not None:
        return wrapped, masked
    text = mask_records(text, masked)
    text = _mask_secrets(text, masked)
    return (_mask_query(text, masked) if "?" in text else text), masked


def mask_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The same arguments with every secret replaced; an unset secret (None, "", False) stays as it is."""
    return {name: mask_argument(name, value) for name, value in arguments.items()}


@functools.lru_cache(maxsize=4096)
def secret_name(name: str) -> bool:
    """Whether an argument, variable or header of this name holds a secret."""
    return _SECRET_KEY.fullmatch(name.strip("-")) is not None or name == "token"


def mask_argument(name: str, value: Any) -> Any:
    """The value of a key, masked if its name says that it is a secret, else whatever in it is one."""
    if secret_name(name) and value not in (None, "", False, True):
        return MASKED
    if isinstance(value, Mapping):
        return mask_arguments(value)
    if isinstance(value, (list, tuple)):
        return [item if isinstance(item, int | float) else mask_argument("", item) for item in value]
    if not isinstance(value, str):
        return value
    if written_template(name, value):
        return MASKED
    return _masked(value) if len(value) <= _REPEATED else mask_line(value)[0]


@functools.lru_cache(maxsize=4096)
def _masked(text: str) -> str:
    """A short text masked: one report, and one scan even more, say the same again and again."""
    return mask_line(text)[0]


def _in_json_envelope(text: str, masked: Counter[str]) -> str | None:
    """A collector's JSON envelope (`{"log": "…"}`) with its strings masked one by one: its escapes hide the quotes."""
    if not text.startswith('{"') or '"event": "request.' in text[:200]:
        return None
    if "\\" not in text and not any(needle in text for needle in RECORD_NEEDLES):
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


def _mask_query(text: str, masked: Counter[str]) -> str:
    """What a client asked for behind a path: /generate takes a prompt there. Numbers and switches stay."""

    def asked(match: re.Match[str]) -> str:
        if _HARMLESS.fullmatch(match[2]):
            return match[0]
        masked["query"] += 1
        return (match[1] or "") + MASKED

    return _QUERY.sub(lambda match: match[1] + _ASKED.sub(asked, match[2]), text)


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
