r"""Weights: what was free before and after a model was loaded, one row a line, rank and model.

Sample
    #@ 0.1.15..0.1.16
    Rank 0: load weight begin.
    Rank 0: load weight end.
    #@ 0.1.17..0.1.17
    [rank=0] Load weight begin.
    [rank=0] Load weight end. Type=LlamaForCausalLM. Avail mem=63.61 GB
    #@ 0.1.17..0.2.6
    [gpu_id=0] Load weight begin. avail mem=78.58 GB
    [gpu_id=0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.61 GB
    #@ 0.2.14..0.4.3.post2
    [2025-02-01 09:06:10 TP0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.61 GB
    #@ 0.2.14..0.5.23
    [2025-10-16 09:06:10 TP0] Load weight begin. avail mem=137.34 GB
    #@ 0.4.3.post3..0.5.8.post1
    [2025-07-28 11:04:15 TP0] Load weight end. type=LlamaForCausalLMEagle3, dtype=torch.bfloat16, avail mem=6.31 GB, mem usage=1.49 GB.
    #@ 0.5.9..0.5.9
    [2026-02-28 11:04:15 TP0] Load weight end. elapsed=41.20 s, type=DeepseekV3ForCausalLM, dtype=torch.bfloat16, avail mem=55.31 GB, mem usage=82.01 GB.
    #@ 0.5.10..0.5.23
    [2026-09-28 11:04:15 TP0] Load weight end. elapsed=41.20 s, type=DeepseekV3ForCausalLM, quant=fp8, fmt=e4m3, avail mem=55.31 GB, mem usage=82.01 GB.
    #@ 0.5.18..0.5.23
    [2026-10-28 11:04:15 TP0] Load weight end. Committed real weights after CUDA graph capture in 1.20 s (capture overlap window 20.10 s, startup overlap total 21.30 s)

Meaning
    `avail mem` is free device memory of the rank after `empty_cache()`, of all processes on that device (CPU, MLX:
    free system memory). `mem usage` is the difference of the two lines and holds whatever else was allocated in
    between; it can be 0.00 or negative when ranks share a device. A draft model prints a second pair under its own
    type; which of the two a `begin` line belongs to is not printed.

Source
    `ModelRunner.load_model` (`managers/router/…`, `managers/controller/model_runner.py`,
    `model_executor/model_runner.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Load weight (?P<kind>begin)\. (?P<fields>avail mem=.*)",
            ("Load weight begin.",),
            since="0.1.17",
            separator="=",
        ),
        Shape(
            r"Load weight (?P<kind>end)\. (?P<fields>elapsed=.* s, type=\w+, dtype=.*)",
            ("Load weight end. elapsed=",),
            since="0.5.9",
            until="0.5.9",
            separator="=",
        ),
        Shape(
            r"Load weight (?P<kind>end)\. (?P<fields>elapsed=.*)",
            ("Load weight end. elapsed=",),
            since="0.5.9",
            separator="=",
        ),
        Shape(
            r"Load weight (?P<kind>end)\. (?P<fields>type=.*, mem usage=.*)",
            ("Load weight end. type=",),
            since="0.4.3.post3",
            until="0.5.8.post1",
            separator="=",
        ),
        Shape(
            r"Load weight (?P<kind>end)\. (?P<fields>type=.*)",
            ("Load weight end. type=",),
            since="0.1.17",
            until="0.4.3.post2",
            separator="=",
        ),
        Shape(
            r"Load weight end\. Committed real weights after CUDA graph capture in (?P<elapsed_s>[\d.]+) s"
            r" \(capture overlap window (?P<capture_overlap_s>[\d.]+) s,"
            r" startup overlap total (?P<startup_overlap_s>[\d.]+) s\) *",
            ("Load weight end. Committed",),
            since="0.5.18",
            sets={"kind": "commit"},
        ),
        Shape(
            r"\[rank=(?P<printed_rank>\d+)\] Load weight (?P<kind>begin|end)\."
            r"(?: Type=(?P<architecture>\w+)\. Avail mem=(?P<avail_mem_gib>[-\d.]+) GB)? *",
            ("[rank=",),
            contains="] Load weight ",
            since="0.1.17",
            until="0.1.17",
        ),
        Shape(
            r"Rank (?P<printed_rank>\d+): load weight (?P<kind>begin|end)\. *",
            ("Rank ",),
            contains=": load weight ",
            since="0.1.15",
            until="0.1.16",
        ),
    ),
    columns=(
        Column("kind", "text", "begin, end, or commit (overlapped loading)."),
        Column("avail_mem_gib", "float", "Free memory at this line.", "GiB", ("avail mem",)),
        Column("mem_usage_gib", "float", "Free before − free after.", "GiB", ("mem usage",), since="0.4.3.post3"),
        Column("elapsed_s", "float", "Time the load took.", "s", ("elapsed",), since="0.5.9"),
        Column("architecture", "text", "Class of the model.", keys=("type",)),
        Column("dtype", "text", "Type of the activations.", keys=("dtype",), until="0.5.9"),
        Column("quantization", "text", "Quantization method.", keys=("quant",), since="0.5.10"),
        Column("quantization_bits", "int", "Bits of a weight.", "bits", ("bits",), since="0.5.10"),
        Column(
            "quantization_algorithm", "text", "Algorithm named by the checkpoint.", keys=("quant_algo",), since="0.5.10"
        ),
        Column("quantization_format", "text", "Number format.", keys=("fmt",), since="0.5.10"),
        Column("capture_overlap_s", "float", "Overlapped loading: window of the capture.", "s", since="0.5.18"),
        Column("startup_overlap_s", "float", "Overlapped loading: total.", "s", since="0.5.18"),
        Column("printed_rank", "int", "Rank named in the message.", until="0.1.17"),
    ),
    process="scheduler",
    open_keys=True,
    informs=True,
)
