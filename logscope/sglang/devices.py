"""Where a release reads a device's capacity and its free memory from, and what each of them cannot see.

Source: `utils.py`, from 0.5.3 on `utils/common.py`: `get_device_memory_capacity`, `get_available_gpu_memory`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from logscope.quantity import Interval
from logscope.sglang.inputs import Device
from logscope.sglang.releases import order

FIRST_CAPACITY: dict[Device, str] = {
    "cuda": "0.3.5.post2",
    "hip": "0.3.6",
    "hpu": "0.4.0.post1",
    "npu": "0.4.8",
    "cpu": "0.5.3",
    "xpu": "0.5.6",
    "musa": "0.5.9",
    "mps": "0.5.22",
}

MIB = {  # what nvidia-smi and its equivalents print as total, MiB; a driver may differ by a few hundred
    "Tesla T4": 15360,
    "RTX 4080": 16376,
    "A10": 23028,
    "A10G": 23028,
    "L4": 23034,
    "RTX 3090": 24576,
    "RTX 4090": 24564,
    "RTX 5090": 32607,
    "V100-SXM2-32GB": 32768,
    "A100-SXM4-40GB": 40960,
    "L20": 46068,
    "L40S": 46068,
    "A6000": 49140,
    "RTX 6000 Ada": 49140,
    "A100-SXM4-80GB": 81920,
    "A800-SXM4-80GB": 81920,
    "H100-SXM5-80GB": 81559,
    "H800": 81559,
    "RTX PRO 6000 Blackwell": 97887,
    "H20": 97871,
    "GH200 96GB": 97871,
    "GB10": 122570,
    "H200": 143771,
    "H20-3e": 143771,
    "B200": 183359,
    "GB200": 189471,
    "MI300X": 196592,
    "MI325X": 262128,
}


def reads_capacity(device: Device, release: str) -> bool:
    """Whether a release can read the capacity of a device at all; where it cannot, fallback defaults hold."""
    return order(release) >= order(FIRST_CAPACITY[device])


@dataclass(frozen=True, slots=True)
class FreeMemory:
    """What "avail mem" means on a device: whose memory is counted, and what the reading cannot see.

    `counts`: "card" – everything that anybody holds on the device; "machine" – the host's available memory, page cache
    and other programs included; "process" – the card less what this process allocated.
    """

    counts: Literal["card", "machine", "process"]
    blind_to: str = ""


CARD = FreeMemory("card", "what others take later: it is one instant")
INTEGRATED = FreeMemory("machine", "limits of a container: device allocations are not charged to it")
INTEGRATED_AS_CARD = FreeMemory("card", "page cache that would be given back: reading the checkpoint looks like use")
OWN_ALLOCATIONS = FreeMemory("process", "every other process on the card")
HOST = FreeMemory("machine", "the limit of a container: the pool may exceed it")
CONTAINER = FreeMemory("machine")


def free_memory(device: Device, release: str, *, integrated: bool = False) -> FreeMemory:
    """How a release reads free memory; `integrated` is for GPUs that share the host's memory."""
    place = order(release)
    if device in ("cuda", "hip") and integrated:
        return INTEGRATED if place >= order("0.5.4") else INTEGRATED_AS_CARD
    if device == "xpu":
        return CARD if order("0.5.15") <= place < order("0.5.17") else OWN_ALLOCATIONS
    if device == "cpu":
        return CONTAINER if place >= order("0.5.23") else HOST
    if device == "mps":
        return FreeMemory("machine", "what the device driver holds" if place < order("0.5.22") else "")
    shares_host = device == "musa" and integrated and place >= order("0.5.22")
    return INTEGRATED if shares_host else CARD


def known(span: Interval, tolerance_mib: float = 600) -> list[str]:
    """The devices whose capacity lies in an interval (MiB), give or take what drivers differ by."""
    return [name for name, capacity in MIB.items() if capacity in span.widened(tolerance_mib)]
