r"""An exit code that something outside the server reports: a launcher, a container engine, a test, a notebook.

Sample
    #@ 0.1.15..0.5.23
    Server process exited with code -9
    RuntimeError: sglang subprocess exited with code -9 before reporting ready
    sglang-1 exited with code 137
    command terminated with exit code 137
    returncode=137
    exit status 1
    subprocess.CalledProcessError: Command '['python', '-m', 'sglang.launch_server']' died with <Signals.SIGKILL: 9>.
    torch.multiprocessing.spawn.ProcessExitedException: process 3 terminated with exit code 1
    srun: error: node-3: task 5: Out Of Memory
    srun: Job step aborted: Waiting up to 32 seconds for job step to finish.
    slurmstepd: error: *** STEP 8123.0 ON node-3 CANCELLED AT 2025-11-01T10:00:00 DUE TO TIME LIMIT ***
    exited with code 137
    srun: error: node-3: tasks 0-7: Exited with exit code 1

Meaning
    −9 and 137 (128 + 9) are signal 9; −15 and 143 signal 15; −11 and 139 a segmentation fault; −6 and 134 an abort; −3
    and 131 the server's own SIGQUIT. The number says how the process ended, not why: up to 0.5.15 an orderly stop
    ends with 137 as well.

Source
    Python `subprocess`, `torch.multiprocessing`; docker compose, kubectl; Slurm `srun`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_CODE = r"(?P<exit_code>-?\d+)"

FAMILY = Family(
    shapes=(
        Shape(
            r"^(?!Child process unexpectedly|Subprocess )(?:[\w.]+(?:Error|Exception): )?(?P<process>[\w:./@' -]{1,120}?)"
            r" (?:has )?(?:exited|terminated|failed|finished|died|ended) (?:unexpectedly )?with (?:an? )?(?:exit ?|return ?)?"
            rf"(?:code|status):? ?{_CODE}(?P<text>\b.*)",
            (
                "ed with code",
                "ed with exit",
                "ed with status",
                "ed with return",
                "ed with an exit",
                "ed unexpectedly with",
            ),
            scope="line",
        ),
        Shape(
            r"^(?:[\w.]+(?:Error|Exception): )?(?P<process>Command .{1,4000}?) (?:died with <Signals\.(?P<signal>\w+): (?P<signal_number>\d+)>"
            rf"|returned non-zero exit status {_CODE})\.",
            ("died with <Signals", "returned non-zero exit status"),
            scope="line",
        ),
        Shape(
            rf"(?:process )?(?:return ?code|returncode|exit ?code|exitcode|exit status|Return code|return_code|exit_code)(?: was)? ?[=:]? ?{_CODE}\s*",
            ("return", "Return", "exit", "process "),
        ),
        Shape(rf"(?:process )?exited with (?:exit )?(?:code|status):? ?{_CODE}\s*", ("exited with", "process exited")),
        Shape(
            r"(?P<process>srun|slurmstepd|sbatch)[^:]*: (?:error: )?(?P<text>(?:Job step aborted|\*\*\* (?:STEP|JOB) .* (?:CANCELLED|FAILED)).*)",
            ("srun: ", "slurmstepd", "sbatch: "),
        ),
        Shape(
            rf"srun: error: (?P<process>\S+: tasks? [\d,-]+): (?:Exited with exit code {_CODE}|(?P<signal>Killed|Terminated|Aborted|Segmentation fault|Out Of Memory)(?P<text>.*))",
            ("srun: error: ",),
        ),
    ),
    columns=(
        Column("process", "text", "What ended, as it is named."),
        Column("exit_code", "int", "Exit code; negative: killed by that signal."),
        Column("signal", "text", "Name of the signal."),
        Column("signal_number", "int", "Number of the signal."),
        Column("text", "text", "The rest."),
    ),
    private=("process",),
    shared=True,
)
