"""Pseudonyms for what identifies people and machines: the same name always becomes the same pseudonym.

A pseudonym has the shape of what it stands for, so that a redacted log parses to the same tables: an address stays an
address (RFC 2544 and RFC 3849 ranges, hosts of one /24 stay together), a request id keeps its length. Loopback and
wildcard addresses, health check ids and the names of public sites say nothing about anybody and stay.

Names are learned where their place in a line says that they are one (`learn`), and replaced wherever they stand.
"""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

KINDS = ("ip", "host", "user", "request_id", "model_path")
DEFAULT_KINDS = ("ip", "host", "user", "request_id")

_IP4 = re.compile(r"(?<![\w.-])(?<!==)(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
_IP6 = re.compile(r"(?<![\w:.])(?=[0-9A-Fa-f]*:[0-9A-Fa-f]*:)[0-9A-Fa-f:]{3,39}(?![\w:])")
# A version has four parts now and then, and says so before it.
_VERSION_BEFORE = re.compile(
    r"(?:version|ver\.?|v|cud(?:nn|a)|cublas|cufft|nccl|rccl|driver|rocm|cann|torch\w*)[ :=>]{0,3}$", re.IGNORECASE
)
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?"
_INNER_DOMAINS = (".internal", ".local", ".lan", ".corp", ".intranet", ".svc", ".home.arpa")
_HOST_KEY = (
    r"host(?:name)?|_HOSTNAME|node(?:_name|Name)?|pod(?:_name|Name)?|instance(?:_id)?|head_ip|worker_url"
    r"|(?:dist|nccl)_init_addr"
)
_LOGGER_TIME = (
    r"(?:<\d{1,3}>(?:1 )?)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?"
    r"|[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]{1,5}|\d{10}\.\d{1,6})"
)
# Where a host's name stands, behind the literals without one of which a text holds no such place (a block of batches
# is passed over at the speed of a search). Patterns begin with a literal wherever they can, for the same reason.
_HOST_PLACES = tuple(
    (needles, re.compile(pattern, re.MULTILINE))
    for needles, pattern in (
        (
            ("host", "HOST", "node", "pod", "instance", "_ip", "_url", "_addr"),
            rf"(?:{_HOST_KEY})['\"]?(?:=|: ?)['\"]({_NAME})(?=[:'\"])",
        ),
        (("--",), rf"--(?:host|dist-init-addr|nccl-init-addr|[a-z-]{{1,40}}-host)[ =]['\"]?({_NAME})(?=[:\s'\"]|$)"),
        (("hostname", "host name"), rf"host ?name(?: is|:|=) ?({_NAME})\b"),
        (("://",), rf"(?<=[a-z])://(?:[^\s/@]{{1,80}}@)?({_NAME})(?=[:/\s'\",)]|$)"),
        (("NCCL",), rf"^({_NAME}):\d+:\d+ \[\d+\] NCCL "),
        (("]: ", "kernel", " - "), rf"^{_LOGGER_TIME} ({_NAME}) (?:[\w.@/-]+\[\d+\]|[\w.@/-]+ \d+ \S+ \S+|kernel): ?"),
        (("<",), rf"^{_LOGGER_TIME} ({_NAME}) [\w.@/-]+ \d+ (?:-|ID\d+) "),
        (("] ",), rf"^\[(?:pod/)?({_NAME})(?:/| [a-z][\w-]*\] )"),
        ((" › ",), rf"^(?:[\w-]+ )?({_NAME}) [\w-]+ › "),
        (("prterun-",), rf"\[prterun-({_NAME})-\d+@"),
        (
            ("connect", "reach", "peer", "from", " to "),
            rf"\b(?:connect(?:ed|ion)?|reach|peer|from|to) \[?\(?'?({_NAME})'?(?:\]:|, |:)\d{{2,5}}\b",
        ),
        (("ip-",), r"(?<![\w.-])(ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?:\.[a-z0-9.-]+)?)\b"),
        (
            _INNER_DOMAINS,
            rf"(?<![\w.-])([A-Za-z0-9][\w.-]{{0,200}}(?:{'|'.join(map(re.escape, _INNER_DOMAINS))}))(?![\w-])",
        ),
        (("@",), rf"(?<=[\w+-])@({_NAME})(?=[:\s>,;)'\"]|$)"),
    )
)
_USER_PLACES = (
    re.compile(r"(?<![\w.])(?:/[\w.-]{1,60}){0,3}/(?:home|Users)/([A-Za-z_][\w.+-]{0,60})(?![\w.+-])"),
    re.compile(r"\b[A-Za-z]:\\{1,4}Users\\{1,4}([A-Za-z_][\w.+-]{0,60})"),
    re.compile(rf"(?<![\w.+/:-])([A-Za-z_][\w.+-]{{0,60}})@(?=[A-Za-z]{_NAME}(?:[:\s>,;)'\"]|$))"),
)
_ID_PLACES = (
    re.compile(r"\b(?:rid|request_id|req_id|x-request-id)['\"]?(?:=|: ?)['\"]?([A-Za-z0-9][\w.-]{3,127})"),
    re.compile(r"(?<![0-9A-Za-z])([0-9a-f]{32})(?![0-9A-Za-z])"),
    re.compile(r"(?<![0-9A-Za-z])([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![0-9A-Za-z])"),
)
_MODEL_PLACES = (
    re.compile(
        r"\b(?:[a-z_]*model_path|tokenizer_path|served_model_name)['\"]?(?:=|: ?)['\"]([^<'\"\s][^'\"\s]{2,300})['\"]"
    ),
    re.compile(
        r"--(?:[a-z-]*model-path|model|tokenizer-path|served-model-name)[ =]['\"]?"
        r"([^<[({A-Z'\"\s][^'\"\s]{2,300}|[A-Z][\w.-]*/[^'\"\s]{1,300})"
    ),
)
_PUBLIC_SUFFIXES = (".com", ".org", ".io", ".ai", ".dev", ".net", ".co", ".cn", ".edu", ".gov")
_PLAIN_NAMES = frozenset(("localhost", "none", "null", "true", "false", "root", "host", "git", "0", "any", "auto"))
_PSEUDONYM = re.compile(r"(?:host|user|model|rid)-\d+|/models/model-\d+|0{22}[0-9a-f]{10}|0{8}-0000-0000-[0-9a-f-]{17}")
_PLACE_ONLY = re.compile(r"[A-Za-z]+|.{0,3}")


class Redactor:
    """Replaces by kind; holds what was seen, so that one redactor serves all files of an incident.

    `kinds` are among KINDS; model paths only on request, as they often say which model an incident is about.
    """

    def __init__(self, kinds: Iterable[str] = DEFAULT_KINDS) -> None:
        self.kinds = frozenset(kinds)
        self.replaced: Counter[str] = Counter()
        self._known: dict[str, dict[str, str]] = {kind: {} for kind in KINDS}
        self._networks: dict[str, int] = {}
        self._hosts_of: dict[str, dict[str, int]] = {}
        self._names: re.Pattern[str] | None = None
        self._kind_of: dict[str, str] = {}

    def learn(self, text: str) -> None:
        """Take note of the names in the text, in their order; many lines may be given at once."""
        before = sum(map(len, self._known.values()))
        if "host" in self.kinds:
            for match in _matches(_HOST_PLACES, text):
                self._host(match[1], text[match.end() : match.end() + 1] == ":")
        if "model_path" in self.kinds:
            for place in _MODEL_PLACES:
                for match in place.finditer(text):
                    self._model(match[1])
        if sum(map(len, self._known.values())) != before:
            self._names = None

    def text(self, text: str) -> str:
        """The text (one line or many) with every name in it and every known one replaced."""
        self.learn(text)
        return self.replace(text)

    def replace(self, text: str) -> str:
        """The text with every known name, and every address, user and id replaced; new hosts are not learned."""
        if "model_path" in self.kinds or "host" in self.kinds:
            text = self._replace_names(text)
        if "ip" in self.kinds:
            text = _IP4.sub(self._ip4, text)
            if "::" in text or text.count(":") > 6:
                text = _IP6.sub(self._ip6, text)
        if "user" in self.kinds and ("home" in text or "Users" in text or "@" in text):
            for place in _USER_PLACES:
                text = place.sub(self._in_place("user", self._user), text)
        if "request_id" in self.kinds:
            for place in _ID_PLACES:
                text = place.sub(self._in_place("request_id", self._request_id), text)
        return text

    def data(self, value: Any) -> Any:
        """Plain data (a report) with every string replaced; what a key says of its value counts as in a log."""
        if isinstance(value, Mapping):
            return {
                name: self.named(str(name), member) if isinstance(member, str) else self.data(member)
                for name, member in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [self.data(item) for item in value]
        return self.text(value) if isinstance(value, str) else value

    def named(self, name: str, value: str) -> str:
        """The value of a key or a column, read as a log prints it: `rid='…'`, `host='…'`."""
        before = f"{name}='"
        shown = self.text(f"{before}{value}'")
        return shown[len(before) : -1] if shown.startswith(before) and shown.endswith("'") else self.text(value)

    def learn_data(self, value: Any) -> None:
        """Take note of the names in all strings of plain data; arguments are read as the log prints them."""
        if isinstance(value, Mapping):
            for name, member in value.items():
                self.learn(f"{name}='{member}'") if isinstance(member, str) else self.learn_data(member)
        elif isinstance(value, (list, tuple)):
            for item in value:
                self.learn_data(item)
        elif isinstance(value, str):
            self.learn(value)

    def _in_place(self, kind: str, pseudonym: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
        def replace(match: re.Match[str]) -> str:
            new = pseudonym(match[1])
            if new == match[1]:
                return match[0]
            self.replaced[kind] += 1
            at = match.start(1) - match.start()
            return match[0][:at] + new + match[0][at + len(match[1]) :]

        return replace

    def _replace_names(self, text: str) -> str:
        if self._names is None:
            self._kind_of = {name: kind for kind in ("model_path", "host") for name in self._known[kind]}
            everywhere = sorted((n for n in self._kind_of if not _PLACE_ONLY.fullmatch(n)), key=len, reverse=True)
            names = "|".join(map(re.escape, everywhere)) or r"(?!)"
            self._names = re.compile(rf"(?<![\w.-])(?:{names})(?![\w-])")
        if self._kind_of:
            text = self._names.sub(self._name, text)
        if any(_PLACE_ONLY.fullmatch(name) for name in self._known["host"]):
            for needles, place in _HOST_PLACES:
                if any(needle in text for needle in needles):
                    text = place.sub(self._in_place("host", lambda name: self._known["host"].get(name, name)), text)
        return text

    def _name(self, match: re.Match[str]) -> str:
        kind = self._kind_of[match[0]]
        self.replaced[kind] += 1
        return self._known[kind][match[0]]

    def _host(self, name: str, with_port: bool) -> None:
        known = self._known["host"]
        if name in known or name.lower() in _PLAIN_NAMES or _PSEUDONYM.fullmatch(name) or _is_number(name):
            return
        if name.lower().endswith(_PUBLIC_SUFFIXES) and not with_port:
            return
        known[name] = f"host-{len(known) + 1}"

    def _model(self, path: str) -> None:
        known = self._known["model_path"]
        if path in known or path in ("None", "null") or _PSEUDONYM.fullmatch(path):
            return
        name = f"model-{len(known) + 1}"
        known[path] = f"/models/{name}" if path.startswith("/") else name

    def _user(self, name: str) -> str:
        known = self._known["user"]
        if name.lower() in _PLAIN_NAMES or _PSEUDONYM.fullmatch(name):
            return name
        return known.setdefault(name, f"user-{len(known) + 1}")

    def _request_id(self, name: str) -> str:
        """A pseudonym of the same shape: 32 hexadecimal digits, a UUID, or `rid-7`."""
        if name.startswith("HEALTH_CHECK") or name in ("None", "null") or _PSEUDONYM.fullmatch(name):
            return name
        known = self._known["request_id"]
        number = len(known) + 1
        digits = f"{number:032x}"
        if re.fullmatch(r"[0-9a-f]{32}", name):
            new = digits
        elif re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", name):
            new = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
        else:
            new = f"rid-{number}"
        return known.setdefault(name, new)

    def _ip4(self, match: re.Match[str]) -> str:
        address = match[0]
        if not _is_address(address) or _VERSION_BEFORE.search(match.string, max(0, match.start() - 16), match.start()):
            return address
        known = self._known["ip"]
        if address not in known:
            network, _, _ = address.rpartition(".")
            number = self._networks.setdefault(network, len(self._networks))
            hosts = self._hosts_of.setdefault(network, {})
            host = hosts.setdefault(address, len(hosts) + 1)
            first, second = (
                (198, 18 + number // 256) if number < 512 else (240 + (number >> 16) % 15, number // 256 % 256)
            )
            known[address] = f"{first}.{second}.{number % 256}.{host % 256}"
        self.replaced["ip"] += 1
        return known[address]

    def _ip6(self, match: re.Match[str]) -> str:
        try:
            address = ipaddress.IPv6Address(match[0])
        except ValueError:
            return match[0]
        if address.is_loopback or address.is_unspecified or address in _DOCUMENTATION:
            return match[0]
        known = self._known["ip"]
        self.replaced["ip"] += 1
        return known.setdefault(str(address), f"2001:db8::{len(known) + 1:x}")


def _matches(places: Iterable[tuple[Sequence[str], re.Pattern[str]]], text: str) -> Iterator[re.Match[str]]:
    for needles, place in places:
        if any(needle in text for needle in needles):
            yield from place.finditer(text)


_DOCUMENTATION = ipaddress.IPv6Network("2001:db8::/32")
_BENCHMARK = ipaddress.IPv4Network("198.18.0.0/15")


def _is_address(text: str) -> bool:
    """Whether the four numbers are an address that tells one machine from another."""
    try:
        address = ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified or int(address) == 2**32 - 1 or address in _BENCHMARK)


def _is_number(name: str) -> bool:
    return re.fullmatch(r"[\d.:]+", name) is not None
