r"""Results of the benchmarks that run without a server (`bench_one_batch`): one row a line.

Sample
    #@ 0.2.15..0.5.23
    max_total_num_tokens=473854
    Warmup ...
    Prefill. latency: 0.30282 s, throughput:  27052.23 token/s
    Decode.  latency: 0.17757 s, throughput:     22.53 token/s
    Decode 0. Batch size: 4, latency: 0.17757 s, throughput:     22.53 token/s
    Decode.  median latency: 0.00757 s, median throughput:    528.53 token/s
    Total. latency:  1.234 s, throughput:   4321.00 token/s
    Benchmark ...

Meaning
    One static batch without a scheduler: no queue, no radix cache, no batch lines. The first prefill and the first
    decode step hold compilation.

Source
    `bench_latency.py`, `bench_one_batch.py` (`load_model`, `latency_test_run_once`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_RESULT = r"(?P<statistic>median )?latency: +(?P<latency_s>[\d.]+) s, (?:median )?throughput: +(?P<throughput_tok_s>[\d.]+|inf) token/s\s*"

FAMILY = Family(
    shapes=(
        Shape(
            rf"(?P<stage>Prefill|Decode|Total)(?: (?P<step>\d+))?\. +(?:Batch size: (?P<batch_requests>\d+), )?{_RESULT}",
            ("Prefill. ", "Decode", "Total. "),
        ),
        Shape(
            r"max_total_num_tokens=(?P<max_total_num_tokens>\d+)\s*", ("max_total_num_tokens=",), sets={"stage": "pool"}
        ),
        Shape(r"(?P<stage>Warmup|Benchmark) \.\.\.\s*", ("Warmup ...", "Benchmark ...")),
    ),
    columns=(
        Column("stage", "text", "Prefill, Decode, Total, Warmup, Benchmark, pool."),
        Column("step", "int", "Number of the decode step."),
        Column("batch_requests", "int", "Requests in the batch.", "requests"),
        Column("statistic", "text", "`median` for the summary of all steps."),
        Column("latency_s", "float", "Time of the stage or the step.", "s", decimals=5),
        Column("throughput_tok_s", "float", "Tokens of all requests in that time.", "tok/s"),
        Column("max_total_num_tokens", "int", "Slots of the KV pool.", "tokens"),
    ),
    process="scheduler",
)
