"""How fast an archive is scanned, scanned again and queried, and how much memory that takes.

python benchmarks/scan_archive.py --logs 1000 --small 10000 --rows 10000000

Logs of about 50 kB are copies of a real one, each with another first line; the second scan is timed on small logs,
for its cost is one per file. Peak memory and processor time are of the whole process group, sampled: logs a core are
those of a second of processor time, whatever else the machine does.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

from logscope.archive import journal, query, schema
from logscope.archive.store import dataset, opened, write_part

ROOT = Path(__file__).resolve().parents[1]
LOG = ROOT / "tests/fixtures/logs/0.5.23-cpu-forward-out-of-memory.log"
SMALL = b"[2026-11-29 12:00:00 TP0] Load weight begin. avail mem=94.00 GB\n"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--logs", type=int, default=1000)
    asked.add_argument("--small", type=int, default=10_000)
    asked.add_argument("--rows", type=int, default=10_000_000)
    asked.add_argument("--folder", type=Path, help="where the archive is made; a temporary one by default")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        home = Path(folder)
        first_scan(home, given.logs)
        second_scan(home, given.small)
        big_query(home, given.rows)


def first_scan(home: Path, count: int) -> None:
    archive = made(home / "large", count, LOG.read_bytes())
    for jobs in (1, 2):
        seconds, cpu_s, peak_mb = timed("scan", archive, "-o", home / f"store{jobs}", "-j", jobs)
        rates = f"{count / seconds:.1f} logs/s", f"{count / cpu_s:.1f} logs/s a core"
        say(f"first scan, {jobs} worker(s)", *rates, f"{peak_mb:.0f} MB in all processes")
    tenth = made(home / "tenth", max(count // 10, 1), LOG.read_bytes())
    *_, less_mb = timed("scan", tenth, "-o", home / "store-tenth", "-j", 2)
    say("peak memory", f"{peak_mb:.0f} MB for {count} logs", f"{less_mb:.0f} MB for {count // 10}")


def second_scan(home: Path, count: int) -> None:
    archive = made(home / "small", count, SMALL)
    first, first_cpu_s, _ = timed("scan", archive, "-o", home / "small-store")
    again, again_cpu_s, _ = timed("scan", archive, "-o", home / "small-store")
    allowed = 0.6 + 0.0002 * count
    say(f"scan of {count} small logs", f"{first:.1f} s, {first_cpu_s:.1f} s of a core")
    say("again", f"{again:.2f} s, {again_cpu_s:.2f} s of a core (at most {allowed:.2f} s)")


def big_query(home: Path, rows: int) -> None:
    store = home / "query-store"
    fields = schema.datasets()["decode_batch"]
    with opened(store):
        for number in range(10):
            size = rows // 10
            random = np.random.default_rng(number)
            table = schema.fitted(
                pa.table(
                    {
                        "run": pa.array([f"run{number}"] * size),
                        "path": pa.array([f"node{number}.log"] * size),
                        "rank": pa.array(["TP0"] * size),
                        "time": pa.array(np.arange(size) * 1000, pa.timestamp("ms")),
                        "running_requests": pa.array(random.integers(0, 256, size)),
                        "gen_throughput_tok_s": pa.array(random.random(size) * 4000),
                    }
                ),
                fields,
            )
            place = f"decode_batch/date=2026-11-{number + 10}/part-{number + 1:08d}.parquet"
            write_part(table, journal.staged(store, str(number), place))
            journal.commit(store, journal.Change(str(number), [place]))
    sql = "select path, avg(gen_throughput_tok_s), max(running_requests) from decode_batch group by path order by path"
    tables = {"decode_batch": dataset(store, "decode_batch")}
    began = time.perf_counter()
    assert query.answer(sql, tables).num_rows == 10
    say(f"query over {rows:,} decode rows", f"{time.perf_counter() - began:.2f} s", "at most 2 s")


def made(folder: Path, count: int, data: bytes) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"{number}.log").write_bytes(b"[2026-11-29 12:00:00] started %d\n" % number + data)
    return folder


def timed(*arguments: object) -> tuple[float, float, float]:
    """Seconds, processor seconds and peak resident memory in MB of a run of the command line with all its processes."""
    command = [sys.executable, "-m", "logscope", *map(str, arguments)]
    began = time.perf_counter()
    running = subprocess.Popen(command, cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL)
    peak = [0.0]
    ticks: dict[int, int] = {}  # of processor time, by process
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            peak[0] = max(peak[0], resident_mb(running.pid, ticks))

    watcher = threading.Thread(target=watch)
    watcher.start()
    running.wait()
    seconds = time.perf_counter() - began
    done.set()
    watcher.join()
    return seconds, sum(ticks.values()) / os.sysconf("SC_CLK_TCK"), peak[0]


def resident_mb(group: int, ticks: dict[int, int]) -> float:
    """The memory of a process group, in MB; notes the processor time of its processes."""
    pages = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            pages += int(fields[21])
            ticks[int(stat.parent.name)] = int(fields[11]) + int(fields[12])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def say(what: str, *figures: str) -> None:
    print(f"{what:36} {'   '.join(figures)}", flush=True)


if __name__ == "__main__":
    main()
