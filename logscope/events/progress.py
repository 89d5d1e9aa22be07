r"""Progress bars: which step of how many, one row a frame.

Sample
    #@ 0.1.15..0.5.23
    Loading safetensors checkpoint shards:  25% Completed | 1/4 [00:00<00:01,  2.04it/s]
    Multi-thread loading shards:   0% Completed | 0/1 [00:00<?, ?it/s]
    ␍Loading pt checkpoint shards: 100% Completed | 4/4 [00:02<00:00,  1.85it/s]
    #@ 0.4.4.post1..0.4.8
    Capturing batches (avail_mem=5.77 GB): 100%|██████████| 8/8 [00:07<00:00,  1.09it/s]
    #@ 0.4.8.post1..0.5.23
    ␍Capturing batches (bs=1 avail_mem=5.77 GB): 100%|██████████| 8/8 [00:07<00:00,  1.09it/s]
    #@ 0.5.3.post2..0.5.20
    Capturing num tokens (num_tokens=8 avail_mem=5.77 GB):  50%|█████     | 4/8 [00:07<00:07,  1.09s/it]
    #@ 0.5.21..0.5.23
    Capturing prefill shape (num_tokens=8 avail_mem=5.77 GB):  50%|#####     | 4/8 [00:07<00:07,  1.09s/it]
    #@ frames that lost their carriage returns
    Capturing batches (bs=2 avail_mem=5.78 GB):  50%|█████     | 1/2 [00:07<00:07,  1.09s/it]Capturing batches (bs=1 avail_mem=5.77 GB): 100%|██████████| 2/2 [00:07<00:00,  1.09it/s]
    #@ 0.5.2..0.5.23
    DeepGEMM warmup:   1%|          | 128/16384 [00:04<08:51, 30.62it/s]

Meaning
    `bs` and `avail_mem` are those of the batch about to be captured (GiB, first rank); sizes come largest first, so the
    last frame before a failure names the size that did not fit. A bar has no final newline. Bars without a
    description (before 0.4.4.post1) are in the table progress_bar.

Source
    `model_loader/weight_utils.py`, `cuda_graph_runner.py`, `utils/common.py` (BAR_FORMAT); tqdm.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

# What the server itself counts; every other bar is in the table progress_bar.
_OWN = (
    r"(?=\s*+(?:Loading [\w ]*(?:shards|Streamer|loader|InstantTensor|safetensors)|Multi-thread loading|Capturing|\[BCG\]"
    r"|DeepGEMM|Warmup|.*[Ww]arm ?up))"
)
_BAR = (
    r"\s{0,20}(?P<percent>\d+)%\|[^|]*\|\s*(?P<step>[\d.]+)[kMG]?/(?P<steps>[\d.]+)[kMG]?i?B?\s*"
    r"\[(?P<elapsed>[\d:]+)<(?P<remaining>[\d:?]+),\s*(?P<rate>[\d.?]+\s?[kMG]?\S*?)(?:, (?P<note>.*?))?\]?\s*"
)

FAMILY = Family(
    shapes=(
        Shape(
            r"\s*(?P<label>.*?):\s*(?P<percent>\d+)% Completed \| (?P<step>\d+)/(?P<steps>\d+)"
            r" \[(?P<elapsed>[\d:]+)<(?P<remaining>[\d:?]+),\s*(?P<rate>[\d.?]+\s?\S*?)\]?\s*",
            contains="% Completed | ",
        ),
        Shape(
            rf"\s*(?P<label>Capturing batches) \(avail_mem=(?P<avail_mem_gib>[\d.]+) GB\):{_BAR}",
            ("Capturing batches (avail_mem=",),
            since="0.4.4.post1",
            until="0.4.8",
        ),
        Shape(
            rf"(?P<label>Capturing batches) \(bs=(?P<batch_size>\d+) avail_mem=(?P<avail_mem_gib>[\d.]+) GB\):{_BAR}",
            ("Capturing batches (bs=",),
            since="0.4.8.post1",
        ),
        Shape(
            rf"(?P<label>Capturing num tokens) \(num_tokens=(?P<tokens>\d+) avail_mem=(?P<avail_mem_gib>[\d.]+) GB\):{_BAR}",
            ("Capturing num tokens (",),
            since="0.5.3.post2",
            until="0.5.20",
        ),
        Shape(
            rf"(?P<label>Capturing prefill shape) \(num_tokens=(?P<tokens>\d+) avail_mem=(?P<avail_mem_gib>[\d.]+) GB\):{_BAR}",
            ("Capturing prefill shape (",),
            since="0.5.21",
        ),
        Shape(
            # Frames that lost the carriage returns between them: the last one counts.
            rf"\s*(?:Capturing|Loading|Multi-thread).*\](?P<label>\w[\w ]*?)(?: \((?:bs=(?P<batch_size>\d+) |num_tokens=(?P<tokens>\d+) )?"
            rf"avail_mem=(?P<avail_mem_gib>[\d.]+) GB\))?:{_BAR}",
            contains="]Capturing",
        ),
        Shape(
            _OWN + r"\s*+(?P<label>[^|]{0,200}?)(?:\s{0,4}\((?:bs=(?P<batch_size>\d+)|num_tokens=(?P<tokens>\d+))?,? ?"
            rf"avail_mem=(?P<avail_mem_gib>[\d.]+) GB\))?:?{_BAR}",
            contains="%|",
        ),
        Shape(
            _OWN
            + r"\s*(?:(?P<label>[^|\[]*?): )?(?P<step>\d+)(?:it|/(?P<steps>\d+)) \[(?P<elapsed>[\d:]+)(?:<(?P<remaining>[\d:?]+))?,"
            r"\s*(?P<rate>[\d.?]+\s?\S*?)\]?\s*",
            contains="it/s]",
        ),
    ),
    columns=(
        Column("label", "text", "What the bar counts."),
        Column("percent", "int", "Share done.", "%"),
        Column("step", "float", "Steps done.", decimals=0),
        Column("steps", "float", "Steps in all.", decimals=0),
        Column("batch_size", "int", "Batch size about to be captured.", "requests", since="0.4.8.post1"),
        Column("tokens", "int", "Token count about to be captured.", "tokens", since="0.5.3.post2"),
        Column("avail_mem_gib", "float", "Free memory at this step.", "GiB", since="0.4.4.post1"),
        Column("elapsed", "text", "Time since the bar began."),
        Column("remaining", "text", "Time that it expects to need."),
        Column("rate", "text", "Steps a second, or seconds a step."),
        Column("note", "text", "What the bar prints behind the rate."),
    ),
    process="scheduler",
    shared=True,
)
