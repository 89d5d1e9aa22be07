r"""Stacks of threads, from py-spy, faulthandler or C++: one row a process, a thread or a C++ frame.

Sample
    #@ 0.4.3.post3..0.5.23
    Process 189: sglang::scheduler
    Python v3.11.13 (/usr/local/bin/python3.11)
    Thread 189 (idle): "MainThread"
        replay (cuda_graph_runner.py:82)
        _forward_raw (model_runner.py:2149)
    Thread 1402 (active): "Thread-3 (forward_thread_func)"
    #@ 0.1.15..0.5.23
    Thread 0x00007f1c4a7fc640 (most recent call first):
    Current thread 0x00007f1c4a7fc640 (most recent call first):
      File "/usr/lib/python3.11/threading.py", line 324 in wait
    Extension modules: numpy.core._multiarray_umath, torch._C (total: 2)
    #@ 0.1.15..0.5.23
    frame #31: sglang::scheduler_DP1_TP1_EP1() [0x54cb34]
    frame #3: c10d::ProcessGroupNCCL::ncclCommWatchdog() + 0x10c (0x7f25c4741176 in /usr/lib/torch/lib/libtorch_cuda.so)
    Exception raised from checkTimeout at ../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:609 (most recent call first):
    ==== backtrace (tid:   9021) ====
    [node-1:12345] [ 0] /lib/x86_64-linux-gnu/libc.so.6(+0x42520)[0x7f3d1e042520]
     5  /usr/lib/libuct.so.0(uct_tcp_ep_am_bcopy+0x8a) [0x7feec8b87eec]

Meaning
    The innermost frame stands first, against Python's own tracebacks. A thread that is `idle` waits in the operating
    system. Where two or more ranks wait in the same collective and one does not, that one is the one to look at.

Source
    py-spy `dump`; CPython `faulthandler`; torch `c10/util/Backtrace.cpp`, `c10/util/Exception.cpp`; UCX
    `ucs/debug/debug.c`; SGLang `utils/watchdog.py` (`pyspy_dump_schedulers`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(r"Process (?P<process_id>\d+): (?P<name>\S.*)", ("Process ",), sets={"kind": "process"}),
        Shape(r"Python v(?P<version>\d\S*) \((?P<library>[^)]*)\)", ("Python v",), sets={"kind": "process"}),
        Shape(
            r"(?:Current )?[Tt]hread (?P<thread>\d+|0x[0-9a-f]+)(?: \((?P<state>[\w+ ]+)\))?(?:: \"(?P<name>[^\"]*)\"|"
            r"(?: \[.*\])? \(most recent call first\):| (?:LWP|\().*)?",
            ("Thread ", "Current thread "),
            sets={"kind": "thread"},
        ),
        Shape(r"Extension modules: (?P<name>.*)", ("Extension modules: ",), sets={"kind": "modules"}),
        Shape(
            r"(?=.{0,600}$) {1,40}(?P<function>[\w<>~][\w<>.$:\[\]~*&() -]{0,300}?) \((?P<file>[\w./<>+-]{1,200}\.(?:pyx?|cpp|cc|cu|c|h|hpp|so[\d.]*)):(?P<line_number>\d+)\)\s*",
            ("  ",),
            sets={"kind": "frame"},
        ),
        Shape(
            r" +File \"(?P<file>[^\"]*)\", line (?P<line_number>\d+) in (?P<function>\S.*)",
            ("  File ",),
            sets={"kind": "frame"},
        ),
        Shape(
            r"(?=.{0,4000}$) *frame #(?P<number>\d+): (?P<function>.*?)(?: \+ 0x[0-9a-f]+)?(?: [(\[]0x[0-9a-f]+(?: in (?P<library>[^)\]]*))?[)\]])? ?",
            ("frame #", "  frame #"),
            sets={"kind": "frame"},
        ),
        Shape(
            r"(?:\[\S+:\d+\] \[)? *(?P<number>\d+)\]? +(?P<library>/\S*?)\((?P<function>\S*?)(?:\+0x[0-9a-f]+)?\) ?\[0x[0-9a-f]+\]\s*",
            contains="[0x",
            sets={"kind": "frame"},
        ),
        Shape(
            r"Exception raised from (?P<function>.+) at (?P<file>\S+):(?P<line_number>\d+) \(most recent call first\):",
            ("Exception raised from ",),
            sets={"kind": "raised"},
        ),
        Shape(r"=+ backtrace \(tid: *(?P<thread>\d+)\) =+", ("==== backtrace",), sets={"kind": "thread"}),
        Shape(r"=+ (?P<name>Backtrace|End of backtrace) =+", ("====",), sets={"kind": "thread"}),
    ),
    columns=(
        Column("kind", "text", "process, thread (its frames in `text`), frame, raised, modules."),
        Column("process_id", "int", "Process number."),
        Column("thread", "text", "Thread number or address."),
        Column("state", "text", "idle, active, active+gil."),
        Column("name", "text", "Name of the process or thread."),
        Column("version", "text", "Version of Python."),
        Column("number", "int", "Place of a C++ frame, the innermost is 0."),
        Column("function", "text", "Function of the frame."),
        Column("file", "text", "Source file of the frame."),
        Column("line_number", "int", "Line in that file."),
        Column("library", "text", "Library or program that holds the frame."),
        Column("text", "text", "The lines of a thread: its frames, innermost first."),
    ),
    multiline=True,
    shared=True,
)
