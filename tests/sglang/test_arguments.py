from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from logscope.errors import FactMissing
from logscope.sglang import RELEASES, arguments, exactly

SHARED = Path(os.environ.get("LOGSCOPE_SHARED") or Path(__file__).resolve().parents[2] / "../shared")
REAL = sorted((SHARED / "reallogs").glob("*.log"))


def printed_names(text: str) -> tuple[list[str], bool]:
    dump = re.search(r"server_args=(ServerArgs\(|\{)(.*)", text)
    assert dump is not None
    key = r"(?:^|, )(\w+)=" if dump[1] == "ServerArgs(" else r"(?:^|, )'(\w+)': "
    return re.findall(key, dump[2]), dump[2].rstrip().endswith((")", "}"))


@pytest.mark.skipif(not REAL, reason="the real logs of ../shared are not here")
def test_the_dump_of_every_real_log_names_a_range_with_its_release() -> None:
    widths = {}
    for log in REAL:
        text = log.read_text(errors="replace")
        if "server_args=" not in text:
            continue
        release = log.name.split("-", 1)[0]
        names, complete = printed_names(text)
        found = arguments.release_range(names, complete=complete)
        assert release in found, f"{log.name}: {found}"
        assert release in arguments.release_range(names[:70]), log.name
        widths[log.name] = len(found.releases)
    assert widths
    assert max(widths.values()) <= 3


def test_a_whole_dump_of_any_release_is_recognised_and_cut_ones_never_exclude_it() -> None:
    for release in RELEASES:
        names = list(arguments.fields(release))
        assert release in arguments.release_range(names, complete=True)
        for length in (1, 5, 25, len(names) - 1):
            assert release in arguments.release_range(names[:length])
            assert release in arguments.release_range(names[-length:])
            assert release in arguments.release_range(names[::4], complete=True), "a shortened dump is no evidence"


def test_names_of_no_release_are_passed_over() -> None:
    names = list(arguments.fields("0.5.9"))
    forked = [*names[:40], "our_own_switch", *names[40:]]
    assert "0.5.9" in arguments.release_range(forked, complete=True)
    assert arguments.release_range(["our_own_switch"]).open
    assert arguments.release_range([]).open


def test_a_field_that_a_fork_took_from_a_later_release_does_not_empty_the_range() -> None:
    names = [*arguments.fields("0.5.3"), "mamba_radix_cache_strategy"]
    assert not arguments.release_range(names, complete=True).empty


def test_names_of_the_last_release_leave_room_for_newer_ones() -> None:
    names = [*arguments.fields(RELEASES[-1]), "an_argument_of_tomorrow"]
    assert arguments.release_range(names, complete=True).hi == ""


def test_defaults_and_flags_are_those_of_the_release() -> None:
    assert arguments.default("chunked_prefill_size", "0.3.6") == 8192
    assert arguments.default("chunked_prefill_size", "0.5.9") is None
    assert arguments.default("mem_fraction_static", "0.5.0rc2") is None
    assert arguments.flag("mem_fraction_static") == "--mem-fraction-static"
    assert arguments.flag("tp_size", "0.4.0") == "--tp-size"
    assert arguments.of_flag("--tensor-parallel-size") == "tp_size"
    assert arguments.of_flag("--cuda-graph-max-bs=8") == "cuda_graph_max_bs"


def test_what_has_no_default_or_does_not_exist_is_missing_not_none() -> None:
    with pytest.raises(FactMissing, match="model_path"):
        arguments.default("model_path", "0.5.9")
    with pytest.raises(FactMissing, match="page_size"):
        arguments.default("page_size", "0.4.0")
    with pytest.raises(FactMissing, match="--no-such-flag"):
        arguments.of_flag("--no-such-flag")


@pytest.mark.parametrize(
    ("name", "value", "computed", "expected"),
    [
        ("tp_size", 1, (), "default"),
        ("tp_size", 8, (), "given"),
        ("mem_fraction_static", 0.839, (0.839,), "automatic"),
        ("mem_fraction_static", 0.55, (0.839,), "given"),
        ("mem_fraction_static", 0.55, (), "unknown"),
        ("max_total_tokens", 2000, (), "given"),
        ("disable_radix_cache", False, (), "default"),
        ("no_such_argument", 1, (), "unknown"),
        ("api_key", "<redacted>", (), "unknown"),
    ],
)
def test_who_set_a_value_is_said_only_where_it_follows(
    name: str, value: object, computed: tuple[object, ...], expected: str
) -> None:
    assert arguments.origin(name, value, exactly("0.5.9", "banner"), computed)[0] == expected


def test_the_default_of_the_command_line_is_not_given_although_the_class_has_another() -> None:
    release = exactly("0.5.6", "banner")
    assert arguments.field("kt_method", "0.5.6").default is None
    assert [arguments.origin("kt_method", value, release)[0] for value in ("AMXINT4", None, "AMXINT8")] == [
        *("default", "default", "given"),
    ]


def test_one_is_not_true() -> None:
    assert arguments.origin("enable_metrics", 0, exactly("0.5.9", "banner"))[0] == "given"
