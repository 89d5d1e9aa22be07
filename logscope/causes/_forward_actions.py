"""What to do when a forward pass ran out of memory, by whose memory it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from logscope.case import Case
from logscope.causes._ceiling import IN_STAGING
from logscope.causes._fraction_below import alone_too_little
from logscope.errors import NotChecked
from logscope.facts import batches
from logscope.facts.last_batch import last_batch
from logscope.facts.settings import set_to
from logscope.finding import Action
from logscope.wording import count, floored

_LEAST_CHUNK = 2048


def of_device(case: Case, span: Mapping[str, Any] | None) -> Iterator[Action]:
    """The fraction, then what makes a forward smaller."""
    value = case.launch.arguments.get("mem_fraction_static")
    change: dict[str, Any] = {"flag": "--mem-fraction-static", **({"from": value} if value is not None else {})}
    change |= {k: span[k] for k in ("lo", "hi") if span and k in span}
    if alone_too_little(span):
        do = (
            "Make the forwards smaller (--chunked-prefill-size, --max-running-requests) or give the model more cards "
            "(--tp-size): no --mem-fraction-static above the floor of the weights frees what was missing."
        )
    else:
        aim = f" to at most {floored(span['hi'])}" if span and "hi" in span else ""
        do = f"Lower --mem-fraction-static{aim} and set it explicitly."
    yield Action(
        do=do,
        why="The pool is reserved whether it is used or not; what forwards need must fit into the rest.",
        verify="The next start prints a smaller max_total_num_tokens; free memory stays above zero during the heaviest prefill. "
        f"{IN_STAGING}",
        risk="A smaller pool holds fewer tokens: watch for `Retract requests`.",
        set=change,
    )
    yield from smaller_forwards(case)


def of_host(case: Case, span: Mapping[str, Any] | None) -> Iterator[Action]:
    """The limit of the process first: on a CPU server the machine may have plenty where the process may take none."""
    yield Action(
        do="Find the limit that the scheduler hit and raise it: `ulimit -v`, `cat /proc/PID/limits`, `memory.max` of its "
        "control group, `dmesg -T | grep -i oom`.",
        why="The host's allocator was refused by the operating system: free memory of the machine is not what a process may take.",
        verify="The same prompts pass, and `grep VmSize /proc/PID/status` stays below the limit.",
    )
    yield from smaller_forwards(case)
    yield from (action for action in of_device(case, span) if (action.set or {}).get("flag") == "--mem-fraction-static")


def of_diffusion(_case: Case, _span: Mapping[str, Any] | None) -> Iterator[Action]:
    """A diffusion server has no static pool: offload, or a smaller picture."""
    yield Action(
        do="Lower the resolution, --num-frames or the batch; or offload: --vae-cpu-offload, --dit-layerwise-offload, "
        "--text-encoder-cpu-offload (from 0.5.14 on also --performance-mode memory).",
        why="A diffusion pipeline has no static pool: weights that stay on the device and the activations of one stage share it.",
        verify="The stage that failed finishes, with memory left.",
        risk="Offloaded parts are copied at every step: slower.",
    )


def of_images() -> Iterator[Action]:
    """Pictures that the front end prepares on the device: it shares the card with rank 0 and no budget counts it."""
    yield Action(
        do="Prepare pictures on the CPU: --disable-fast-image-processor; or limit their size and number per request.",
        why="The front end's processor runs on the first card, outside the static budget.",
        verify="The same request passes; nvidia-smi shows no memory of the main process.",
        risk="Preparing pictures takes longer.",
        set={"flag": "--disable-fast-image-processor", "to": True},
    )


def smaller_forwards(case: Case) -> Iterator[Action]:
    """Fewer requests or a smaller chunk, where the log shows that this would change a forward."""
    running = _last(case, "decode_batch", "running_requests")
    fits = [f.data["from_request"] - 1 for f in case.found("MEM106")]
    if running > 1 or fits:
        most = fits[0] if fits else running - 1
        yield Action(
            do=f"Lower --max-running-requests to {most}.",
            why=f"Each running request needs memory outside the pool; {count(running)} ran in the last batch before it.",
            verify=f"`#running-req` stays below {count(most + 1)}.",
            risk="Requests wait in the queue instead.",
            set={"flag": "--max-running-requests", "hi": most},
        )
    chunk = case.launch.arguments.get("chunked_prefill_size")
    largest = _most(case, "prefill_batch", "new_tokens")
    if not isinstance(chunk, int) or chunk <= _LEAST_CHUNK or case.launch.has("mlx_pool"):
        return
    smaller = chunk // 2
    while smaller > _LEAST_CHUNK and ((largest and smaller >= largest) or _exceeds_room(case, smaller / chunk)):
        smaller //= 2
    if largest and smaller >= largest and not set_to(case.launch, "enable_dynamic_chunking"):
        return  # no prefill of this log came near: a smaller chunk would change none of them
    yield Action(
        do=f"Lower --chunked-prefill-size from {chunk} to {smaller}.",
        why="The activations of a prefill grow with its chunk.",
        verify="The largest `#new-token` of a prefill batch shrinks.",
        risk="Long prompts take more steps.",
        set={"flag": "--chunked-prefill-size", "from": chunk, "hi": smaller},
    )


def _exceeds_room(case: Case, share: float) -> bool:
    """Whether even this share of the chunk needs more, as it is counted, than the pools and the graphs left (CAP110)."""
    return any(
        finding.observed is not None
        and finding.computed is not None
        and finding.computed.value * share > finding.observed.value
        for finding in case.found("CAP110")
    )


def _last(case: Case, table: str, column: str) -> int:
    """The value nearest to the failure: what ran an hour before it took no memory from it."""
    failure = case.root or next(iter(case.survived), None)
    try:
        return int(last_batch(case.launch, table, failure).get(column) or 0) if failure is not None else 0
    except NotChecked:
        return 0


def _most(case: Case, table: str, column: str) -> int:
    try:
        values = batches.column(case.launch, table, column)
    except NotChecked:
        return 0
    return int(np.nanmax(values)) if np.isfinite(values).any() else 0
