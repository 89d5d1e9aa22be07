r"""State of a pod as `kubectl describe` and its events print it: one row a field or an event.

Sample
    #@ 0.1.15..0.5.23
        State:          Waiting
          Reason:       CrashLoopBackOff
        Last State:     Terminated
          Reason:       OOMKilled
          Exit Code:    137
          Started:      Tue, 18 Nov 2025 09:12:44 +0000
          Finished:     Tue, 18 Nov 2025 09:20:01 +0000
        Restart Count:  4
      Warning  BackOff    2m (x8 over 9m)   kubelet            Back-off restarting failed container sglang in pod sglang-0
      Warning  Unhealthy  10s (x3 over 30s)  kubelet            Liveness probe failed: HTTP probe failed with statuscode: 503
      Normal   Killing    10s                kubelet            Container sglang failed liveness probe, will be restarted
    Liveness probe failed: HTTP probe failed with statuscode: 503
    Back-off restarting failed container sglang in pod sglang-0
    OOMKilled
    sglang-0   0/1     OOMKilled   4          12m
    sglang-1   0/1     CrashLoopBackOff   4 (20s ago)          12m

Meaning
    `OOMKilled` is the container's memory limit: host memory, never the device's. Exit code 137 alone is signal 9 from
    whoever; a liveness probe that fails makes the kubelet kill a server that may only be busy.

Source
    `kubectl describe pod`, `kubectl get pods`, `kubectl get events`.
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_WORD = r"(?P<value>[A-Z][A-Za-z]+)"
_DATE = r"(?P<value>\w{3}, \d\d \w{3} \d{4} [\d:]+ [+-]\d{4})"


def _field(name: str, value: str) -> Shape:
    return Shape(rf"^ *(?P<field>{name}): +{value}\s*$", (f"{name}: ",), scope="line")


FAMILY = Family(
    shapes=(
        _field("Last State", _WORD),
        _field("State", _WORD),
        _field("Reason", _WORD),
        _field("Exit Code", r"(?P<exit_code>\d+)"),
        _field("Restart Count", r"(?P<restarts>\d+)"),
        _field("Started", _DATE),
        _field("Finished", _DATE),
        Shape(
            r"^ *(?P<field>Normal|Warning) +(?P<value>[A-Z]\w+) +(?P<age>\S+(?: \(x\d+ over \S+\))?) +(?P<source>[\w.-]+(?:, \S+)?) +(?P<text>\S.*)",
            ("Normal  ", "Warning  "),
            scope="line",
        ),
        Shape(
            r"^(?P<text>(?:(?P<value>Liveness|Readiness|Startup) probe failed: |(?:The node was low on resource|Back-off (?:restarting|pulling)|Container \S+ failed \w+ probe)).*)",
            (" probe failed: ", "Back-off ", "was low on resource", "will be restarted"),
            scope="line",
        ),
        Shape(
            r"^(?P<value>OOMKilled|CrashLoopBackOff|Evicted)\s*$",
            ("OOMKilled", "CrashLoopBackOff", "Evicted"),
            scope="line",
        ),
        Shape(
            r"^(?P<pod>[a-z0-9][a-z0-9.-]+) +\d+/\d+ +(?P<value>Running|Pending|OOMKilled|Error|CrashLoopBackOff|Completed|Evicted|Terminating|ImagePullBackOff|ContainerCreating|Init:\S+) +"
            r"(?P<restarts>\d+)(?: \(\S+ ago\))? +(?P<age>\S+)(?P<text>.*)",
            (
                " Running ",
                " Pending ",
                "OOMKilled",
                " Error ",
                "CrashLoopBackOff",
                " Completed ",
                "Evicted",
                "Terminating",
                "PullBackOff",
                "ContainerCreating",
                "Init:",
            ),
            scope="line",
        ),
    ),
    columns=(
        Column("field", "text", "State, Last State, Reason, Exit Code, …; Normal or Warning for an event."),
        Column("value", "text", "What it says: Terminated, OOMKilled, BackOff, …"),
        Column("exit_code", "int", "Exit code of the last container."),
        Column("restarts", "int", "Restarts so far."),
        Column("age", "text", "How long ago, and how often."),
        Column("source", "text", "Who reported an event."),
        Column("pod", "text", "Name of the pod."),
        Column("text", "text", "Text of an event."),
    ),
    shared=True,
)
