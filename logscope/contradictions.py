"""What keeps two parts from being one launch, and what makes them nodes of one.

Source: SGLang `server_args.py` (`nnodes`, `node_rank`, `dist_init_addr`, `dist_timeout`); torch
`init_process_group` waits 10 minutes for all ranks of NCCL unless told otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from logscope.launch import rank_order
from logscope.parts import Part
from logscope.tracks import rotation

_INIT_TIMEOUT_S = 600.0
_ZONE_S = 900.0  # clocks of hosts in different zones differ by a multiple of this
_MOST_ZONE_S = 14 * 3600.0
_ALIKE = ("tp_size", "pp_size", "dp_size", "nnodes")
_SIZES = {"TP": "tp_size", "PP": "pp_size", "DP": "dp_size"}
_OWN = {  # arguments that each node has for itself
    "node_rank",
    "host",
    "port",
    "nccl_port",
    "random_seed",
    "dist_init_addr",
    "base_gpu_id",
    "gpu_id_step",
    "grpc_port",
    "crash_dump_folder",
    "download_dir",
    "disaggregation_bootstrap_port",
    "file_storage_path",
}


def cannot_be_one(one: Part, other: Part) -> str:
    """Why two parts are of different launches; "" if nothing forbids that they are one."""
    if one.stream == other.stream:
        return "one input starts both, one after the other"
    if one.role != other.role and (one.role or one.arguments) and (other.role or other.arguments):
        return f"another role: {one.role or 'a whole server'} and {other.role or 'a whole server'}"
    if one.arguments and other.arguments:
        found = _arguments_differ(one.arguments, other.arguments)
        if found:
            return found
    shared = sorted(one.ranks & other.ranks, key=rank_order)
    return f"both have a rank {shared[0]}" if shared else ""


def _arguments_differ(one: Any, other: Any) -> str:
    models = [str(arguments.get("model_path", "")).rstrip("/") for arguments in (one, other)]
    if models[0].rpartition("/")[2] != models[1].rpartition("/")[2]:
        return f"another model: {models[0]} and {models[1]}"
    for name in _ALIKE:
        if one.get(name) != other.get(name):
            return f"another {name}: {one.get(name)} and {other.get(name)}"
    if not _nodes(one) > 1:
        return "each is a server of one node"
    if one.get("node_rank") == other.get("node_rank"):
        return f"both are node {one.get('node_rank')}"
    ports = [str(arguments.get("dist_init_addr") or "").rpartition(":")[2] for arguments in (one, other)]
    if all(ports) and ports[0] != ports[1]:
        return f"another dist_init_addr: {one['dist_init_addr']} and {other['dist_init_addr']}"
    return ""


def _nodes(arguments: Any) -> int:
    nodes = arguments.get("nnodes")
    return nodes if isinstance(nodes, int) else 1


def named_nodes(parts: Sequence[Part], part: Part) -> str:
    """That a part is a further node of the server whose other nodes these are, and by what; "" if it is not."""
    known = next((one for one in parts if one.arguments), None)
    if known is None or not part.arguments:
        return ""
    timeout = part.arguments.get("dist_timeout")
    limit = float(timeout) if isinstance(timeout, int | float) and timeout > 0 else _INIT_TIMEOUT_S
    when = _when(started_apart(parts, part), limit, others=_differing(known, part))
    if not when:
        return ""
    address = part.arguments.get("dist_init_addr")
    same = f", dist_init_addr {address}" if address and address == known.arguments.get("dist_init_addr") else ""
    numbers = " and ".join(str(one.arguments.get("node_rank")) for one in (known, part))
    return (
        f"{known.name} and {part.name} are node_rank {numbers} of nnodes {_nodes(part.arguments)} with "
        f"{_differing(known, part) or 'the same arguments'}{same}; {when}"
    )


def _when(seconds: float, limit: float, *, others: str) -> str:
    if seconds == float("inf"):
        return "they print no time to compare"
    if seconds <= limit:
        return f"they started {seconds:.0f} s apart"
    zones = round(seconds / _ZONE_S) * _ZONE_S
    if not others and zones <= _MOST_ZONE_S and abs(seconds - zones) <= limit / 5 and zones % 1800 == 0:
        return f"they started {seconds:.0f} s apart by clocks of different time zones"
    return ""


def _differing(one: Part, other: Part) -> str:
    names = sorted(set(one.arguments) & set(other.arguments) - _OWN)
    found = [name for name in names if one.arguments[name] != other.arguments[name]]
    return f"the same model and sizes, but another {', '.join(found[:4])}" if found else ""


def started_apart(parts: Iterable[Part], part: Part) -> float:
    """Seconds between the start of a part and the nearest of the others; infinite where a clock is missing."""
    starts = [one.start for one in parts if one.start is not None]
    if part.start is None:
        return float("inf")
    return min((abs(part.start - start) for start in starts), default=float("inf"))


def span_of_ranks(parts: Sequence[Part], part: Part) -> bool:
    """Whether the ranks of a part are such as the launch has or, by its arguments, must have."""
    known = {rank for one in parts for rank in one.ranks}
    kinds = [{tuple(re.findall(r"[A-Z_]+", rank)) for rank in ranks} for ranks in (known, part.ranks)]
    if known and kinds[0] != kinds[1]:
        return False
    arguments = next((one.arguments for one in parts if one.arguments), {})
    for rank in part.ranks if arguments else ():
        for kind, number in re.findall(r"([A-Z_]+)(\d+)", rank):
            size = arguments.get(_SIZES.get(kind, ""), None)
            if isinstance(size, int) and int(number) >= size:
                return False
    return True


def _started_again(parts: Sequence[Part], others: Sequence[Part]) -> str:
    """That one launch began behind the other's end, in pieces of one log or with the arguments of the same node."""
    for one in parts:
        for other in others:
            early, late = sorted((one, other), key=lambda part: part.start or 0.0)
            if early.end is None or late.start is None or not _same_log(early, late):
                continue
            if late.start >= early.end:
                return f"a later start: {late.name} begins {late.start - early.end:.0f} s after {early.name} ends"
    return ""


def _same_log(early: Part, late: Part) -> bool:
    if rotation(early.path)[0] == rotation(late.path)[0]:
        return True
    own = _OWN - {"node_rank", "host", "port"}
    names = (set(early.arguments) & set(late.arguments)) - own
    return bool(names) and all(early.arguments[name] == late.arguments[name] for name in names)


def apart(parts: Sequence[Part], others: Sequence[Part]) -> str:
    """Why two launches are two."""
    again = _started_again(parts, others)
    if again:
        return again
    for one in parts:
        for other in others:
            found = cannot_be_one(one, other)
            if found:
                return found
    alike = next((one.fits for one in (*parts, *others) if len(one.fits) > 1), ())
    if alike:
        return f"one fits several launches alike: those of {', '.join(alike)}"
    seconds = min(started_apart(parts, other) for other in others)
    if seconds != float("inf"):
        return f"they started {seconds:.0f} s apart, and neither arguments nor ranks tie them"
    return "neither arguments nor ranks nor times tie them"
