r"""Lines of vLLM's logger, which releases up to 0.4.x load for kernels and loaders: one row a line.

Sample
    #@ 0.1.15..0.4.10
    WARNING 08-05 10:11:12 config.py:211] quantization is not fully optimized yet. The speed can be slower than non-quantized models.
    INFO 08-05 10:11:12 weight_utils.py:243] Using model weights format ['*.safetensors']
    INFO 03-05 10:11:12 [__init__.py:256] Automatically detected platform cuda.
    (EngineCore pid=7) INFO 03-05 10:11:12 [core.py:58] Initializing engine
    #@ 0.5.3..0.5.23
    INFO 2025-10-01 10:00:00,123 ngram_cache.py:121] compiled

Meaning
    Month and day without a year, local time. SGLang sets vLLM's level to WARNING in most releases.

Source
    vLLM `logger.py`; SGLang `speculative/cpp_ngram` uses the same shape.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?:\(\w+(?: pid=\d+)?\) )?(?P<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) (?P<printed_time>(?:\d{4}-)?\d\d-\d\d [\d:,]+) "
            r"\[?(?P<source>[\w./]+\.py):(?P<source_line>\d+)\] ?(?P<text>.*)",
            contains=".py:",
        ),
    ),
    columns=(
        Column("level", "text", "Level as printed."),
        Column("printed_time", "text", "Month, day and time."),
        Column("source", "text", "Source file."),
        Column("source_line", "int", "Its line."),
        Column("text", "text", "The message."),
    ),
    shared=True,
)
