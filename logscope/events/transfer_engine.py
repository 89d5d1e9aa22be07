r"""Lines of the libraries that carry KV between nodes: Mooncake, UCX, NIXL, mori.

Sample
    #@ 0.4.6..0.5.23
    I0427 08:26:31.155643 969928 transfer_engine.cpp:364] [Metrics] Transfer Engine Throughput: 4.44 MB/s (over last 5s)
    E0427 08:26:31.155643 969928 rdma_endpoint.cpp:150] Failed to modify QP to RTR, check mtu, gid, peer lid, peer qp num: Connection timed out [110]
    [1746868696.123456] [gpu-node-1:7004 :0]          tcp_ep.c:1174 UCX  ERROR  sendv(fd=-1) failed: Bad address
    [1746868696.123460] [gpu-node-1]          mpool.c:42   UCX  WARN  object was not returned to mpool
    2025-05-10 09:17:01 NIXL INFO    _api.py:363 Backend UCX was instantiated
    libibverbs: Warning: couldn't load driver 'libbnxt_re-rdmav34.so'
    [mori] src/io/rdma/common.cpp:120: Assertion failed: qp state

Meaning
    Throughput of 0.00 on ranks that should be sending is a transfer that does not run. The glog clock has month and
    day without a year.

Source
    Mooncake `mooncake-transfer-engine` (glog); UCX `ucs/debug/log.c`; NIXL `nixl_logging`; mori.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?P<level>[IWEF])(?P<printed_time>\d{4} \d\d:\d\d:\d\d\.\d+) +(?P<thread_id>\d+) (?P<source>[\w./+-]+\.(?:cc|cpp|h|hpp|cxx|cu)):\d+\] "
            r"(?:\[Metrics\] Transfer Engine Throughput: (?P<throughput_mb_s>\d+(?:\.\d+)?) MB/s[^|]*)?(?P<text>.*)",
            ("I0", "I1", "W0", "W1", "E0", "E1", "F0", "F1"),
            sets={"library": "glog"},
        ),
        Shape(
            r"\[(?P<printed_time>\d+\.\d+)\] \[(?P<host>[^\s:\]]+)(?: *:(?P<process_id>\d+) *(?::\S+)?)?\] +(?P<source>\S+:\d+) +UCX +"
            r"(?P<level>[A-Z]+) +(?P<text>.*)",
            contains=" UCX ",
            sets={"library": "UCX"},
        ),
        Shape(
            r"(?:(?P<printed_time>\d{4}-\d\d-\d\d[ T][\d:.,]+) +)?NIXL +(?P<level>[A-Z]+) +(?P<source>\S+:\d+) +(?P<text>.*)",
            contains="NIXL ",
            sets={"library": "NIXL"},
        ),
        Shape(r"libibverbs: (?P<level>Warning|Error)?:? ?(?P<text>.*)", ("libibverbs: ",), sets={"library": "ibverbs"}),
        Shape(r"\[mori\] ?(?:(?P<source>\S+:\d+):? )?(?P<text>.*)", ("[mori]",), sets={"library": "mori"}),
    ),
    columns=(
        Column("library", "text", "Which library wrote it: glog (Mooncake), UCX, NIXL, mori, ibverbs."),
        Column("level", "text", "Level as printed."),
        Column("printed_time", "text", "Time as printed: month and day, or seconds since 1970."),
        Column("host", "text", "Host name."),
        Column("process_id", "int", "Process number."),
        Column("thread_id", "int", "Thread number."),
        Column("source", "text", "Source file, with its line where both are printed together."),
        Column(
            "throughput_mb_s",
            "float",
            "What one engine sent, 10⁶ bytes a second, over the interval that the text names.",
            "MB/s",
        ),
        Column("text", "text", "The message."),
    ),
    shared=True,
)
