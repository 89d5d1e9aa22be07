r"""Decode batches: one row for every `decode_log_interval` decode forwards (default 40) of a rank.

Sample
    #@ 0.1.15..0.1.15
    #running-req: 2, #token: 402, token usage: 0.01, #queue-req: 0
    #@ 0.1.16..0.1.16
    #running-req: 2, #token: 402, token usage: 0.01, gen throughput (token/s): 71.20, #queue-req: 0
    #@ 0.1.18..0.2.6
    [gpu_id=0] Decode batch. #running-req: 2, #token: 812, token usage: 0.01, gen throughput (token/s): 88.20, #queue-req: 0
    #@ 0.2.9..0.2.13
    [gpu=0] Decode batch. #running-req: 1010, #token: 55006, token usage: 0.93, gen throughput (token/s): 1397.13, #queue-req: 12279
    #@ 0.2.14..0.3.3.post1
    [04:40:55 TP0] Decode batch. #running-req: 2, #token: 4078, token usage: 0.00, gen throughput (token/s): 447.31, #queue-req: 0
    #@ 0.4.1.post7..0.4.3.post2
    [2025-02-12 10:00:00 TP0] Decode batch. #running-req: 1, #token: 933, token usage: 0.01, accept len: 3.12, gen throughput (token/s): 228.40, #queue-req: 0
    #@ 0.4.3.post3..0.4.4.post1
    [2025-03-14 02:16:14 TP0] Decode batch. #running-req: 509, #token: 180776, token usage: 0.43, gen throughput (token/s): 7897.87, largest-len: 0, #queue-req: 0,␠
    #@ 0.4.4.post2..0.4.5.post3
    [2025-04-02 02:16:14 TP0] Decode batch. #running-req: 509, #token: 180776, token usage: 0.43, gen throughput (token/s): 7897.87, #queue-req: 0,␠
    #@ 0.4.6..0.4.6.post3
    [2025-05-02 02:16:14 TP0] Decode batch. #running-req: 9, #token: 18077, token usage: 0.04, pre-allocated usage: 0.01, gen throughput (token/s): 597.87, #queue-req: 0
    #@ 0.4.6.post4..0.4.7
    [2025-06-03 02:16:20 TP0] Decode batch. #running-req: 1, #token: 2102, token usage: 0.51, cuda graph: True, gen throughput (token/s): 93.51, #queue-req: 0
    #@ 0.4.7.post1..0.4.8.post1
    [2025-06-25 02:16:20 TP0] Decode batch. #running-req: 1, #token: 2102, token usage: 0.51, pre-allocated usage: 0.00, #retracted-req: 2, cuda graph: True, gen throughput (token/s): 93.51, #queue-req: 0
    #@ 0.4.9..0.4.9
    [2025-07-05 02:16:20 TP0] Decode batch. #running-req: 1, #token: full=2102, swa=1024, token usage: full=0.02, swa=0.05, cuda graph: True, gen throughput (token/s): 93.51, #queue-req: 0
    #@ 0.4.9.post1..0.4.9.post2
    [2025-07-09 02:16:20 TP0] Decode batch. #running-req: 1, #token: 2102, token usage: 0.51, cuda graph: True, gen throughput (token/s): 93.51, #queue-req: 0, timestamp: 2025-07-09T02:16:20.654321
    #@ 0.4.9.post3..0.5.1.post3
    [2025-08-10 02:16:20 TP0] Decode batch. #running-req: 1, #full token: 2102, full token usage: 0.02, #swa token: 1024, swa token usage: 0.05, cuda graph: True, gen throughput (token/s): 93.51, #queue-req: 0,␠
    #@ 0.5.2..0.5.2
    [2025-09-12 02:16:20 TP0] Decode batch. #running-req: 1, #token: 2102, token usage: 0.51, cpu graph: False, gen throughput (token/s): 9.51, #queue-req: 0,␠
    #@ 0.5.3..0.5.3.post1
    [2025-10-07 02:16:20 TP0] Decode batch. #running-req: 1, #token: 2102, token usage: 0.51, pre-allocated usage: 0.00, #prealloc-req: 0, #transfer-req: 1, #retracted-req: 0, cuda graph: True, gen throughput (token/s): 93.51, #queue-req: 0,␠
    #@ 0.5.3.post2..0.5.3.post3
    [2025-10-17 02:16:20 TP0] Decode batch. #running-req: 1, #full token: 2102, full token usage: 0.01, mamba num: 4, mamba usage: 0.02, accept len: 2.40, accept rate: 0.60, cuda graph: True, gen throughput (token/s): 193.51, #queue-req: 0,␠
    #@ 0.5.4..0.5.4
    [2025-10-26 02:16:20 TP0] Decode batch [4200], #running-req: 1, #token: 2102, token usage: 0.51, cuda graph: True, gen throughput (token/s): 93.51, #queue-req: 0,␠
    #@ 0.5.4.post1..0.5.5.post3
    [2025-12-12 08:43:59 TP0] Decode batch, #running-req: 6, #token: 1920, token usage: 0.94, cuda graph: True, gen throughput (token/s): 446.45, #queue-req: 5,␠
    #@ 0.5.9..0.5.9
    [2026-02-25 08:43:59 TP0] Decode batch, #running-req: 6, #token: 1920, token usage: 0.94, npu graph: True, gen throughput (token/s): 446.45, #queue-req: 5
    #@ 0.5.10..0.5.10.post1
    [2026-04-05 08:43:59 TP0] Decode batch, #running-req: 6, #token: 1920, token usage: 0.94, cuda graph: True, gen throughput (token/s): 446.45, #queue-req: 5, est. decode TFLOPS/s (per GPU): 3.21, est. read BW (GB/s per GPU): 1210.40, est. write BW (GB/s per GPU): 0.02
    #@ 0.5.13..0.5.14
    [2026-06-30 08:43:59 TP0] Decode batch, #running-req: 6, #gpu token: 1920, gpu token usage: 0.44, #cpu token: 19200, cpu token usage: 0.10, cuda graph: True, gen throughput (token/s): 446.45, #queue-req: 5, fwd occupancy: 91.20%
    #@ 0.5.16..0.5.18
    [2026-08-20 08:43:59 TP0] Decode batch, #running-req: 6, #token: 1920, token usage: 0.01, accept len: 3.10, accept rate: 0.70, cap len: 4.00, block accept len: 3.30, est uncap acc len: 3.21 [3.05, 3.40], cuda graph: True, gen throughput (token/s): 1446.45, #queue-req: 0
    #@ 0.5.22..0.5.23
    [2026-11-20 08:43:59 DP0 TP0] Decode batch, #running-req: 6, #token: 1920, token usage: 0.01, pre-allocated usage: 0.00, #prealloc-req: 0, #transfer-req: 1, #host-receive-req: 0, #retracted-req: 0, cuda graph: True, gen throughput (token/s): 446.45, #queue-req: 0, fwd occupancy: 88.00%, fwd+idle occupancy: 88.00%

Meaning
    The scheduler prints this line every N decode forwards of that rank, so an idle server prints none and a slow one
    few. The order of the fields is no contract; they are read by their keys. Token counts and shares leave out what
    only the radix cache holds: a usage of 0.00 does not mean an empty cache, and negative values occur. Until 0.5.9
    `--enable-metrics-for-all-schedulers` prints every line once per rank.

Source
    `forward_step` (0.1.15), `print_stats` (to 0.2.10), `print_decode_stats` (0.2.13–0.3.5), `log_decode_stats`
    (0.3.5.post1–0.5.9), `report_decode_stats` (from 0.5.10; `managers/scheduler_components/metrics_reporter.py`).
"""

from __future__ import annotations

from logscope.events._batch import END, WAITING_IMAGES
from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(r"Decode batch\. (?P<fields>.*, )", ("Decode batch. ",), since="0.4.3.post3", until="0.5.3.post3"),
        Shape(r"Decode batch\. (?P<fields>.*)", ("Decode batch. ",), since="0.1.17", until="0.5.3.post3"),
        Shape(r"Decode batch \[(?P<iteration>\d+)\], (?P<fields>.*)", ("Decode batch [",), since="0.5.4"),
        Shape(r"Decode batch, (?P<fields>.*, )", ("Decode batch, ",), since="0.5.4.post1", until="0.5.8.post1"),
        Shape(r"Decode batch, (?P<fields>.*)", ("Decode batch, ",), since="0.5.4.post1"),
        Shape(
            r"(?P<fields>#running-req: \d+, #token: \d+, token usage: .*)",
            ("#running-req: ",),
            since="0.1.15",
            until="0.1.16",
        ),
    ),
    columns=(
        Column(
            "running_requests",
            "int",
            "Requests in the running batch of the rank at this step.",
            "requests",
            ("#running-req",),
        ),
        Column(
            "used_tokens",
            "int",
            "KV slots locked by running requests: capacity − (available + evictable). The radix cache is left out.",
            "tokens",
            ("#token",),
        ),
        Column(
            "token_usage_share",
            "float",
            "used_tokens ÷ max_total_num_tokens of the rank (0.4.9–0.4.9.post2: ÷ the allocator's size).",
            "share",
            ("token usage",),
        ),
        Column(
            "full_tokens",
            "int",
            "Slots used in the full-attention sub-pool.",
            "tokens",
            ("#full token", "#token full"),
            since="0.4.9",
        ),
        Column(
            "full_token_usage_share",
            "float",
            "full_tokens ÷ size of that sub-pool (0.5.19 and later: ÷ its schedulable capacity).",
            "share",
            ("full token usage", "token usage full"),
            since="0.4.9",
        ),
        Column(
            "swa_tokens",
            "int",
            "Slots used in the sliding-window sub-pool.",
            "tokens",
            ("#swa token", "#token swa"),
            since="0.4.9",
        ),
        Column(
            "swa_token_usage_share",
            "float",
            "swa_tokens ÷ size of that sub-pool; near 1.00 is normal under long prompts.",
            "share",
            ("swa token usage", "token usage swa"),
            since="0.4.9",
        ),
        Column("mamba_slots", "int", "State slots in use.", "slots", ("mamba num",), since="0.5.3.post2"),
        Column(
            "mamba_usage_share",
            "float",
            "mamba_slots ÷ size of the state pool; evictable states are not left out with int8 checkpoints (0.5.14).",
            "share",
            ("mamba usage",),
            since="0.5.3.post2",
        ),
        Column("gpu_tokens", "int", "HiSparse: slots used on the device.", "tokens", ("#gpu token",), since="0.5.11"),
        Column(
            "gpu_token_usage_share", "float", "HiSparse: share used.", "share", ("gpu token usage",), since="0.5.11"
        ),
        Column("cpu_tokens", "int", "HiSparse: slots used on the host.", "tokens", ("#cpu token",), since="0.5.11"),
        Column(
            "cpu_token_usage_share", "float", "HiSparse: share used.", "share", ("cpu token usage",), since="0.5.11"
        ),
        Column(
            "accept_length_tokens",
            "float",
            "Accepted drafts + 1 bonus token per request and verify step, mean over the interval; at least 1.00.",
            "tokens",
            ("accept len",),
            since="0.4.1.post7",
        ),
        Column(
            "accept_rate_share",
            "float",
            "Not comparable across releases: 0.5.3.post2–0.5.5.post2 accept_len ÷ (steps + 1); 0.5.5.post3–0.5.10.post1"
            " accept_len ÷ draft tokens (bonus in the numerator); from 0.5.11 (accept_len − 1) ÷ (draft tokens − 1).",
            "share",
            ("accept rate",),
            since="0.5.3.post2",
        ),
        Column("cap_length_tokens", "float", "Ragged verification: mean cap.", "tokens", ("cap len",), since="0.5.16"),
        Column(
            "block_accept_length_tokens",
            "float",
            "Ragged verification: accepted length per block.",
            "tokens",
            ("block accept len",),
            since="0.5.16",
        ),
        Column(
            "uncapped_accept_length_tokens",
            "float",
            "Ragged verification: estimate of the accepted length without the cap.",
            "tokens",
            ("est uncap acc len",),
            since="0.5.16",
        ),
        Column(
            "uncapped_accept_length_low_tokens",
            "float",
            "Lower end of its interval.",
            "tokens",
            ("est uncap acc len lo",),
            since="0.5.16",
        ),
        Column(
            "uncapped_accept_length_high_tokens",
            "float",
            "Upper end of its interval.",
            "tokens",
            ("est uncap acc len hi",),
            since="0.5.16",
        ),
        Column(
            "preallocated_usage_share",
            "float",
            "PD decode: slots reserved for incoming KV ÷ max_total_num_tokens.",
            "share",
            ("pre-allocated usage",),
            since="0.4.6",
        ),
        Column(
            "preallocation_requests",
            "int",
            "PD decode: requests that wait for slots (another queue than the key of the same name in prefill lines).",
            "requests",
            ("#prealloc-req",),
            since="0.5.3",
        ),
        Column("transfer_requests", "int", "PD decode: KV on its way.", "requests", ("#transfer-req",), since="0.5.3"),
        Column(
            "host_receive_requests",
            "int",
            "PD decode: received into host memory.",
            "requests",
            ("#host-receive-req",),
            since="0.5.21",
        ),
        Column(
            "retracted_requests",
            "int",
            "PD decode: length of the retracted queue.",
            "requests",
            ("#retracted-req",),
            since="0.4.7.post1",
        ),
        Column(
            "graph",
            "bool",
            "The last forward ran in a captured graph.",
            keys=("cuda graph", "cpu graph", "npu graph", "musa graph"),
            since="0.4.6.post4",
        ),
        Column(
            "graph_kind",
            "text",
            "Which label stood before the flag: cuda, cpu, npu, musa. 0.5.3–0.5.8.post1 print `cpu` on every device but"
            " cuda; XPU, HPU and MPS print `cuda` otherwise.",
            since="0.4.6.post4",
        ),
        Column(
            "gen_throughput_tok_s",
            "float",
            "Tokens of this rank since its last decode line ÷ wall time since then, prefill and idle gaps included: the"
            " first value after a pause is low. Speculation: accepted tokens with the bonus.",
            "tok/s",
            ("gen throughput (token/s)",),
            since="0.1.16",
        ),
        Column(
            "largest_length_tokens",
            "int",
            "Largest length seen; mostly 0.",
            "tokens",
            ("largest-len",),
            since="0.4.3.post3",
            until="0.4.4.post1",
        ),
        Column(
            "queued_requests",
            "int",
            "Requests in the waiting queue; grammar and PD queues are not counted.",
            "requests",
            ("#queue-req",),
        ),
        WAITING_IMAGES,
        Column(
            "estimated_decode_tflops",
            "float",
            "Estimate per GPU, 10¹² FLOP/s.",
            "TFLOP/s",
            ("est. decode TFLOPS/s (per GPU)",),
            since="0.5.10",
        ),
        Column(
            "estimated_read_gb_s",
            "float",
            "Estimate per GPU, decimal GB.",
            "GB/s",
            ("est. read BW (GB/s per GPU)",),
            since="0.5.10",
        ),
        Column(
            "estimated_write_gb_s",
            "float",
            "Estimate per GPU, decimal GB.",
            "GB/s",
            ("est. write BW (GB/s per GPU)",),
            since="0.5.10",
        ),
        *END,
    ),
    process="scheduler",
    hot=True,
    open_keys=True,
)
