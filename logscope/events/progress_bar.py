r"""Progress bars of other programs: one row a frame.

Sample
    #@ 0.1.15..0.5.23
    Fetching 12 files: 100%|██████████| 12/12 [00:30<00:00,  2.51s/it]
      2%|▏         | 1/64 [00:04<04:51,  4.62s/it]
    Processing batches: 2it [00:00,  4.69it/s]
    model-00001-of-00004.safetensors:  41%|████      | 2.01G/4.92G [00:10<00:14, 201MB/s]

Meaning
    A frame without a description may be a bar of the server's whose description came later. `elapsed` and `remaining`
    are texts as printed.

Source
    tqdm `std.py:format_meter`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_OWN = r"(?=.{0,1000}$)(?!\s*(?:Loading [\w ]*(?:shards|Streamer|loader|InstantTensor|safetensors)|Multi-thread loading|Capturing|\[BCG\]|DeepGEMM|Warmup|.*[Ww]arm ?up))"

FAMILY = Family(
    shapes=(
        Shape(
            _OWN
            + r" {0,200}(?:(?P<description>\S.{0,300}?):? {1,40})?(?P<percent>\d+)%\|[^|]*\|? *(?:(?P<done>[\d.]+[kMGTP]?)/(?P<total>[\d.?]+[kMGTP]?)(?: \[(?P<elapsed>[\d:]+)<(?P<remaining>[^,\]]*)(?:, *(?P<rate>[^,\]]*))?(?P<postfix>[^\]]*)\]?)?)?\s*",
            contains="%|",
        ),
        Shape(
            _OWN
            + r" {0,200}(?:(?P<description>\S.{0,300}?): {1,40})?(?P<done>\d+)it \[(?P<elapsed>[\d:]+), *(?P<rate>[^,\]]*)(?P<postfix>[^\]]*)\]\s*",
            contains="it [",
        ),
    ),
    columns=(
        Column("description", "text", "What the bar counts."),
        Column("percent", "int", "Share that is done.", "%"),
        Column("done", "text", "Count, with a suffix for bytes."),
        Column("total", "text", "Total, with a suffix for bytes."),
        Column("elapsed", "text", "Time so far, minutes and seconds."),
        Column("remaining", "text", "Time left, as tqdm guesses."),
        Column("rate", "text", "Rate with its unit."),
        Column("postfix", "text", "What the program adds."),
    ),
    shared=True,
)
