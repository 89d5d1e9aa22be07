r"""Lines of NCCL and RCCL themselves: one row a line.

Sample
    #@ 0.1.15..0.5.23
    node-1:603:603 [1] NCCL INFO Channel 13/0 : 1[1] -> 2[2] via P2P/IPC
    node-1:603:603 [1] NCCL INFO Connected all rings, use ring PXN 0 GDR 1
    [2025-03-01 10:00:01] node-1:603:1044 [1] misc/socket.cc:484 NCCL WARN socketProgress: Connection closed by remote peer 10.0.0.2<41222>
    node-1:603:1044 [3] transport/net_ib.cc:1302 NCCL WARN NET/IB : Got completion from peer 10.0.0.2<41222> with status=12 opcode=0 len=0 vendor err 129
    NCCL version 2.27.5+cuda12.9
    RCCL version : 2.22.3-HEAD:cab1b1d

Meaning
    INFO is printed with `NCCL_DEBUG=INFO` only. A line that ends with `Init COMPLETE` closes the building of a
    communicator; `Connected all rings` without it is a rank that still waits. `device` counts inside the process.

Source
    NCCL `src/debug.cc:ncclDebugLog`; format `host:pid:thread [device] LEVEL text`, from 2.19 a file before `NCCL WARN`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?P<host>[^\s:]+):(?P<process_id>\d+):(?P<thread_id>\d+) \[(?P<device>\d+)\] (?:(?P<source>\S+:\d+) )?"
            r"NCCL (?P<level>INFO|WARN|ERROR|TRACE|ABORT|VERSION|CALL) (?P<text>.*)",
            contains="] NCCL ",
        ),
        Shape(
            r"(?P<host>[^\s:]+):(?P<process_id>\d+):(?P<thread_id>\d+) \[(?P<device>\d+)\] (?P<source>\S+:\d+) "
            r"NCCL (?P<level>INFO|WARN|ERROR|TRACE|ABORT|VERSION|CALL) (?P<text>.*)",
            contains=" NCCL WARN ",
        ),
        Shape(
            r"(?P<level>NCCL|RCCL|HCCL|MCCL) version ?:? ?(?P<version>\S+)",
            ("NCCL version", "RCCL version", "HCCL version", "MCCL version"),
        ),
    ),
    columns=(
        Column("host", "text", "Host name."),
        Column("process_id", "int", "Process number."),
        Column("thread_id", "int", "Thread number."),
        Column("device", "int", "Index of the device inside the process."),
        Column("source", "text", "File and line of a warning."),
        Column("level", "text", "INFO, WARN, …; the library for a version line."),
        Column("version", "text", "Version of the library."),
        Column("text", "text", "The message."),
    ),
    shared=True,
)
