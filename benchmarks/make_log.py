"""A log of any size as a busy server prints it: one start-up, then batch lines, access lines, tracebacks, request logs.

The reference mix is that of a server under load: 29 % decode, 12 % prefill, 59 % access lines, 0.1 % retractions. The
same arguments give the same bytes.

    python benchmarks/make_log.py --size 1GB --seed 1 --ranks 1 --output reference.log
"""

from __future__ import annotations

import argparse
import datetime
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

_UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}
_BEGIN = datetime.datetime(2026, 11, 1, 9, 0, 0)
_PATHS = ("/generate", "/v1/chat/completions", "/v1/completions", "/health", "/get_model_info")
_START = """\
[{t}] server_args={{'model_path': 'Qwen/Qwen3-8B', 'tokenizer_path': 'Qwen/Qwen3-8B', 'tp_size': {ranks}, \
'mem_fraction_static': 0.85, 'max_running_requests': 256, 'chunked_prefill_size': 8192}}
[{t} TP0] Init torch distributed begin.
[{t} TP0] Load weight begin. avail mem=78.50 GB
[{t} TP0] Load weight end. elapsed=12.31 s, type=Qwen3ForCausalLM, dtype=torch.bfloat16, avail mem=62.91 GB, \
mem usage=15.59 GB.
[{t} TP0] KV Cache is allocated. #tokens: 372356, K size: 25.57 GB, V size: 25.57 GB
[{t} TP0] Memory pool end. avail mem=11.58 GB
[{t} TP0] max_total_num_tokens=372356, chunked_prefill_size=8192, max_prefill_tokens=16384, \
max_running_requests=256, context_len=40960, available_gpu_mem=10.62 GB
[{t}] INFO:     Started server process [4711]
[{t}] INFO:     Waiting for application startup.
[{t}] INFO:     Application startup complete.
[{t}] INFO:     Uvicorn running on http://0.0.0.0:30000 (Press CTRL+C to quit)
[{t}] The server is fired up and ready to roll!
"""
_TRACEBACK = """\
[{t}{rank}] Request {rid} failed: Traceback (most recent call last):
  File "/usr/local/lib/python3.12/site-packages/sglang/srt/managers/tokenizer_manager.py", line {n}, in generate
    async for response in self._wait_one_response(obj, state, request):
  File "/usr/local/lib/python3.12/site-packages/sglang/srt/managers/tokenizer_manager.py", line {m}, in _wait
    result = await asyncio.wait_for(state.event.wait(), timeout=self.timeout)
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/usr/local/lib/python3.12/asyncio/tasks.py", line 520, in wait_for
    return await fut
           ^^^^^^^^^
ValueError: the request {rid} of {n} tokens is longer than the context of 40960 tokens
"""


def lines(options: argparse.Namespace) -> Iterator[str]:
    """The log piece by piece, without end."""
    random_of = random.Random(options.seed)
    yield _START.format(t=_BEGIN, ranks=options.ranks)
    modern = tuple(int(part) for part in re.findall(r"\d+", options.release)[:3]) >= (0, 5, 4)
    head = "batch," if modern else "batch."
    ranks = [""] if options.ranks == 1 else [f" TP{number}" for number in range(options.ranks)]
    makers = (_decode, _prefill, _access, _retraction, _traceback, _request)
    shares = [
        options.decode,
        options.prefill,
        options.access,
        options.retractions,
        options.tracebacks,
        options.requests,
    ]
    seconds, stamp, left = 0, str(_BEGIN), 0
    while True:
        for maker in random_of.choices(makers, shares, k=1000):
            if left == 0:
                seconds += 1
                stamp = str(_BEGIN + datetime.timedelta(seconds=seconds))
                left = random_of.randrange(options.lines_per_second * 2) + 1
            left -= 1
            yield maker(
                random_of, stamp, ranks[seconds % len(ranks)] if len(ranks) == 1 else random_of.choice(ranks), head
            )


def _decode(r: random.Random, t: str, rank: str, head: str) -> str:
    used = r.randrange(372356)
    return (
        f"[{t}{rank}] Decode {head} #running-req: {r.randrange(1, 257)}, #token: {used}, "
        f"token usage: {used / 372356:.2f}, cuda graph: {r.random() < 0.97}, "
        f"gen throughput (token/s): {r.random() * 9000:.2f}, #queue-req: {r.randrange(30)}, "
        f"fwd occupancy: {r.random() * 100:.2f}%, fwd+idle occupancy: {r.random() * 100:.2f}%\n"
    )


def _prefill(r: random.Random, t: str, rank: str, head: str) -> str:
    return (
        f"[{t}{rank}] Prefill {head} #new-seq: {r.randrange(1, 9)}, #new-token: {r.randrange(1, 8193)}, "
        f"#cached-token: {r.randrange(4096)}, token usage: {r.random():.2f}, #running-req: {r.randrange(257)}, "
        f"#queue-req: {r.randrange(30)}, #pending-token: {r.randrange(40000)}, cuda graph: False, "
        f"input throughput (token/s): {r.random() * 30000:.2f}\n"
    )


def _access(r: random.Random, t: str, _rank: str, _head: str) -> str:
    answer = "200 OK" if r.random() < 0.999 else "400 Bad Request"
    client = f"10.1.{r.randrange(4)}.{r.randrange(1, 255)}:{r.randrange(32768, 61000)}"
    return f'[{t}] INFO:     {client} - "POST {r.choice(_PATHS)} HTTP/1.1" {answer}\n'


def _retraction(r: random.Random, t: str, rank: str, _head: str) -> str:
    return (
        f"[{t}{rank}] KV cache pool is full. Retract requests. #retracted_reqs: {r.randrange(1, 9)}, "
        f"#new_tokens_gained: {r.randrange(40000)}, #new_token_ratio: {r.random():.4f} -> {r.random():.4f}\n"
    )


def _traceback(r: random.Random, t: str, rank: str, _head: str) -> str:
    n, m, rid = r.randrange(400, 1800), r.randrange(400, 1800), f"{r.getrandbits(128):032x}"
    return _TRACEBACK.format(t=t, rank=rank, n=n, m=m, rid=rid)


def _request(r: random.Random, t: str, _rank: str, _head: str) -> str:
    rid = f"{r.getrandbits(128):032x}"
    words = " ".join(f"word{r.randrange(1000)}" for _ in range(60))
    return (
        f"[{t}] Finish: obj=GenerateReqInput(rid='{rid}', text='{words}', sampling_params={{'temperature': 0.7, "
        f"'max_new_tokens': 128}}), out={{'text': '{words}', 'meta_info': {{'id': '{rid}', 'finish_reason': "
        f"{{'type': 'length', 'length': 128}}, 'prompt_tokens': 61, 'completion_tokens': 128, 'cached_tokens': 8, "
        f"'e2e_latency': {r.random():.8f}}}}}\n"
    )


def write(options: argparse.Namespace, out: TextIO) -> int:
    """Write lines until the size is reached; returns the size in bytes."""
    size = 0
    held: list[str] = []
    for piece in lines(options):
        held.append(piece)
        size += len(piece)
        if len(held) == 10_000 or size >= options.size:
            out.writelines(held)
            held.clear()
        if size >= options.size:
            return size
    return size


def parser() -> argparse.ArgumentParser:
    """The command line: size, seed, release, ranks, and the share of lines of each kind."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--size", type=size_of, default="100MB", help="bytes, like 50kB, 100MB, 1GB")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--release", default="0.5.23", help="whose wording the batch lines have")
    made.add_argument("--ranks", type=int, default=1)
    made.add_argument("--lines-per-second", type=int, default=40, help="mean number of lines with the same time")
    shares = {"decode": 29.0, "prefill": 12.0, "access": 59.0, "retractions": 0.1, "tracebacks": 0.0, "requests": 0.0}
    for name, share in shares.items():
        made.add_argument(f"--{name}", type=float, default=share, help=f"share of {name} (weights, not percent)")
    made.add_argument("--output", type=Path)
    made.add_argument("--describe", action="store_true", help="print the arguments to stderr")
    return made


def size_of(text: str) -> int:
    """Bytes of a size like `50kB`, `100MB`, `1GB`."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([kMG]?)B?", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write it like 50kB, 100MB or 1GB")
    return int(float(found[1]) * _UNITS[found[2]])


def main() -> None:
    """Write the log to the output, or to stdout."""
    options = parser().parse_args()
    if options.describe:
        print(json.dumps({key: str(value) for key, value in vars(options).items()}), file=sys.stderr)
    if options.output is None:
        write(options, sys.stdout)
        return
    with options.output.open("w", encoding="utf-8", newline="\n") as out:
        write(options, out)


if __name__ == "__main__":
    main()
