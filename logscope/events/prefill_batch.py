r"""Prefill (extend) batches: one row a batch, continuation chunks and dLLM steps included.

Sample
    #@ 0.1.15..0.1.17
    new fill batch. #seq: 2. #cached_token: 8. #new_token: 402. #remaining_req: 0. #running_req: 1. tree_cache_hit_rate: 1.95%.
    #@ 0.1.17..0.1.17
    [gpu_id=0] Prefil batch. #new-seq: 1, #new-token: 7, #cached-token: 0, cache hit rate: 0.00%, #running-req: 0, #queue-req: 0
    #@ 0.1.18..0.2.6
    [gpu_id=0] Prefill batch. #new-seq: 1, #new-token: 7, #cached-token: 0, cache hit rate: 0.00%, #running-req: 0, #queue-req: 0
    #@ 0.2.9..0.2.13
    [gpu=0] Prefill batch. #new-seq: 1, #new-token: 7, #cached-token: 0, cache hit rate: 0.00%, #running-req: 0, #queue-req: 0
    #@ 0.2.14..0.3.1
    [04:40:51 TP0] Prefill batch. #new-seq: 3, #new-token: 8192, #cached-token: 12, cache hit rate: 0.15%, #running-req: 4, #queue-req: 11
    [04:40:51 TP0] Prefill batch(mixed #running-req: 4). #new-seq: 3, #new-token: 8192, #cached-token: 12, cache hit rate: 0.15%, #queue-req: 11
    #@ 0.3.1.post3..0.3.2
    [04:40:51 TP0] Prefill batch. #new-seq: 3, #new-token: 8192, #cached-token: 12, cache hit rate: 0.15%, token usage: 0.41, #running-req: 4, #queue-req: 11
    #@ 0.4.0..0.4.3.post2
    [2025-02-10 12:00:01 TP0] Prefill batch. #new-seq: 1, #new-token: 512, #cached-token: 3, cache hit rate: 0.58%, token usage: 0.00, #running-req: 0, #queue-req: 0
    #@ 0.4.3.post3..0.4.5.post3
    [2025-03-14 02:16:10 TP0] Prefill batch. #new-seq: 32, #new-token: 8192, #cached-token: 0, token usage: 0.06, #running-req: 120, #queue-req: 77,␠
    #@ 0.4.6..0.4.6.post5
    [2025-05-01 02:16:10 TP0] Prefill batch. #new-seq: 2, #new-token: 4096, #cached-token: 0, token usage: 0.01, #running-req: 0, #unbootstrapped-req: 3, #queue-req: 1, #transferring-req: 5␠
    #@ 0.4.7..0.4.7
    [2025-06-01 02:16:10 TP0] Prefill batch. #new-seq: 2, #new-token: 4096, #cached-token: 0, token usage: 0.01, #running-req: 0, #unbootstrapped-req: 3, #queue-req: 1, #transferring-req: 5, time: 0.31␠
    #@ 0.4.7.post1..0.4.8.post1
    [2025-06-20 02:16:10 TP0] Prefill batch. #new-seq: 2, #new-token: 4096, #cached-token: 0, token usage: 0.01, #running-req: 8, #queue-req: 1
    [2025-06-20 02:16:10 TP0] Prefill batch. #new-seq: 2, #new-token: 4096, #cached-token: 0, token usage: 0.01, #unbootstrapped-req: 3, #queue-req: 1, #transferring-req: 5, input throughput (token/s): 13212.90␠
    #@ 0.4.9..0.4.9
    [2025-07-05 02:16:10 TP0] Prefill batch. #new-seq: 1, #new-token: 1024, #cached-token: 0, #token: 2048, token usage: 0.01, #running-req: 1, #queue-req: 0
    #@ 0.4.9.post1..0.4.9.post2
    [2025-07-09 02:16:10 TP0] Prefill batch. #new-seq: 1, #new-token: 1024, #cached-token: 0, #token: 2048, token usage: 0.01, #running-req: 1, #queue-req: 0, timestamp: 2025-07-09T02:16:10.123456
    #@ 0.4.9.post3..0.5.2
    [2025-08-01 02:16:10 TP0] Prefill batch. #new-seq: 1, #new-token: 1024, #cached-token: 0, token usage: 0.01, #running-req: 1, #queue-req: 0,␠
    [2025-08-01 02:16:10 TP0] Prefill batch. #new-seq: 1, #new-token: 1024, #cached-token: 0, full token usage: 0.01, swa token usage: 0.03, #running-req: 1, #queue-req: 0,␠
    #@ 0.5.3..0.5.3.post1
    [2025-10-06 02:16:10 TP0] Prefill batch. #new-seq: 1, #new-token: 1024, #cached-token: 0, token usage: 0.01, #running-req: 0, #queue-req: 0, #prealloc-req: 2, #inflight-req: 1,␠
    #@ 0.5.3.post2..0.5.3.post3
    [2025-10-16 02:16:10 TP0] Prefill batch. #new-seq: 1, #new-token: 1024, #cached-token: 0, full token usage: 0.01, mamba usage: 0.05, #running-req: 0, #queue-req: 0,␠
    #@ 0.5.4..0.5.4
    [2025-10-25 02:16:10 TP0] Prefill batch [118], #new-seq: 1, #new-token: 1024, #cached-token: 0, token usage: 0.01, #running-req: 0, #queue-req: 0,␠
    #@ 0.5.4.post1..0.5.5.post3
    [2025-11-10 02:16:10 TP0] Prefill batch, #new-seq: 1, #new-token: 1024, #cached-token: 0, token usage: 0.01, #running-req: 0, #queue-req: 0,␠
    #@ 0.5.9..0.5.9
    [2026-03-01 02:16:10 TP0] Prefill batch, #new-seq: 1, #new-token: 2048, #cached-token: 0, token usage: 0.04, #running-req: 3, #queue-req: 0, input throughput (token/s): 8491.29, cuda graph: False
    #@ 0.5.10..0.5.10.post1
    [2026-04-05 20:02:48] Prefill batch, #new-seq: 1, #new-token: 148, #cached-token: 0, token usage: 0.08, #running-req: 31, #queue-req: 0, cuda graph: True, input throughput (token/s): 2074.38
    #@ 0.5.11..0.5.11
    [2026-05-10 20:02:48 TP0] Prefill batch, #new-seq: 1, #new-token: 148, #cached-token: 0, token usage: 0.08, #running-req: 31, #queue-req: 0, #pending-token: 0, cuda graph: True, input throughput (token/s): 2074.38, fwd occupancy: nan%
    #@ 0.5.12..0.5.12.post1
    [2026-06-01 20:02:48 TP0] Prefill batch, #new-seq: 1, #new-token: 148, #cached-token: 0, token usage: 0.08, #running-req: 0, #queue-req: 0, #pending-token: 0, #bootstrap-req: 2, #inflight-req: 1, cuda graph: False, input throughput (token/s): 2074.38
    #@ 0.5.16..0.5.18
    [2026-08-23 09:09:50 TP0 EP0] Prefill batch, #new-seq: 1, #new-token: 8192, #cached-token: 0, full token usage: 0.01, swa token usage: 0.01, #running-req: 0, #queue-req: 1, #pending-token: 46401, cuda graph: False, input throughput (token/s): 8072.80
    [2026-08-23 09:09:50 TP0 EP0] Prefill batch, #new-seq: 1, #new-token: 8192, #cached-token: 0, token usage: 0.01, #running-req: 0, #queue-req: 1, #pending-token: 46401, #bootstrap-req: 0, #inflight-req: 1, #optimistic-req: 0, cuda graph: False, input throughput (token/s): 8072.80
    #@ 0.5.21..0.5.23
    [2026-11-01 09:09:50 TP0] Prefill batch, #new-seq: 1, #new-token: 512, #cached-token: 7680, token usage: 0.11, #running-req: 4, #queue-req: 0, #pending-token: 0, #replay-token: 128, cuda graph: True, input throughput (token/s): 1072.80, fwd occupancy: 61.02%, fwd+idle occupancy: 97.40%

Meaning
    Printed when the batch is scheduled up to 0.5.8.post1, and after its forward from 0.5.9 on: then the queue and the
    usage are those after the batch, and a forward that dies leaves no line. `token usage` leaves the batch itself out
    up to 0.5.4 and counts it from 0.5.9. The order of the fields is no contract; they are read by their keys.

Source
    `get_new_fill_batch` (to 0.1.20), `get_new_prefill_batch` (to 0.3.2), `get_new_batch_prefill` (to 0.3.5),
    `log_prefill_stats` (to 0.5.9), `report_prefill_stats` (from 0.5.10;
    `managers/scheduler_components/metrics_reporter.py` from 0.5.13).
"""

from __future__ import annotations

from logscope.events._batch import END, WAITING_IMAGES
from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(r"Prefill batch\. (?P<fields>.*, )", ("Prefill batch. ",), since="0.4.3.post3", until="0.5.3.post3"),
        Shape(r"Prefill batch\. (?P<fields>.*)", ("Prefill batch. ",), since="0.1.18", until="0.5.3.post3"),
        Shape(r"Prefill batch \[(?P<iteration>\d+)\], (?P<fields>.*)", ("Prefill batch [",), since="0.5.4"),
        Shape(r"Prefill batch, (?P<fields>.*, )", ("Prefill batch, ",), since="0.5.4.post1", until="0.5.8.post1"),
        Shape(r"Prefill batch, (?P<fields>.*)", ("Prefill batch, ",), since="0.5.4.post1"),
        Shape(
            r"Prefill batch\(mixed #running-req: (?P<running_requests>\d+)\)\. (?P<fields>.*)",
            ("Prefill batch(",),
            since="0.2.14",
            until="0.3.5",
            sets={"mixed": True},
        ),
        Shape(r"Prefil batch\. (?P<fields>.*)", ("Prefil batch. ",), since="0.1.17", until="0.1.17"),
        Shape(
            r"new fill batch\. #seq: (?P<new_sequences>\d+)\. #cached_token: (?P<cached_tokens>\d+)\."
            r" #new_token: (?P<new_tokens>\d+)\. #remaining_req: (?P<queued_requests>\d+)\."
            r" #running_req: (?P<running_requests>\d+)\. tree_cache_hit_rate: (?P<cache_hit_rate_percent>[\d.]+)%\. *",
            ("new fill batch",),
            since="0.1.15",
            until="0.1.20",
        ),
    ),
    columns=(
        Column(
            "new_sequences",
            "int",
            "Requests admitted to this batch; a chunked request counts in each of its batches.",
            "requests",
            ("#new-seq", "#seq"),
        ),
        Column(
            "new_tokens",
            "int",
            "Tokens to be computed, without the cached prefix. 0.4.8–0.5.19: rounded up to the page size per request.",
            "tokens",
            ("#new-token", "#new_token"),
        ),
        Column(
            "cached_tokens",
            "int",
            "Prefix tokens taken from the radix cache or HiCache. 0.2.13–0.4.1: continuation chunks counted their own"
            " earlier chunks; 0 for continuations from 0.4.1.post1.",
            "tokens",
            ("#cached-token", "#cached_token"),
        ),
        Column(
            "cache_hit_rate_percent",
            "float",
            "Cumulative since the start: Σ cached ÷ (Σ new + Σ cached), not of this batch.",
            "%",
            ("cache hit rate", "tree_cache_hit_rate"),
            until="0.4.3.post2",
        ),
        Column(
            "used_tokens",
            "int",
            "KV slots locked by running requests.",
            "tokens",
            ("#token",),
            since="0.4.9",
            until="0.4.9.post2",
        ),
        Column(
            "token_usage_share",
            "float",
            "Locked slots ÷ max_total_num_tokens; the radix cache is left out. See Meaning for when the batch counts.",
            "share",
            ("token usage",),
            since="0.3.1.post3",
        ),
        Column(
            "full_tokens",
            "int",
            "Full-attention sub-pool.",
            "tokens",
            ("#full token", "#token full"),
            since="0.4.9",
            until="0.4.9.post2",
        ),
        Column(
            "full_token_usage_share",
            "float",
            "Full-attention sub-pool.",
            "share",
            ("full token usage", "token usage full"),
            since="0.4.9",
        ),
        Column(
            "swa_tokens",
            "int",
            "Sliding-window sub-pool.",
            "tokens",
            ("#swa token", "#token swa"),
            since="0.4.9",
            until="0.4.9.post2",
        ),
        Column(
            "swa_token_usage_share",
            "float",
            "Sliding-window sub-pool.",
            "share",
            ("swa token usage", "token usage swa"),
            since="0.4.9",
        ),
        Column("mamba_usage_share", "float", "State pool.", "share", ("mamba usage",), since="0.5.3.post2"),
        Column(
            "running_requests",
            "int",
            "Size of the running decode batch when this batch was scheduled, its own sequences not included; the mixed"
            " form holds it in its head.",
            "requests",
            ("#running-req", "#running_req"),
        ),
        Column(
            "mixed", "bool", "Decode requests run in the same forward (mixed chunk).", since="0.2.14", until="0.3.5"
        ),
        Column(
            "queued_requests",
            "int",
            "Requests in the waiting queue. To 0.3.2 without the admitted ones, 0.3.3–0.4.3.post2 with the chunked one;"
            " after the forward from 0.5.9. Grammar and PD queues are not counted.",
            "requests",
            ("#queue-req", "#remaining_req"),
        ),
        Column(
            "pending_tokens",
            "int",
            "Σ lengths in the waiting queue + the rest of the chunked request, without regard to the cache.",
            "tokens",
            ("#pending-token",),
            since="0.5.11",
        ),
        Column("replay_tokens", "int", "Tokens computed again.", "tokens", ("#replay-token",), since="0.5.21"),
        Column(
            "bootstrap_requests",
            "int",
            "PD prefill: requests that wait for the handshake (named prealloc from 0.5.3 to 0.5.11).",
            "requests",
            ("#unbootstrapped-req", "#prealloc-req", "#bootstrap-req"),
            since="0.4.6",
        ),
        Column(
            "inflight_requests",
            "int",
            "PD prefill: requests whose KV is being sent.",
            "requests",
            ("#transferring-req", "#inflight-req"),
            since="0.4.6",
        ),
        Column(
            "optimistic_requests",
            "int",
            "PD prefill: in the batch before the handshake is done.",
            "requests",
            ("#optimistic-req",),
            since="0.5.16",
        ),
        Column(
            "input_throughput_tok_s",
            "float",
            "To 0.5.10.post1 tokens of the batch before this one ÷ the gap between the two lines, from 0.5.11 tokens of"
            " this batch ÷ the gap. The gap holds idle time: meaningless at low load.",
            "tok/s",
            ("input throughput (token/s)",),
            since="0.4.7.post1",
        ),
        Column(
            "prefill_gap_s",
            "float",
            "PD prefill: since the last prefill line.",
            "s",
            ("time",),
            since="0.4.7",
            until="0.4.7",
        ),
        Column(
            "graph",
            "bool",
            "The forward ran in a captured graph.",
            keys=("cuda graph", "cpu graph", "npu graph", "musa graph"),
            since="0.5.9",
        ),
        Column("graph_kind", "text", "Which label stood before the flag: cuda, cpu, npu, musa.", since="0.5.9"),
        WAITING_IMAGES,
        Column(
            "estimated_prefill_tflops",
            "float",
            "Estimate per GPU, 10¹² FLOP/s.",
            "TFLOP/s",
            ("est. prefill TFLOPS/s (per GPU)",),
            since="0.5.10",
        ),
        *END,
    ),
    process="scheduler",
    hot=True,
    open_keys=True,
)
