r"""Ranks that lost each other: timeouts, closed connections and errors of NCCL, Gloo, HCCL and the store behind them.

Sample
    #@ 0.1.15..0.5.23
    [rank1]:[E626 06:24:44.903881913 ProcessGroupNCCL.cpp:616] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=808, OpType=ALLREDUCE, NumelIn=9801523, NumelOut=9801523, Timeout(ms)=600000) ran for 600020 milliseconds before timing out.
    [rank1]:[E626 06:24:44.906457629 ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) Rank 1] Exception (either an error or timeout) detected by watchdog at work: 808, last enqueued NCCL work: 811, last completed NCCL work: 807.
    [E ProcessGroupNCCL.cpp:458] [Rank 0] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, subsequent GPU operations might run on corrupted/incomplete data.
    [rank4]:[E421 02:05:38.764490322 ProcessGroupGloo.cpp:143] Gloo connectFullMesh failed with [../third_party/gloo/gloo/transport/tcp/pair.cc:144] no error
    [W425 11:56:13.499514954 TCPStore.cpp:125] [c10d] recvValue failed on SocketImpl(fd=107, addr=[localhost]:52444, remote=[localhost]:29500): failed to recv, got 0 bytes
    [W425 11:56:13.499514954 socket.cpp:460] [c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use).
    [PG ID 2 PG GUID 2 Rank 3] Process group watchdog thread terminated with exception: NCCL error: unhandled cuda error
      what():  [PG 3 Rank 5] Process group watchdog thread terminated with exception: [Rank 5] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9141, OpType=_ALLGATHER_BASE, NumelIn=19008, NumelOut=152064, Timeout(ms)=600000) ran for 600020 milliseconds before timing out.
    RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:598] Connection closed by peer [10.0.0.2]:28048
    RuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:537] Read error [127.0.0.1]:23725: Connection reset by peer. This is typically caused by a remote worker crashing.
    RuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 1800000ms for recv operation to complete
    torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:94, unhandled cuda error (run with NCCL_DEBUG=INFO for details), NCCL version 2.27.3
    torch.distributed.DistNetworkError: The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use
    torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined.
    ncclUnhandledCudaError: Call to CUDA function failed.
    ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.

Meaning
    A closed connection or a store that is gone is a consequence: a peer died first. A collective that times out says
    that somebody never joined; the rank whose `last_enqueued` is lowest is the one that others wait for. The clock of
    `[E626 …]` is local month and day without a year, with nanoseconds. `kind` sorts the sentences; `level` is E or W.

Source
    torch `c10d/ProcessGroupNCCL.cpp`, `ProcessGroupGloo.cpp`, `TCPStore.cpp`, `socket.cpp`, `NCCLUtils.cpp`; gloo
    `transport/tcp/pair.cc`, `unbound_buffer.cc`; NCCL `ncclGetErrorString`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_FRAME = (
    r"(?:\[rank(?P<torch_rank>\d+)\]: ?)?\[(?P<level>[EWIF]) ?(?:(?P<printed_time>\d{2,4} [\d:.]+) )?"
    r"(?:\d+ )?(?P<source>{files})(?::\d+)?\]"
)
_FILES = r"(?:\S*/)?(?:ProcessGroup\w*|TCPStore\w*|NCCLUtils|socket|HeartbeatMonitor|FlightRecorder\w*|Work\w*|Store)\.(?:cpp|hpp)"
# What these files also say of a process that ends or starts in good health.
_BENIGN = r"(?!.*(?:destroy_process_group\(\) was not called|to perform barrier|using best-guess GPU|Guessing device ID|NOTE:))"
_GROUP = (
    r"(?:(?=.{0,1000}?\[(?:PG ID (?P<group>\d{1,9})[^\]]{0,120}? |PG (?P<group_name>\S{1,80}) )?Rank (?P<group_rank>\d+)\]))?"
    r"(?:\[(?:PG [^\]]*|Rank \d+)\] ?)?"
)
_WORK = (
    r"(?:Work\w+\(SeqNum=(?P<sequence>\d+), OpType=(?P<operation>\w+)(?:, NumelIn=(?P<input_elements>\d+),"
    r" NumelOut=(?P<output_elements>\d+))?(?:, Timeout\(ms\)=(?P<timeout_ms>\d+))?\)?)?"
    r"(?: ran for (?P<ran_ms>\d+) milliseconds)?"
)


def _line(kind: str, pattern: str, *literals: str) -> Shape:
    return Shape(pattern, literals, scope="line", sets={"kind": kind})


_HEAD = rf"^(?:{_FRAME.replace('{files}', _FILES)} )?"

FAMILY = Family(
    shapes=(
        _line(
            "collective_timeout",
            rf"{_HEAD}{_GROUP}.{{0,1000}}?(?P<text>Watchdog caught collective operation timeout): {_WORK}",
            "Watchdog caught collective operation timeout",
        ),
        _line(
            "watchdog_state",
            rf"{_HEAD}{_GROUP}(?P<text>.{{0,1000}}?)(?: at work(?: sequence id)?: (?P<sequence>\d+), )?"
            r"last enqueued(?: NCCL)? work: (?P<last_enqueued>-?\d+), last completed(?: NCCL)? work: (?P<last_completed>-?\d+)",
            "last enqueued",
        ),
        _line(
            "peer_closed",
            r"(?:\[(?P<source>\S{1,200}\.cc):\d{1,9}\] )?(?P<text>Connection closed by peer) (?P<peer>\[\S+\]:\d+|\S+)",
            "Connection closed by peer",
        ),
        _line(
            "peer_lost",
            r"(?:\[(?P<source>\S{1,200}\.cc):\d{1,9}\] )?(?P<text>(?:Read|Write|Writev|Send) error) (?P<peer>\[\S*\]:\d+): (?P<reason>[^.]*)",
            "Read error [",
            "Write error [",
            "Writev error [",
            "Send error [",
        ),
        _line(
            "timed_out",
            r"(?:\[(?P<source>\S{1,200}\.cc):\d{1,9}\] )?(?P<text>Timed out waiting (?P<timeout_ms>\d+)ms for \w+ operation to complete"
            r"|Application timeout caused pair closure|Socket Timeout)",
            "Timed out waiting ",
            "Application timeout caused",
            "Socket Timeout",
        ),
        _line(
            "connect_failed", rf"{_HEAD}{_GROUP}(?P<text>Gloo connectFullMesh failed.*)", "Gloo connectFullMesh failed"
        ),
        _line(
            "store_lost",
            rf"{_HEAD}{_GROUP}(?P<text>.*(?:TCPStore|\[c10d\] (?:recv|send)\w* failed|should dump).*)",
            "TCPStore",
            "[c10d] recv",
            "[c10d] send",
        ),
        _line(
            "thread_terminated",
            rf"{_HEAD}{_GROUP}(?P<text>.{{0,300}}?(?:Process group watchdog|Heartbeat monitor).*terminated.*"
            r"|(?:Process group )?watchdog: .*)",
            "watchdog thread terminated",
            "] watchdog: ",
        ),
        _line("network", r"(?:Dist)?NetworkError: (?P<text>.*)", "NetworkError: The ", "DistNetworkError: "),
        _line("store", r"DistStoreError: (?P<text>.*)", "DistStoreError: "),
        _line("backend_error", r"DistBackendError: (?P<text>.*)", "DistBackendError: "),
        _line(
            "backend_error",
            r"(?P<text>\bnccl(?:UnhandledCudaError|SystemError|InternalError|InvalidArgument|InvalidUsage|RemoteError)\b.*"
            r"|(?:NCCL|RCCL|HCCL|oneCCL) error\b.*)",
            "ncclUnhandled",
            "ncclSystemError",
            "ncclInternalError",
            "ncclInvalid",
            "ncclRemoteError",
            "NCCL error",
            "RCCL error",
            "HCCL error",
        ),
        _line(
            "message",
            rf"^{_FRAME.replace('{files}', _FILES)} {_BENIGN}{_GROUP}(?P<text>.*)",
            "ProcessGroup",
            "TCPStore",
            "NCCLUtils",
            "socket.cpp",
            "HeartbeatMonitor",
            "FlightRecorder",
        ),
        _line("message", rf"^(?=\[PG |\[Rank ){_GROUP}(?P<text>\S.*)", "[PG ", "[Rank "),
    ),
    columns=(
        Column(
            "kind",
            "text",
            "collective_timeout, watchdog_state, peer_closed, peer_lost, timed_out, connect_failed, store_lost, thread_terminated, network, store, backend_error, message.",
        ),
        Column("level", "text", "E, W, I or F of the C++ logger."),
        Column("torch_rank", "int", "Global rank that printed the line."),
        Column("printed_time", "text", "Month and day, local time with nanoseconds."),
        Column("source", "text", "File that printed it."),
        Column("group", "int", "Process group, by number."),
        Column("group_name", "text", "Process group, by name."),
        Column("group_rank", "int", "Rank inside the group."),
        Column("sequence", "int", "Number of the collective within its group."),
        Column("operation", "text", "Kind of the collective: ALLREDUCE, _ALLGATHER_BASE, …"),
        Column("input_elements", "int", "Elements that go in.", "elements"),
        Column("output_elements", "int", "Elements that come out.", "elements"),
        Column("timeout_ms", "int", "Limit.", "ms"),
        Column("ran_ms", "int", "How long it ran.", "ms"),
        Column("last_enqueued", "int", "Last collective that this rank started."),
        Column("last_completed", "int", "Last collective that this rank finished."),
        Column("peer", "text", "Address of the other side."),
        Column("reason", "text", "What the system call said."),
        Column("text", "text", "The sentence."),
    ),
    shared=True,
)
