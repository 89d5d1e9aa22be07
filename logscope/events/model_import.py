r"""Model files that could not be imported; harmless unless it is the model that is asked for.

Sample
    #@ 0.3.3..0.4.10.post2
    [2025-04-12 02:47:08 TP0] Ignore import error when loading sglang.srt.models.clip. No module named 'transformers.models.clip'
    #@ 0.4.4..0.5.23
    [2026-01-12 02:47:08 TP0] Ignore import error when loading sglang.srt.models.glm_ocr: No module named 'transformers.models.glm_ocr'
    #@ 0.5.2..0.5.23
    [2026-01-12 02:47:08 TP0] LlamaForCausalLM has no SGLang implementation, falling back to Transformers implementation. Some features may not be supported and performance may not be optimal.

Meaning
    Every scheduler imports all model files and passes over those whose dependencies are missing. When the model that is
    served falls back to the Transformers implementation, speed and memory are those of that implementation.

Source
    `import_model_classes` (`models/registry.py`), `model_loader/utils.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Ignore import error when loading '?(?P<module>[\w.]+?)'?: (?P<text>.*)",
            ("Ignore import error when loading ",),
            since="0.4.4",
            sets={"kind": "skipped"},
        ),
        Shape(
            r"Ignore import error when loading (?P<module>[\w.]+)\. (?P<text>.*)",
            ("Ignore import error when loading ",),
            since="0.3.3",
            until="0.4.10.post2",
            sets={"kind": "skipped"},
        ),
        Shape(
            r"(?P<architecture>\w+) has no SGLang implementation, falling back to Transformers implementation\.(?P<text>.*)",
            contains=" has no SGLang implementation, falling back",
            sets={"kind": "fallback"},
        ),
    ),
    columns=(
        Column("kind", "text", "skipped or fallback."),
        Column("module", "text", "The file that was passed over."),
        Column("architecture", "text", "Class of the model."),
        Column("text", "text", "The error."),
    ),
    process="scheduler",
    shared=True,
)
