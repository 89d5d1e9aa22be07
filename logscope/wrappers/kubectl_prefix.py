r"""`kubectl logs --prefix` (also of a LeaderWorkerSet) and kubetail: pod and container in brackets.

Sample:

    [pod/sglang-0-1/worker] [2026-01-12 02:47:08 TP8] Load weight begin. → [2026-01-12 02:47:08 TP8] Load weight begin.
    [pod/sglang-0/leader]   File "/srv/scheduler.py", line 12, in run →   File "/srv/scheduler.py", line 12, in run
    [sglang-7d9f-x2k7q leader] [2026-01-12 02:47:08] a → [2026-01-12 02:47:08] a
    [transformers] Token indices sequence length is longer than 4096 → [transformers] Token indices sequence length is longer than 4096
"""

from __future__ import annotations

from collections.abc import Sequence

from logscope.source import Block
from logscope.wrappers import Detection
from logscope.wrappers._prefix import Prefix, doubtful, plain

NAME = "kubectl_prefix"

_POD = Prefix(r"\[pod/(?P<label>[^\]\s]+)\](?: |$)")
# A pod's name holds a hyphen, a letter and a digit; a bracketed tag of a library does not.
_NAME = r"(?=[a-z0-9.-]*-)(?=[a-z0-9.-]*\d)(?=[a-z0-9.-]*[a-z])[a-z0-9][a-z0-9.-]*"
_BOTH = Prefix(rf"\[(?:pod/)?(?P<label>(?<=pod/)[^\]\s]+|{_NAME}(?: [a-z0-9][a-z0-9.-]*)?)\](?: |$)")


def detect(lines: Sequence[str]) -> Detection | None:
    """By `[pod/` on any line, or by a pod's name in brackets on most."""
    return plain(_POD.hits(lines), "[pod/…]") or doubtful(_BOTH.hits(lines), "a pod's name in brackets")


def unwrap(block: Block) -> Block:
    """The block without the brackets; pod and container are the label."""
    return _BOTH.unwrap(block)
