r"""Lines of other libraries' Python loggers in the usual formats: one row a line.

Sample
    #@ 0.1.15..0.5.23
    2025-03-26 19:26:44,086 - INFO - httpx: HTTP Request: GET http://127.0.0.1:30000/health "HTTP/1.1 200 OK"
    2025-03-26 19:26:44,086 - vllm.config - WARNING - something
    2025-11-01 10:00:00.123 | INFO     | evaluator:run:42 - started
    INFO:datasets:PyTorch version 2.8.0 available.
    WARNING:root:could not determine the number of cores

Meaning
    What a library or an embedding program logs in its own format. The clock is local.

Source
    Python `logging` (`BASIC_FORMAT` and `%(asctime)s` formats), loguru.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_LEVEL = r"(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL)"
_NOT = r"(?!.*(?:flashinfer\. *jit: |\[TileLang:))"

FAMILY = Family(
    shapes=(
        Shape(
            rf"{_NOT}(?P<printed_time>\d{{4}}-\d\d-\d\d [\d:]+[,.]\d{{3}}) - (?:(?P<logger>[\w.-]+) - )?{_LEVEL} - (?P<text>.*)",
            ("20",),
        ),
        Shape(
            rf"(?P<printed_time>\d{{4}}-\d\d-\d\d [\d:.]+) \| {_LEVEL} *\| (?P<logger>[\w.<>-]+:[\w.<>-]+:\d+) - (?P<text>.*)",
            ("20",),
        ),
        Shape(
            rf"{_LEVEL}:(?P<logger>[A-Za-z_][\w.]*):(?P<text>.*)",
            ("DEBUG:", "INFO:", "WARNING:", "ERROR:", "CRITICAL:"),
        ),
    ),
    columns=(
        Column("printed_time", "text", "Time as printed."),
        Column("logger", "text", "Name of the logger."),
        Column("level", "text", "Level as printed."),
        Column("text", "text", "The message."),
    ),
    shared=True,
)
