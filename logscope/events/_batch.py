"""Columns that decode and prefill lines share."""

from __future__ import annotations

from logscope.family import Column

WAITING_IMAGES = Column(
    "waiting_image_requests",
    "int",
    "Language-only server: requests that wait for an encoder.",
    "requests",
    ("waiting-image-req",),
    since="0.5.9",
)
END = (
    Column(
        "forward_occupancy_percent",
        "float",
        "Share of the time in which the device ran a forward; `nan` before the first window.",
        "%",
        ("fwd occupancy",),
        since="0.5.11",
    ),
    Column(
        "forward_idle_occupancy_percent",
        "float",
        "The same with idle batches.",
        "%",
        ("fwd+idle occupancy",),
        since="0.5.21",
    ),
    Column("iteration", "int", "Forward counter; always printed in 0.5.4, opt-in later.", since="0.5.4"),
    Column(
        "printed_timestamp",
        "text",
        "ISO time, local.",
        keys=("timestamp",),
        since="0.4.9.post1",
        until="0.4.9.post2",
    ),
)
