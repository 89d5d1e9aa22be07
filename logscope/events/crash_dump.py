r"""What is written down before a crash: stacks by py-spy, CUDA core dumps, unfinished requests.

Sample
    #@ 0.4.3.post3..0.5.10.post1
    [2025-06-26 02:16:21 TP3] Pyspy dump for PID 27241:
    #@ 0.5.11..0.5.23
    [2026-06-26 02:16:21] Pyspy dump for PID 21441 (py-spy dump --native --pid 21441):
    #@ 0.4.3.post3..0.5.23
    [2025-06-26 02:16:21 TP3] Pyspy failed to dump PID 27241. Error: Permission denied
    #@ 0.5.13..0.5.23
    [2026-07-26 02:16:21] Pyspy failed (py-spy dump --pid 21441). Error: Permission denied
    [2026-07-26 02:16:21] All pyspy dump attempts failed for PID 21441.
    [2026-07-26 02:16:21] Sleeping 5 seconds before crash diagnostics to let GPU activity settle.
    [2026-07-26 02:16:21] No live scheduler processes found; skipping py-spy and CUDA coredump.
    [2026-07-26 02:16:21] No sglang scheduler processes found for py-spy dump.
    [2026-07-26 02:16:21] CUDA user-triggered coredump is not enabled. Set CUDA_ENABLE_USER_TRIGGERED_COREDUMP=1 before CUDA initialization.
    [2026-07-26 02:16:21] CUDA coredump pipe not found for PID 21441: /srv/run/corepipe.cuda.vm.21441. Ensure CUDA_ENABLE_USER_TRIGGERED_COREDUMP=1 was set before this process initialized CUDA.
    [2026-07-26 02:16:21] Waiting 60.0 seconds for CUDA coredumps before exiting.
    [2026-07-26 02:16:21] Triggered CUDA user coredump for PID 21441 via /srv/run/corepipe
    [2026-07-26 02:16:21] Failed to trigger CUDA user coredump for PID 21441 via /srv/run/corepipe
    #@ 0.4.9..0.5.23
    [2025-07-26 02:16:21] Dumping requests before crash. self.crash_dump_folder='/tmp/dump'
    [2025-07-26 02:16:21] Dumped 12 finished and 3 unfinished requests before crash to /tmp/dump/node/crash.pkl

Meaning
    The stacks that follow are in the table stack_dump. They say where each thread stood, minutes
    after the fault at times. No dump and `No live scheduler` mean that the process was gone already.

Source
    `pyspy_dump_schedulers` (`utils/common.py`), `utils/cudacore_pyspy_dump_utils.py`,
    `TokenizerManager.dump_requests_before_crash`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"Pyspy dump for PID (?P<pid>\d+):.*",
            ("Pyspy dump for PID",),
            since="0.4.3.post3",
            until="0.5.10.post1",
            sets={"kind": "stacks"},
        ),
        Shape(
            r"Pyspy dump for PID (?P<pid>\d+) \((?P<text>.*)\):.*",
            ("Pyspy dump for PID",),
            since="0.5.11",
            sets={"kind": "stacks"},
        ),
        Shape(
            r"Pyspy failed to dump PID (?P<pid>\d+)\.\s+Error: (?P<text>.*)",
            ("Pyspy failed to dump",),
            since="0.4.3.post3",
            sets={"kind": "stacks_failed"},
        ),
        Shape(
            r"(?P<text>Pyspy failed \(.*|All pyspy dump attempts failed for PID (?P<pid>\d+)\..*)",
            ("Pyspy failed (", "All pyspy dump attempts"),
            since="0.5.11",
            sets={"kind": "stacks_failed"},
        ),
        Shape(
            r"(?P<text>No live scheduler processes found;.*|No sglang scheduler processes found for .*)",
            ("No live scheduler processes found", "No sglang scheduler processes found"),
            since="0.5.11",
            sets={"kind": "no_process"},
        ),
        Shape(
            r"Sleeping (?P<wait_s>[\d.]+) seconds before crash diagnostics.*",
            ("Sleeping ",),
            contains="before crash diagnostics",
            since="0.5.13",
            sets={"kind": "wait"},
        ),
        Shape(
            r"Waiting (?P<wait_s>[\d.]+) seconds for CUDA coredumps before exiting\. *",
            ("Waiting ",),
            contains="CUDA coredumps",
            since="0.5.13",
            sets={"kind": "wait"},
        ),
        Shape(
            r"(?P<text>CUDA user-triggered coredump is not enabled\..*)",
            ("CUDA user-triggered coredump",),
            since="0.5.13",
            sets={"kind": "core"},
        ),
        Shape(
            r"(?P<text>CUDA coredump pipe .* for PID (?P<pid>\d+).*)",
            ("CUDA coredump pipe",),
            since="0.5.13",
            sets={"kind": "core"},
        ),
        Shape(
            r"(?P<text>(?:Triggered|Failed to trigger) CUDA user coredump for PID (?P<pid>\d+) via .*)",
            ("Triggered CUDA", "Failed to trigger CUDA"),
            since="0.5.13",
            sets={"kind": "core"},
        ),
        Shape(
            r"Dumping requests before crash\. (?P<text>.*)",
            ("Dumping requests before crash",),
            since="0.4.9",
            sets={"kind": "requests"},
        ),
        Shape(
            r"Dumped (?P<finished_requests>\d+) finished and (?P<unfinished_requests>\d+) unfinished requests before crash"
            r" to (?P<text>.*)",
            ("Dumped ",),
            contains=" unfinished requests before crash",
            since="0.4.9",
            sets={"kind": "requests"},
        ),
    ),
    columns=(
        Column("kind", "text", "stacks, stacks_failed, no_process, wait, core, requests."),
        Column("pid", "int", "The process that is looked at."),
        Column("wait_s", "float", "Time waited.", "s", decimals=1),
        Column("finished_requests", "int", "Requests finished.", "requests"),
        Column("unfinished_requests", "int", "Requests not finished.", "requests"),
        Column("text", "text", "What else the line says."),
    ),
    multiline=True,
    shared=True,
)
