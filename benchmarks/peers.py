"""What a user would take instead: SGLang's own parser, a loop of regular expressions into pandas, Drain3.

python benchmarks/peers.py sglang|loop|drain3 LOG
"""

from __future__ import annotations

import importlib
import re
import sys
import zipfile
from pathlib import Path

_DECODE = re.compile(
    r"\[(?P<time>[\d-]+ [\d:]+)(?P<rank>(?: [A-Z]+\d+)*)\] Decode batch(?: \[\d+\])?[.,] "
    r"#running-req: (?P<running>\d+), "
    r"#token: (?P<token>\d+), token usage: (?P<usage>[\d.]+), .*gen throughput \(token/s\): (?P<throughput>[\d.]+), "
    r"#queue-req: (?P<queue>\d+)"
)
_PREFILL = re.compile(
    r"\[(?P<time>[\d-]+ [\d:]+)(?P<rank>(?: [A-Z]+\d+)*)\] Prefill batch(?: \[\d+\])?[.,] #new-seq: (?P<new_seq>\d+), "
    r"#new-token: (?P<new_token>\d+), #cached-token: (?P<cached>\d+), token usage: (?P<usage>[\d.]+), "
    r"#running-req: (?P<running>\d+), #queue-req: (?P<queue>\d+)"
)
_ACCESS = re.compile(
    r'\[(?P<time>[\d-]+ [\d:]+)\] INFO: +(?P<client>\S+) - "(?P<method>[A-Z]+) (?P<target>\S+) HTTP/[\d.]+" '
    r"(?P<status>\d+)"
)


def sglang(log: Path, wheel: Path) -> int:
    """Decode lines by `srt/debug_utils/log_parser.py` of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        code = archive.read("sglang/srt/debug_utils/log_parser.py").decode()
    scope: dict[str, object] = {}
    exec(compile(code, "log_parser.py", "exec"), scope)
    return len(scope["parse"](log.read_text()))  # type: ignore[operator]


def loop(log: Path) -> int:
    """Batch and access lines by a regular expression a line, into data frames."""
    import pandas

    found: dict[str, list[dict[str, str]]] = {"decode": [], "prefill": [], "access": []}
    with log.open() as lines:
        for line in lines:
            for name, pattern in (("decode", _DECODE), ("prefill", _PREFILL), ("access", _ACCESS)):
                match = pattern.match(line)
                if match:
                    found[name].append(match.groupdict())
                    break
    frames = {name: pandas.DataFrame(rows) for name, rows in found.items()}
    for frame in frames.values():
        for name in frame.columns:
            if name not in ("time", "rank", "client", "method", "target"):
                frame[name] = pandas.to_numeric(frame[name])
    return sum(len(frame) for frame in frames.values())


def drain3(log: Path) -> int:
    """Templates of all lines."""
    miner = importlib.import_module("drain3.template_miner").TemplateMiner()
    with log.open() as lines:
        for line in lines:
            miner.add_log_message(line.rstrip("\n"))
    return len(miner.drain.clusters)


def main() -> None:
    """Run one peer and print what it found."""
    which, log = sys.argv[1], Path(sys.argv[2])
    print(sglang(log, Path(sys.argv[3])) if which == "sglang" else loop(log) if which == "loop" else drain3(log))


if __name__ == "__main__":
    main()
