r"""Which attention kernels the server chose.

Sample
    #@ 0.3.1..0.3.3
    [04:40:51 TP0] MLA optimization is tunred on. Use triton backend.
    #@ 0.3.3.post1..0.5.4
    [2025-03-14 02:16:10 TP0] MLA optimization is turned on. Use flashinfer mla backend.
    #@ 0.4.4.post4..0.4.9.post2
    [2025-04-14 02:16:10 TP0] Attention backend not set. Use fa3 backend by default.
    #@ 0.4.9.post3..0.5.6.post2
    [2025-08-14 02:16:10 TP0] Attention backend not explicitly specified. Use fa3 backend by default.
    #@ 0.5.7..0.5.23
    [2026-01-14 05:25:33] INFO server_args.py:1565: Attention backend not specified. Use fa3 backend by default.
    #@ 0.4.9.post5..0.5.23
    [2026-01-14 02:16:10 TP0] Using hybrid attention backend for decode and prefill: decode_backend=fa3, prefill_backend=flashinfer.
    #@ 0.5.1..0.5.3
    [2025-09-14 02:16:10 TP0] Use triton as attention backend for GptOssForCausalLM
    #@ 0.5.4..0.5.23
    [2026-01-14 02:16:10] Using trtllm_mha as attention backend for GptOssForCausalLM.
    #@ 0.4.4.post4..0.5.23
    [2026-01-14 02:16:10 TP0] Multimodal attention backend not set. Use fa3.
    [2026-01-14 02:16:10 TP0] Using fa3 as multimodal attention backend.

Meaning
    Before 0.4.4.post4 only the arguments tell. The names are an open set.

Source
    `ModelRunner.model_specific_adjustment`, `ServerArgs`, `layers/attention/vision.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"MLA optimization is tunred on\. Use (?P<backend>.+?) backend\. *",
            ("MLA optimization is tunred on.",),
            since="0.3.1",
            until="0.3.3",
        ),
        Shape(
            r"MLA optimization is turned on\. Use (?P<backend>.+?) backend\. *",
            ("MLA optimization is turned on.",),
            since="0.3.3.post1",
            until="0.5.4",
        ),
        Shape(
            r"Attention backend not set\. Use (?P<backend>\S+) backend by default\. *",
            ("Attention backend not set.",),
            since="0.4.4.post4",
            until="0.4.9.post2",
        ),
        Shape(
            r"Attention backend not explicitly specified\. Use (?P<backend>\S+) backend by default\. *",
            ("Attention backend not explicitly",),
            since="0.4.9.post3",
            until="0.5.6.post2",
        ),
        Shape(
            r"Attention backend not specified\. Use (?P<backend>\S+) backend by default\. *",
            ("Attention backend not specified.",),
            since="0.5.4",
        ),
        Shape(
            r"Using hybrid attention backend for decode and prefill: decode_backend=(?P<decode_backend>[^,\s]+),"
            r" prefill_backend=(?P<prefill_backend>[^,\s]+?)\.(?: .*)?",
            ("Using hybrid attention backend",),
            since="0.4.9.post5",
        ),
        Shape(
            r"Use (?P<backend>\S+) as attention backend for (?P<architecture>\w+) *",
            ("Use ",),
            contains=" as attention backend for ",
            since="0.5.1",
            until="0.5.3",
        ),
        Shape(
            r"Using (?P<backend>\S+) as attention backend for (?P<architecture>\w+)\. *",
            ("Using ",),
            contains=" as attention backend for ",
            since="0.5.4",
        ),
        Shape(
            r"Multimodal attention backend not set\. Use (?P<vision_backend>\S+?)\. *",
            ("Multimodal attention backend",),
        ),
        Shape(r"Using (?P<vision_backend>\S+) as multimodal attention backend\. *", ("Using ",)),
    ),
    columns=(
        Column("backend", "text", "For prefill and decode."),
        Column("decode_backend", "text", "For decode, where they differ."),
        Column("prefill_backend", "text", "For prefill, where they differ."),
        Column("vision_backend", "text", "For the image encoder."),
        Column("architecture", "text", "Class of the model."),
    ),
    informs=True,
)
