r"""The table that a serving benchmark prints at its end: one row a line.

Sample
    #@ 0.2.10..0.5.23
    ============ Serving Benchmark Result ============
    Backend:                                 sglang
    Traffic request rate:                    inf
    Successful requests:                     1000
    Benchmark duration (s):                  123.45
    Total input tokens:                      512000
    Request throughput (req/s):              8.10
    Output token throughput (tok/s):         1036.80
    ----------------End-to-End Latency----------------
    Mean E2E Latency (ms):                   4321.00
    ---------------Time to First Token----------------
    P99 TTFT (ms):                           980.11
    ---------------Inter-Token Latency----------------
    Median ITL (ms):                         11.02

Meaning
    What the client saw. Throughput here counts from the first request to the last answer, warm-up and drain included,
    so it lies below the scheduler's `gen throughput`.

Source
    `bench_serving.py`, `bench_offline_throughput.py` (the closing table).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_NAMES = (
    r"Backend|Traffic request rate|Max request concurrency|Successful requests|Benchmark duration \(s\)|Total [\w -]+|Request throughput \(req/s\)"
    r"|(?:Input|Output|Peak output|Total|Last generation) ?(?:token )?throughput \(tok/s\)|Peak concurrent requests|Concurrency|Accept length"
    r"|(?:Mean|Median|P\d+|Max|Min|Std) [\w -]+ \(ms\)"
)

FAMILY = Family(
    shapes=(
        Shape(
            rf"(?P<name>{_NAMES}): +(?P<value>-?\d+(?:\.\d+)?|inf|nan)\s*",
            (
                "Traffic request",
                "Max request",
                "Successful requests",
                "Benchmark duration",
                "Total ",
                "Request throughput",
                "Input token",
                "Output token",
                "Peak ",
                "Last generation",
                "Concurrency:",
                "Accept length:",
                "Mean ",
                "Median ",
                "P",
                "Max ",
                "Min ",
                "Std ",
            ),
        ),
        Shape(r"(?P<name>Backend): +(?P<text>\S+)\s*", ("Backend: ",)),
        Shape(
            r"(?P<text>=+ (?:Serving|Offline Throughput) Benchmark Result =+|-+(?:End-to-End Latency|Time to First Token|Time per Output Token.*?|Inter-Token Latency|Time to First Chunk)-+)\s*",
            ("====", "----"),
        ),
    ),
    columns=(
        Column("name", "text", "What is measured, with its unit."),
        Column("value", "float", "The number."),
        Column("text", "text", "A heading, or a value that is no number."),
    ),
    process="main",
)
