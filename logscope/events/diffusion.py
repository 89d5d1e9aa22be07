r"""Messages of a diffusion server (`multimodal_gen`), with their level and their values.

Sample
    #@ 0.5.5..0.5.23
    [12-27 11:24:23] Sage Attention backend failed to import. Falling back to Flash Attention.

Meaning
    `level` is that of the call. Values are numbered from left to right. The prefix has no year.

Source
    Every call of a logger in `multimodal_gen/` from 0.5.5 on.
"""

from __future__ import annotations

from logscope.events import _templates
from logscope.family import Family

FAMILY = Family(shapes=_templates.Texts(below="multimodal_gen/"), columns=_templates.COLUMNS, last=True)
