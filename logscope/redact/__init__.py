"""What identifies people and machines taken out of text: always-on masking, and pseudonyms on request."""

from __future__ import annotations

from logscope.redact.mask import mask_arguments, mask_line

__all__ = ["mask_arguments", "mask_line"]
