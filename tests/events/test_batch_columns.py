"""What the columns of the batch lines hold, where it is easily misread."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from logscope.events import request_log
from logscope.parse import Reader
from logscope.source import Block


def row(family: str, line: str) -> Mapping[str, object]:
    reader = Reader()
    reader.feed(Block("x.log", 1, (line + "\n").encode()))
    reader.finish()
    [found] = reader.rows[family]
    return found.values.values


@pytest.mark.parametrize("label", ["cuda", "cpu", "npu", "musa"])
def test_the_graph_flag_keeps_the_label_that_stood_before_it(label: str) -> None:
    line = f"[2026-02-25 08:43:59 TP0] Decode batch, #running-req: 6, #token: 1920, token usage: 0.94, {label} graph: True, #queue-req: 5"
    assert row("decode_batch", line)["graph"] is True
    assert row("decode_batch", line)["graph_kind"] == label


def test_sub_pools_keep_their_numbers_apart_in_the_short_lived_spelling() -> None:
    line = "[2025-07-05 02:16:20 TP0] Decode batch. #running-req: 1, #token: full=2102, swa=1024, token usage: full=0.02, swa=0.05, #queue-req: 0"
    found = row("decode_batch", line)
    assert (found["full_tokens"], found["swa_tokens"]) == (2102, 1024)
    assert (found["full_token_usage_share"], found["swa_token_usage_share"]) == (0.02, 0.05)
    assert "used_tokens" not in found


@pytest.mark.parametrize("name", ["#unbootstrapped-req", "#prealloc-req", "#bootstrap-req"])
def test_the_queue_before_a_handshake_has_one_column_under_three_names(name: str) -> None:
    line = f"[2026-06-01 20:02:48 TP0] Prefill batch, #new-seq: 1, #new-token: 148, #cached-token: 0, token usage: 0.08, {name}: 2"
    assert row("prefill_batch", line)["bootstrap_requests"] == 2


def test_a_decode_line_keeps_its_own_queue_of_the_same_name() -> None:
    line = "[2025-10-07 02:16:20 TP0] Decode batch. #running-req: 1, #token: 2102, token usage: 0.51, #prealloc-req: 3, #queue-req: 0, "
    assert row("decode_batch", line)["preallocation_requests"] == 3


def test_an_estimate_with_an_interval_gives_three_numbers() -> None:
    line = (
        "[2026-08-20 08:43:59 TP0] Decode batch, #running-req: 6, est uncap acc len: 3.21 [3.05, 3.40], #queue-req: 0"
    )
    found = row("decode_batch", line)
    names = ("uncapped_accept_length_tokens", "uncapped_accept_length_low_tokens", "uncapped_accept_length_high_tokens")
    assert [found[name] for name in names] == [3.21, 3.05, 3.40]


def test_the_mixed_form_holds_the_running_requests_in_its_head() -> None:
    line = "[04:40:51 TP0] Prefill batch(mixed #running-req: 4). #new-seq: 3, #new-token: 8192, #cached-token: 12, cache hit rate: 0.15%, #queue-req: 11"
    found = row("prefill_batch", line)
    assert (found["mixed"], found["running_requests"], found["cache_hit_rate_percent"]) == (True, 4, 0.15)


def test_reserved_address_space_is_no_memory() -> None:
    line = "[2026-10-28 11:04:15 TP0] KV Cache VA upper bound. dtype: torch.bfloat16, #tokens: 871648, K size: 28.70 GB, V size: 28.70 GB"
    assert row("kv_pool", line)["kind"] == "upper_bound"


def test_prompts_of_request_logs_are_private() -> None:
    assert request_log.FAMILY.private == ("text",)
