r"""The table of request slots is full: more requests than `--max-running-requests` allows for were scheduled.

Sample
    #@ 0.1.24..0.4.3.post2
    RuntimeError: Out of memory. Please set a smaller number for `--max-running-requests`.
    #@ 0.4.3.post3..0.5.23
    RuntimeError: alloc_req_slots runs out of memory. Please set a smaller number for `--max-running-requests`. req_to_token_pool.available_size()=0, num_reqs=1,␠

Meaning
    A fault of the scheduler's accounting, not of the device. The text stands in the log once in the traceback.

Source
    `ScheduleBatch.alloc_req_slots` (`managers/schedule_batch.py`, later `mem_cache/allocation.py`).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(
            r"(?<!slots runs o)Out of memory\. Please set a smaller number for `--max-running-requests`\.",
            contains="Out of memory. Please set a smaller number for `--max-running-requests`.",
            since="0.1.22",
            until="0.4.3.post2",
            scope="line",
        ),
        Shape(
            r"alloc_req_slots runs out of memory\. Please set a smaller number for `--max-running-requests`\."
            r"(?:.*?available_size\(\)=(?P<available_slots>-?\d+))?(?:, num_reqs=(?P<requests>\d+))?",
            contains="alloc_req_slots runs out of memory.",
            since="0.4.3.post3",
            scope="line",
        ),
    ),
    columns=(
        Column("available_slots", "int", "Free slots.", "slots", since="0.4.3.post3"),
        Column("requests", "int", "Slots asked for.", "requests", since="0.4.3.post3"),
    ),
    process="scheduler",
)
