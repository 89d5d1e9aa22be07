r"""A process died of a signal or of an exception that nobody caught: one row a report, its dump included.

Sample
    #@ 0.1.15..0.5.23
    Fatal Python error: Segmentation fault
    Fatal Python error: Aborted
    #@ 0.4.6..0.5.23
    [gpu-node-1:7004 :0:9021] Caught signal 11 (Segmentation fault: address not mapped to object at address 0x10)
    #@ 0.1.15..0.5.23
    terminate called after throwing an instance of 'c10::Error'
      what():  CUDA runtime: unknown
    #@ 0.5.10..0.5.23
    libc++abi: terminating due to uncaught exception of type std::runtime_error: something broke
    #@ 0.1.15..0.5.23
    [node-1:12345] *** Process received signal ***
    [node-1:12345] Signal: Segmentation fault (11)
    [node-1:12345] Signal code: Address not mapped (1)
    [node-1:12345] *** End of error message ***
    #@ 0.1.15..0.5.23
    terminate called without an active exception
    terminate called recursively
    #@ 0.1.15..0.5.23
    !!!!!!! Segfault encountered !!!!!!!
      File "<unknown>", line 0, in PyEval_EvalFrame
    #@ 0.1.15..0.5.23
    *** SIGSEGV received at time=1764418642 on cpu 3 ***
    PC: @     0x7f0f6c0c1d7a  (unknown)  (unknown)
    #@ 0.1.15..0.5.23
    double free or corruption (!prev)

Meaning
    Such a death leaves no Python record: the main process sees the exit code only (−6 abort, −11 segmentation fault,
    −7 bus error). An abort follows a watchdog or an exception that was printed before; a segmentation fault under
    memory pressure may be a failed allocation.

Source
    CPython `faulthandler`; UCX `ucs/debug/debug.c`; libstdc++ and libc++abi terminate handlers; torch
    `c10/util/signal_handler`; abseil failure signal handler; glibc `malloc`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape


def _report(name: str, pattern: str, *starts: str) -> Shape:
    return Shape(pattern, starts, sets={"reporter": name})


FAMILY = Family(
    shapes=(
        _report("faulthandler", r"Fatal Python error: (?P<signal>[^:]+)(?:: (?P<text>.*))?", "Fatal Python error: "),
        _report(
            "UCX",
            r"\[(?P<host>[^\s:\]]+) ?:(?P<process_id>\d+) ?:\S*?:(?P<thread_id>\d+)\] Caught signal (?P<number>\d+)"
            r" \((?P<signal>[^:)]+)(?:: (?P<text>.*))?\)\s*",
            "[",
        ),
        _report(
            "Open MPI",
            r"\[(?P<host>[^\s:\]]+):(?P<process_id>\d+)\] (?:\*\*\* (?P<text>Process received signal|End of error message) \*\*\*"
            r"|Signal: (?P<signal>[^(]+?) \((?P<number>\d+)\)|(?:Signal code|Failing at address|Associated errno): .*)\s*",
            "[",
        ),
        _report(
            "libstdc++",
            r"terminate called (?:after throwing an instance of '(?P<exception>[^']*)'|(?P<text>without an active exception|recursively))\s*",
            "terminate called ",
        ),
        _report(
            "libc++",
            r"libc\+\+abi(?:\.dylib)?: terminating(?: due to| with) uncaught (?:foreign )?exception(?: of type (?P<exception>[\w:<>, ]+?)(?:: (?P<text>.*))?)?",
            "libc++abi",
        ),
        _report("torch", r"!+ (?P<signal>Segfault) encountered !+", "!!!!!!! Segfault"),
        _report("abseil", r"\*\*\* (?P<signal>SIG\w+) (?:received at|\(@).*", "*** SIG"),
        _report("glog", r"\*\*\* (?P<signal>Aborted) at .*", "*** Aborted at"),
        _report(
            "glibc",
            r"(?P<text>double free or corruption.*|free\(\): invalid (?:pointer|size|next size).*|malloc(?:_consolidate)?\(\): .*"
            r"|corrupted (?:size vs\. prev_size|double-linked list).*|munmap_chunk\(\): .*|\*\*\* stack smashing detected \*\*\*.*)",
            "double free or",
            "free(): ",
            "malloc(): ",
            "malloc_consolidate()",
            "corrupted size",
            "corrupted double",
            "munmap_chunk()",
            "*** stack smashing",
        ),
    ),
    columns=(
        Column(
            "reporter",
            "text",
            "Who printed it: faulthandler, UCX, Open MPI, libstdc++, libc++, torch, abseil, glog, glibc.",
        ),
        Column("signal", "text", "The signal or the error as it is named."),
        Column("number", "int", "Number of the signal."),
        Column("exception", "text", "C++ type of the exception that nobody caught."),
        Column("host", "text", "Host name."),
        Column("process_id", "int", "Process number."),
        Column("thread_id", "int", "Thread number."),
        Column("text", "text", "The rest of the first line, or the whole report."),
    ),
    multiline=True,
    shared=True,
)
