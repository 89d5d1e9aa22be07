r"""LoRA adapters that come and go, with the memory that is free around it.

Sample
    #@ 0.4.9..0.5.23
    [2026-01-12 02:47:08 TP0] LoRA adapter loading starts: lora_id=1, lora_name=a. avail mem=12.30 GB
    [2026-01-12 02:47:08 TP0] LoRA adapter loading completes: lora_id=1, lora_name=a. avail mem=12.10 GB
    [2026-01-12 02:47:08 TP0] LoRA adapter unloading starts: lora_id=1, lora_name=a. avail mem=12.10 GB
    [2026-01-12 02:47:08 TP0] LoRA adapter unloading completes: lora_id=1, lora_name=a. avail mem=12.30 GB
    Loaded adapters: dict_keys(['a', 'b']).

Meaning
    Adapters are kept on the host and copied into a fixed buffer on the device: the free memory should hardly move.

Source
    `ModelRunner.load_lora_adapter`, `lora/lora_manager.py`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"LoRA adapter (?P<action>loading|unloading) (?P<kind>starts|completes): (?P<adapter>.*)\."
            r" avail mem=(?P<avail_mem_gib>[-\d.]*\d) GB *",
            ("LoRA adapter ",),
            since="0.4.9",
        ),
        Shape(
            r"^Loaded adapters: (?P<adapter>\S.*)\.\s*$",
            ("Loaded adapters: ",),
            since="0.4.9",
            scope="line",
            sets={"kind": "known"},
        ),
    ),
    columns=(
        Column("action", "text", "loading or unloading."),
        Column("kind", "text", "starts or completes; known: the list below a request for another one."),
        Column("adapter", "text", "Name and path, as printed."),
        Column("avail_mem_gib", "float", "Free memory at this line.", "GiB"),
    ),
    process="scheduler",
)
