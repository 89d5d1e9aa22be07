r"""Messages of SGLang over several lines that have no table of their own.

Sample
    #@ 0.4.6.post5..0.5.23
    [2026-01-12 02:47:08] Sorted by CUDA Time:
    aten::mm  12.1 ms

Meaning
    One row a record; the lines that follow belong to it.

Source
    As for the table notice.
"""

from __future__ import annotations

from logscope.events import _templates
from logscope.family import Family

FAMILY = Family(shapes=_templates.Texts(multiline=True), columns=_templates.COLUMNS, last=True, multiline=True)
