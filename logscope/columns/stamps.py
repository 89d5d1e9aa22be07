"""The prefix of each line of a block: dated time and rank tokens, `[2026-01-12 02:47:10 DP0 TP3] `.

Only whole seconds with a full date are read here; every other prefix is left to the line-by-line reader.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from logscope.columns.words import Array, Places, Text, first_bytes, places_of, word_at
from logscope.line import PREFIX, rank_name

_RANK_AT = 20  # behind `[2026-01-12 02:47:10`
_MOST_RANKS = 4096
_FORM = np.frombuffer(b"0000-00-00 00:00:00", np.uint8)
_IS_DIGIT = _FORM == 48
_SPREAD = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))
_DAYS = np.array([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] + [0] * 87)


@dataclass(frozen=True, slots=True)
class Stamps:
    """The lines with a readable prefix: their places in the block, when, which rank, and where the message begins."""

    lines: Places
    seconds: Places  # since 1970-01-01, of the clock as printed
    ranks: Array  # int32, into `Ranks.names`
    messages: Places


class Ranks:
    """The rank tokens seen so far, by their bytes; code 0 is a line without any.

    `named` has a list of names for each name that a line without tokens can stand under: that of its process.
    """

    def __init__(self, processes: Sequence[str] = ("", "TP0", "main")) -> None:
        self.named = {process: [process] for process in processes}
        self._codes: dict[tuple[int, ...], int] = {(0, 0, 0): 0}
        self._table = _sorted(self._codes)
        self._lock = threading.Lock()

    def codes(self, keys: Array) -> Array:
        """The code of each key (three words, a column a line); -1 for what is no rank."""
        codes, known = _looked_up(self._table, keys)
        while not known.all():
            self._learn(tuple(int(word) for word in keys[:, int(np.argmin(known))]))
            codes, known = _looked_up(self._table, keys)
        return codes

    def _learn(self, key: tuple[int, ...]) -> None:
        tokens = b"".join(word.to_bytes(8, "little") for word in key).rstrip(b"\0").decode("latin-1")
        text = f"[2026-01-01 00:00:00{tokens}] "
        found = PREFIX.match(text)
        good = found is not None and found["ranks"] == tokens and found.end() == len(text)
        with self._lock:
            if key in self._codes:
                return
            self._codes[key] = -1
            if good and len(self._codes) < _MOST_RANKS:
                names = list(self.named.values())
                self._codes[key] = len(names[0])
                for of_process in names:
                    of_process.append(rank_name(tokens))
            self._table = _sorted(self._codes)


def _sorted(codes: dict[tuple[int, ...], int]) -> tuple[Array, Array, Array]:
    """Mixed keys in order, the keys, and their codes."""
    keys = np.array(list(codes), np.uint64).T
    mixed = _mixed(keys)
    order = np.argsort(mixed, kind="stable")
    return mixed[order], keys[:, order], np.array(list(codes.values()), np.int32)[order]


def _looked_up(table: tuple[Array, Array, Array], keys: Array) -> tuple[Array, Array]:
    mixed, known, codes = table
    at = np.minimum(np.searchsorted(mixed, _mixed(keys)), len(mixed) - 1)
    return codes[at], (known[:, at] == keys).all(axis=0)


def _mixed(keys: Array) -> Array:
    mixed: Array = keys[0] ^ (keys[1] * _SPREAD[0]) ^ (keys[2] * _SPREAD[1])
    return mixed


def stamps_of(text: Text, ranks: Ranks) -> Stamps:
    """The prefixes of a block that have a full date and whole seconds."""
    lines = np.flatnonzero((text.octets[text.starts] == 91) & (text.ends - text.starts > _RANK_AT + 2))
    seconds, good = _seconds(text, text.starts[lines])
    if not good.all():
        lines, seconds = lines[good], seconds[good]
    keys, lengths = _rank_keys(text, text.starts[lines])
    codes = np.where(lengths < 0, np.int32(-1), np.int32(0))
    some = np.flatnonzero(lengths > 0)
    if len(some):
        codes[some] = ranks.codes(keys[:, some])
    good = codes >= 0
    if not good.all():
        lines, seconds, codes, lengths = lines[good], seconds[good], codes[good], lengths[good]
    return Stamps(lines, seconds, codes, text.starts[lines] + (_RANK_AT + 2) + lengths)


def _rank_keys(text: Text, starts: Places) -> tuple[Array, Places]:
    """The bytes between the time and `] ` as three words, and how many they are; -1 where there is no such end."""
    held = text.spans(24, starts + _RANK_AT)
    keys = np.zeros((3, len(starts)), np.uint64)
    lengths = np.full(len(starts), -1, np.int64)
    rest = np.arange(len(starts))
    for number in range(3):
        word = word_at(held, 8 * number)[rest]
        before = places_of(word, 93)
        keys[number, rest] = word & first_bytes(before)
        ended = before < 8
        lengths[rest[ended]] = before[ended] + 8 * number
        rest = rest[~ended]
        if not len(rest):
            break
    closed = (lengths >= 0) & (text.octets[starts + (_RANK_AT + 1) + lengths] == 32)
    lengths[~closed] = -1
    return keys, lengths


def _seconds(text: Text, starts: Places) -> tuple[Places, Array]:
    """Seconds since 1970-01-01 of each stamp, and whether it is a time; equal neighbours are read once."""
    if not len(starts):
        return np.zeros(0, np.int64), np.zeros(0, bool)
    held = text.spans(_RANK_AT, starts)
    fresh = np.ones(len(starts), bool)
    parts = [word_at(held, offset) for offset in (12, 8, 1)]
    fresh[1:] = np.logical_or.reduce([part[1:] != part[:-1] for part in parts])
    which = np.cumsum(fresh) - 1
    printed = held[fresh].view(np.uint8).reshape(-1, _RANK_AT)[:, 1:]
    digit = printed - np.uint8(48)
    good = np.where(_IS_DIGIT, digit < 10, printed == _FORM).all(axis=1)
    number = digit.astype(np.int64)
    year = number[:, 0] * 1000 + number[:, 1] * 100 + number[:, 2] * 10 + number[:, 3]
    month, day, hour, minute, second = (number[:, at] * 10 + number[:, at + 1] for at in (5, 8, 11, 14, 17))
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    longest = _DAYS[np.clip(month, 0, 99)] + (leap & (month == 2))
    good &= (
        (year >= 1970) & (year < 2100) & (day >= 1) & (day <= longest) & (hour <= 23) & (minute <= 59) & (second <= 60)
    )
    # Days of the civil calendar, years beginning in March (Howard Hinnant, `days_from_civil`).
    shifted = year - (month <= 2)
    era, of_era = shifted // 400, shifted % 400
    of_year = (153 * (month + np.where(month > 2, -3, 9)) + 2) // 5 + day - 1
    days = era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
    seconds = days * 86400 + hour * 3600 + minute * 60 + second
    return seconds[which], good[which]
