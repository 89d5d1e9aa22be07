"""The attention workspace after the pool could not be had.

What it is
    Buffers of the attention backend: allocated after the pool, or of a fixed size that a batch outgrows.

How to tell
    An allocator's sentence between `Memory pool end` and the first capture; or the aligned allocator's, which names a
    buffer and bytes only: that is a fixed workspace, not the device.

Not to be taken for
    `graph_capture_failed_memory`: a capture had begun. `forward_out_of_memory`: a sentence with device sizes while serving.

What to do
    After the pool: lower the fraction. A fixed workspace: enlarge it by its own setting, or run fewer requests; the
    fraction does nothing.

Source
    FlashInfer `allocator.h` (AlignedAllocator); `layers/attention/flashinfer_backend.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from logscope.case import Case
from logscope.causes._ceiling import IN_STAGING
from logscope.facts import allocator
from logscope.finding import Action, Hypothesis, Way
from logscope.launch import Row
from logscope.proof import asked, chain

WAY: Way = "lower"
TITLE = "The attention workspace could not be had"


def hypotheses(case: Case) -> Iterator[Hypothesis]:
    """The root failure is a fixed workspace, or the device's allocator right after the pool."""
    root = case.root
    if root is None:
        return
    row = allocator.sentence(root)
    fixed = _fixed(row)
    if not fixed and root.phase != "workspace":
        return
    size = [f"{int(q.value * 2**30):,} bytes" for q in allocator.sizes(row, "requested")]
    if fixed:
        sentence = f"A fixed workspace overflowed: {row.get('what', 'a buffer')} needed {size[0] if size else 'more'}, and that buffer's size is a setting of its own, not device memory."
    else:
        sentence = f"The device ran out of memory for the attention workspace{_asked(row)}, right after the pool had taken its share."
    yield Hypothesis(
        cause="workspace_failed",
        weight=0.94 if fixed else 0.91,
        sentence=sentence,
        evidence=(root.decisive,),
        confidence="certain",
        fraction="leave" if fixed else WAY,
        chain=chain(case, root, "the workspace cannot be had"),
        ruled_out=(("forward_out_of_memory", "the sentence names a buffer and no device"),) if fixed else (),
        actions=(
            Action(
                do="Enlarge the workspace of the attention backend (its own environment variable), or lower the chunk or the running requests."
                if fixed
                else "Lower --mem-fraction-static by what the workspace needs.",
                why="The buffer's size does not depend on the fraction."
                if fixed
                else "The workspace lives outside the static budget.",
                verify="The same load passes this point."
                if fixed
                else f"The same load passes this point. {IN_STAGING}",
                set=None if fixed else {"flag": "--mem-fraction-static"},
            ),
        ),
        at=root.decisive,
    )


def _asked(row: Row) -> str:
    """` (0.50 GiB asked for, 0.42 GiB free)`, as far as the sentence tells."""
    told = asked(row)
    return f" ({told})" if told else ""


def _fixed(row: Row) -> bool:
    """Bytes of a named buffer from an allocator of its own: no device, no total, nothing free."""
    own = "aligned" in f"{row.get('backend', '')} {row.get('function', '')}".lower()
    return own and row.get("total") is None and row.get("free") is None
