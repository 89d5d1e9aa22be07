r"""The operating system or a resource manager killed a process for memory: one row a line.

Sample
    #@ 0.1.15..0.5.23
    [  913.410000] sglang::schedul invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=0
    [  913.498120] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/user.slice,task=sglang::schedul,pid=573170,uid=0
    [  913.512288] Out of memory: Killed process 573170 (sglang::schedul) total-vm:181233412kB, anon-rss:10342160kB, file-rss:4096kB, shmem-rss:65757280kB, UID:0 pgtables:160412kB oom_score_adj:0
    [Tue Nov 18 09:12:44 2025] Memory cgroup out of memory: Killed process 4711 (python3) total-vm:98000000kB, anon-rss:31000000kB, file-rss:120000kB, shmem-rss:0kB, UID:0 pgtables:80000kB oom_score_adj:992
    Memory cgroup stats for /kubepods.slice/kubepods-pod1.slice: anon 33285996544
    [  914.100000] oom_reaper: reaped process 573170 (sglang::schedul), now anon-rss:0kB, file-rss:0kB, shmem-rss:65757280kB
    slurmstepd: error: Detected 1 oom_kill event in StepId=8123.0. Some of the step tasks have been OOM Killed.
    slurmstepd: error: Detected 1 oom-kill event(s) in StepId=8123.batch. Some of your processes may have been killed by the cgroup out-of-memory handler.

Meaning
    The sizes are kilobytes of 1,024 bytes. `anon` is the process's own memory, `shmem` shared memory: host KV pools and
    pinned buffers count there. `constraint=CONSTRAINT_MEMCG` is the limit of a container, `CONSTRAINT_NONE` the whole
    machine. The number in brackets is seconds since the machine started, unless it is a date.

Source
    Linux `mm/oom_kill.c`; Slurm `slurmstepd`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_STAMP = r"(?:\[ *(?P<uptime_s>\d+\.\d+)\] |\[(?P<printed_time>\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})\] |kernel: )*"


def _line(kind: str, pattern: str, contains: str) -> Shape:
    return Shape(_STAMP + pattern, contains=contains, sets={"kind": kind})


FAMILY = Family(
    shapes=(
        _line(
            "killed",
            r"(?P<scope>Memory cgroup out of memory|Out of memory)(?: \([^)]*\))?: Kill(?:ed)? process (?P<process_id>\d+) \((?P<process>.{0,60}?)\),?(?: UID \d+,)?"
            r"(?: total-vm:(?P<virtual_kib>\d+)kB)?(?:, anon-rss:(?P<anonymous_kib>\d+)kB)?(?:, file-rss:(?P<file_kib>\d+)kB)?"
            r"(?:,? shmem-rss:(?P<shared_kib>\d+)kB)?(?P<text>.*)",
            "ut of memory",
        ),
        _line(
            "oom_kill",
            r"oom-kill:constraint=(?P<scope>\w+)(?:,(?P<text>.{0,600}?))?,task=(?P<process>[^,]*),pid=(?P<process_id>\d+).*",
            "oom-kill:",
        ),
        _line("invoked", r"(?P<process>.+?) invoked oom-killer: (?P<text>.*)", " invoked oom-killer"),
        _line(
            "reaped",
            r"oom_reaper: reaped process (?P<process_id>\d+) \((?P<process>.{0,60}?)\), now anon-rss:(?P<anonymous_kib>\d+)kB"
            r"(?:, file-rss:(?P<file_kib>\d+)kB)?(?:, shmem-rss:(?P<shared_kib>\d+)kB)?.*",
            "oom_reaper: reaped",
        ),
        _line(
            "group",
            r"Memory cgroup stats(?: for (?P<text>\S+))?:(?: anon (?P<anonymous_bytes>\d+))?.*",
            "Memory cgroup stats",
        ),
        _line(
            "step",
            r"slurmstepd[^:]*: error: .{0,200}?[Dd]etected (?P<events>\d+) oom[-_]kill events?(?:\(s\))? in (?P<text>.*)",
            "slurmstepd",
        ),
    ),
    columns=(
        Column("kind", "text", "killed, oom_kill, invoked, reaped, group, step."),
        Column("scope", "text", "Whose memory ran out: the machine's or a control group's."),
        Column("process_id", "int", "Process number."),
        Column("process", "text", "Name of the process, cut to 15 characters by the kernel."),
        Column("uptime_s", "float", "Since the machine started.", "s", decimals=6),
        Column("printed_time", "text", "Date of `dmesg -T`."),
        Column("virtual_kib", "int", "Address space.", "KiB"),
        Column("anonymous_kib", "int", "Its own memory.", "KiB"),
        Column("file_kib", "int", "Pages of files.", "KiB"),
        Column("shared_kib", "int", "Shared memory.", "KiB"),
        Column("anonymous_bytes", "int", "Memory of the group's processes.", "bytes"),
        Column("events", "int", "Kills that the step counted.", "events"),
        Column("text", "text", "The rest."),
    ),
    shared=True,
)
