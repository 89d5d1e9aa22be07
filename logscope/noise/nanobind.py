r"""Leak report of nanobind at the end of a process.

Why
    Every process that ends with such a binding loaded prints it, healthy or not; it says nothing of the server.

Sample
    nanobind: leaked 12 instances!
    nanobind: leaked 24 types!
     - leaked type "triton._C.libtriton.ir.location"
     - leaked function "get_flat_symbol_ref_attr"
     - leaked instance 0x7f0b2c0a1b20 of type "triton._C.libtriton.ir.context"
     - ... skipped remainder
    nanobind: this is likely caused by a reference counting issue in the binding code.
    See https://nanobind.readthedocs.io/en/latest/refleaks.html
"""

from __future__ import annotations

from logscope.family import Noise

_PROGRAM = "nanobind"
_REASON = "a report of the binding library at the end of every process"

NOISE = (
    Noise(
        _PROGRAM,
        _REASON,
        r"nanobind: (?:leaked \d+ (?:instances|types|functions|keep_alive records)!|this is likely caused by a reference counting issue.*)\s*$",
        starts=("nanobind: ",),
        continues=True,
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r" - (?:leaked (?:type|function|instance|keep_alive)\b.*|\.\.\. skipped remainder)\s*$",
        starts=(
            " - leaked ",
            " - ... skipped",
        ),
    ),
    Noise(
        _PROGRAM,
        _REASON,
        r"See https://nanobind\.readthedocs\.io\S*\s*$",
        starts=("See https://nanobind",),
    ),
)
