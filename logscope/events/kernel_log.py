r"""Other lines of the operating system's kernel: one row a line.

Sample
    #@ 0.1.15..0.5.23
    [  913.498120] Node 0 Normal: free:61488kB unevictable:64413100kB
    [  913.400001] CPU: 12 PID: 573170 Comm: sglang::schedul Tainted: P           OE     5.15.0-91-generic
    [ 8123.456789] nvidia-modeset: WARNING: GPU:0: Lost display notification

Meaning
    Context of what the kernel did: memory of nodes, the table of processes, driver messages. The number is seconds
    since the machine started.

Source
    Linux `printk`; `dmesg`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"\[ *(?P<uptime_s>\d+\.\d{6})\] (?P<text>(?!\[\S+\] |\[\S+ ?:|.*(?:oom-kill:|invoked oom-killer|oom_reaper: reaped|Kill(?:ed)? process|NVRM: Xid)).*)",
            ("[ ", "[1", "[2", "[3", "[4", "[5", "[6", "[7", "[8", "[9"),
        ),
    ),
    columns=(
        Column("uptime_s", "float", "Since the machine started.", "s", decimals=6),
        Column("text", "text", "The message."),
    ),
    shared=True,
)
