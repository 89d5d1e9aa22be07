r"""Notices of Hugging Face transformers.

Why
    Deprecations and hints about tokenizers and configurations that any model may bring up; a prompt that is too
    long is a table of its own.

Sample
    `torch_dtype` is deprecated! Use `dtype` instead!
    [transformers] `torch_dtype` is deprecated! Use `dtype` instead!
    Special tokens have been added in the vocabulary, make sure the associated word embeddings are fine-tuned or trained.
    Unrecognized keys in `rope_scaling` for 'rope_type'='yarn': {'original'}
    Using a slow image processor as `use_fast` is unset and a slow processor was saved with this model.
    The following generation flags are not valid and may be ignored: ['temperature'].
    Setting `pad_token_id` to `eos_token_id`:2 for open-end generation.
    A new version of the following files was downloaded from https://huggingface.co/org/model:
    - configuration_model.py
    . Make sure to double-check they do not contain any added malicious code. To avoid downloading new versions of the code file, you can pin a revision.
    The tokenizer you are loading from 'model' with an incorrect regex pattern: this will lead to incorrect tokenization.
    The module name  (originally ) is not a valid Python identifier. Please rename the original module to avoid import issues.
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "transformers"
_REASON = "deprecations and hints that say nothing of memory or progress"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"(?:\[transformers\] )?`\w+` is deprecated[!.]? .*$",
        starts=(
            "`",
            "[transformers] `",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"(?:\[transformers\] )?Special tokens have been added in the vocabulary, make sure.*$",
        starts=(
            "Special tokens have",
            "[transformers] Special",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"(?:\[transformers\] )?(?:Unrecognized keys in `rope_|Using a slow image processor|The following generation flags are not valid|Setting `pad_token_id` to `eos_token_id`|The tokenizer you are loading from|The module name .* is not a valid Python identifier|Ignored unknown kwarg option|The image processor of type|Some kwargs in processor config are unused).*$",
        starts=(
            "Unrecognized keys in `rope",
            "Using a slow image",
            "The following generation flags",
            "Setting `pad_token_id`",
            "The tokenizer you are",
            "The module name",
            "Ignored unknown kwarg",
            "The image processor of",
            "Some kwargs in processor",
            "[transformers] ",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"(?:\[transformers\] )?A new version of the following files was downloaded from https://huggingface\.co/.*$",
        starts=(
            "A new version of the following",
            "[transformers] A new",
        ),
        continues=True,
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"\. Make sure to double-check they do not contain any added malicious code\..*$",
        starts=(". Make sure to double-check",),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"- (?:configuration|modeling|processing|tokenization|image_processing)_\w+\.py\s*$",
        starts=(
            "- configuration_",
            "- modeling_",
            "- processing_",
            "- tokenization_",
            "- image_processing_",
        ),
    ),
)
