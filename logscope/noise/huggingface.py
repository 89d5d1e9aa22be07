r"""Notices of the Hugging Face hub client and of its tokenizers.

Why
    How files are fetched, and that a tokenizer switches its threads off after a fork.

Sample
    Xet Storage is enabled for this repo, but the 'hf_xet' package is not installed. Falling back to regular HTTP download.
    huggingface/tokenizers: The current process just got forked, after parallelism has already been used. Disabling parallelism to avoid deadlocks...
    To disable this warning, you can either:
        - Avoid using `tokenizers` before the fork if possible
        - Explicitly set the environment variable TOKENIZERS_PARALLELISM=(true | false)
    Warning: You are sending unauthenticated requests to the HF Hub. Please set a HF_TOKEN to enable higher rate limits and faster downloads.
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "huggingface"
_REASON = "how files are fetched; threads of a tokenizer"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"Xet Storage is enabled for this repo, but the .hf_xet. package is not installed\..*$",
        starts=("Xet Storage is enabled",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"huggingface/tokenizers: The current process just got forked.*$",
        starts=("huggingface/tokenizers: ",),
        continues=True,
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"To disable this warning, you can either:\s*$",
        starts=("To disable this warning, you can",),
        continues=True,
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"\s*- (?:Avoid using `tokenizers` before the fork|Explicitly set the environment variable TOKENIZERS_PARALLELISM).*$",
        starts=(
            "\t- Avoid",
            "\t- Explicitly",
            "    - Avoid",
            "    - Explicitly",
            "- Avoid using `tok",
            "- Explicitly set",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"Warning: You are sending unauthenticated requests to the HF Hub\..*$",
        starts=("Warning: You are sending",),
    ),
)
