"""What a diffusion server made: it prints no batches, but a line for each output.

Source: `multimodal_gen/runtime/utils/logging_utils.py` (`log_generation_timer`), from 0.5.5.
"""

from __future__ import annotations

from logscope.launch import Launch, Row

_DONE = "Pixel data generated successfully"
_MANY = 200_000


def generated(launch: Launch) -> list[Row]:
    """The lines of finished outputs: `number_1` is the seconds that one took."""
    if launch.table("diffusion").num_rows > _MANY:
        return []
    return [row for row in launch.rows("diffusion") if str(row.get("template", "")).startswith(_DONE)]
