"""Exceptions that somebody caught while the server went on: of one request, of an optional import, of a callback.

A scheduler's own exception carries the name of its process and ends the server. Everything else that prints a
traceback is a handler: the HTTP front end, a request's tokenizer or image loader, a grammar, a client that is gone.

Source: `entrypoints/openai/serving_base.py`, `entrypoints/http_server.py`, `managers/tokenizer_manager.py`,
`constrained/*_backend.py`, `multimodal/processors/base_processor.py`; uvicorn `protocols/http/*_impl.py`; asyncio
`base_events.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from logscope.facts.tracebacks import Raised
from logscope.launch import Row

# What a handler says above the traceback that it prints.
_CONTEXT = re.compile(
    r"Exception in ASGI application|Error in request|\[http_server\] Error|Hit invalid|Error while handling"
    r"|Ignore import error"
    r"|Task exception was never retrieved|Exception in callback"
    r"|Error (?:processing|parsing|handling|streaming) (?:the )?(?:request|chat|tool|stream)"
    r"|Failed to (?:parse|process|decode|tokenize|load) (?:the )?"
    r"(?:request|tool|image|video|audio|multimodal|chat|JSON)"
    r"|(?:tool|reasoning|function.?call) pars\w+|Exception ignored in"
    r"|Fail(?:ed)? to (?:send|export|push) (?:metrics|traces?)",
    re.IGNORECASE,
)
# What is said above the traceback of an import that the server can do without.
_OPTIONAL = re.compile(
    r"\bcontinu(?:e|es|ing)\b.*\bwithout\b|\bfall(?:s|ing)? ?back\b|\bskip(?:s|ped|ping)?\b|\boptional\b"
    r"|\bignor(?:e|es|ed|ing)\b|\b(?:will be|is|are) disabled\b",
    re.IGNORECASE,
)
_IMPORTS = ("ImportError", "ModuleNotFoundError", "PackageNotFoundError")
# Files whose frames belong to one request, and functions that a request enters through.
_FILES = (
    "uvicorn/protocols",
    "starlette/",
    "fastapi/",
    "entrypoints/openai/",
    "openai_api/",
    "serving_chat",
    "serving_completions",
    "multimodal/processors",
    "mini_lb",
    "sglang_router",
    "function_call/",
)
_FUNCTIONS = ("_tokenize_one_request", "generate_request", "handle_request", "load_mm_data", "run_asgi")
# Functions and files at which the interpreter itself begins: what a traceback shows from there nobody caught.
_MAIN = ("_run_module_as_main", "/bin/sglang", "<string>")
# Files whose frames belong to a process that dies of an exception.
_PROCESS = ("managers/scheduler", "model_executor/", "managers/tp_worker", "run_scheduler_process", "model_loader/")


def of_request(row: Row, chain: Sequence[Raised]) -> bool:
    """Whether a record is the failure of one request (or of another thing that its handler survives)."""
    if row.get("process") or _uncaught(chain):
        return False
    frames = [frame for raised in chain for frame in raised.frames]
    if any(part in frame.file or part in frame.function for frame in frames for part in _PROCESS):
        return False
    said = str(row.get("context", ""))
    if _CONTEXT.search(said) or (_OPTIONAL.search(said) and chain and chain[0].type in _IMPORTS):
        return True
    return any(part in frame.file for frame in frames for part in _FILES) or any(
        frame.function in _FUNCTIONS for frame in frames
    )


def of_front_end(row: Row, chain: Sequence[Raised]) -> bool:
    """Whether no frame of a record belongs to a process that dies of it: answers after it are signs of life."""
    frames = [frame for raised in chain for frame in raised.frames]
    if row.get("process") or _uncaught(chain):
        return False
    return not any(part in frame.file for frame in frames for part in _PROCESS)


def _uncaught(chain: Sequence[Raised]) -> bool:
    """Whether a traceback begins where the interpreter does: a module of requests, imported, ends the launcher too."""
    frames = chain[-1].frames if chain else ()
    return bool(frames) and (frames[0].function in _MAIN or frames[0].file.endswith(_MAIN))
