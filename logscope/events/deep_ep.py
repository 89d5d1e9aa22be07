r"""Timeouts and errors of DeepEP's dispatch and combine: one row a sentence, also inside tracebacks.

Sample
    #@ 0.4.5..0.5.23
    RuntimeError: DeepEP error: CPU recv timeout
    RuntimeError: DeepEP error: timeout (dispatch CPU)
    DeepEP timeout check failed: rank = 3, thread = 2, value = 1024)
    DeepEP dispatch NVL receiver timeout, channel: 4, RDMA: 1, nvl: 5, src RDMA: 0, src NVL: 5, start: 0, end: 0
    DeepEP timeout for dispatch RDMA receiver, channel: 3, rank: 4

Meaning
    A rank waited for the tokens of another and gave up. The rank that is named is the one that waited; who did not
    send is told by the lines of the others, or by what they did before: a kernel that compiles inside its first forward
    holds all others up.

Source
    DeepEP `csrc/deep_ep.cpp` (CPU side), `csrc/kernels/internode.cu`, `intranode.cu`, `runtime.cu` (device printf).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(r"DeepEP error: (?P<text>.*)", ("DeepEP error: ",), scope="line", sets={"side": "host"}),
        Shape(
            r"DeepEP (?:(?=.{0,300}?\brank(?: =|:)? (?P<waiting_rank>\d+)))?(?P<text>.{0,100}?timeout.*)",
            ("DeepEP ",),
            scope="line",
            sets={"side": "device"},
        ),
    ),
    columns=(
        Column("side", "text", "host: the CPU side gave up; device: a kernel did."),
        Column("waiting_rank", "int", "Rank that waited, where the sentence names it."),
        Column("text", "text", "The sentence."),
    ),
    shared=True,
)
