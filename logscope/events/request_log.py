r"""Request logging (opt-in): a request came in, or is finished, with what it asked for and what came out.

Sample
    #@ 0.1.15..0.4.0.post2
    in=The capital of France is, out={'text': ' Paris', 'meta_info': {'prompt_tokens': 6, 'completion_tokens': 1}}
    #@ 0.4.1..0.5.23
    [2026-11-29 12:25:11] Receive: obj=GenerateReqInput(rid='a82c7dc6da1a4210aa40d12a6327435c', text='The capital city of France is')
    [2026-11-29 12:25:11] Finish: obj=GenerateReqInput(rid='a82c7dc6da1a4210aa40d12a6327435c', text='The capital city of France is'), out={'text': ' Paris', 'meta_info': {'id': 'a82c7dc6da1a4210aa40d12a6327435c', 'finish_reason': {'type': 'length', 'length': 8}, 'prompt_tokens': 13, 'completion_tokens': 8, 'cached_tokens': 0, 'e2e_latency': 0.39121677}}
    #@ 0.5.10..0.5.23
    [2026-11-29 12:25:11] Receive OpenAI: obj={'model': 'tiny', 'prompt': 'The capital', 'max_tokens': 9}
    #@ 0.5.7..0.5.23
    {"timestamp": "2026-11-29T12:25:11.118323", "event": "request.received", "rid": "02290ed2", "obj": {"text": "The capital"}}
    {"timestamp": "2026-11-29T12:25:11.418323", "event": "request.finished", "rid": "02290ed2", "obj": {"text": "The capital"}, "out": {"text": " Paris", "meta_info": {"finish_reason": {"type": "stop"}, "prompt_tokens": 13, "completion_tokens": 8, "cached_tokens": 0, "e2e_latency": 0.64}}}
    #@ 0.5.8..0.5.23
    {"timestamp": "2026-11-29T12:25:11.118323", "event": "scheduler.status", "running": 3}

Meaning
    Text form and JSON form. 0.5.8–0.5.11 print both without a prefix; the oldest form holds raw text, which can span
    lines and imitate others. Health probes show as HEALTH_CHECK_<unix time>. Prompts and outputs are masked unless
    asked for.

Source
    `TokenizerManager` (`managers/tokenizer_manager.py`), `srt/utils/request_logger.py` (0.5.7 and later).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

_OUT = (
    r"(?:(?=.*'finish_reason': \{'type': '(?P<finish_reason>\w+)'))?"
    r"(?:(?=.*'prompt_tokens': (?P<prompt_tokens>\d+)))?(?:(?=.*'completion_tokens': (?P<completion_tokens>\d+)))?"
    r"(?:(?=.*'cached_tokens': (?P<cached_tokens>\d+)))?(?:(?=.*'e2e_latency': (?P<latency_s>[\d.]+)))?"
)
_JSON_OUT = _OUT.replace("'", '"')
_STAMP = r'\{"timestamp": "(?P<printed_timestamp>[^"]*)", "event": '

FAMILY = Family(
    shapes=(
        Shape(
            r"Receive: obj=(?P<text>\w+\((?:.*?\brid='(?P<rid>[^']*)')?.*)",
            ("Receive: obj=",),
            since="0.4.1",
            sets={"event": "received", "form": "text"},
        ),
        Shape(
            rf"Finish: obj={_OUT}(?P<text>\w+\((?:.*?\brid='(?P<rid>[^']*)')?.*)",
            ("Finish: obj=",),
            since="0.4.1",
            sets={"event": "finished", "form": "text"},
        ),
        Shape(
            r"Receive OpenAI: obj=(?P<text>.*)",
            ("Receive OpenAI: obj=",),
            since="0.5.10",
            sets={"event": "received_openai", "form": "text"},
        ),
        Shape(
            rf'{_STAMP}"request\.(?P<event>finished)", {_JSON_OUT}(?P<text>(?:"rid": "(?P<rid>[^"]*)")?.*)',
            ('{"timestamp": ',),
            since="0.5.7",
            sets={"form": "json"},
        ),
        Shape(
            rf'{_STAMP}"request\.(?P<event>[\w.]+)", (?P<text>(?:"rid": "(?P<rid>[^"]*)")?.*)',
            ('{"timestamp": ',),
            since="0.5.7",
            sets={"form": "json"},
        ),
        Shape(
            rf'{_STAMP}"(?P<event>scheduler\.status)", (?P<text>.*)',
            ('{"timestamp": ',),
            since="0.5.8",
            sets={"form": "json"},
        ),
        Shape(
            rf"in={_OUT}(?P<text>.*)",
            ("in=",),
            until="0.4.0.post2",
            sets={"event": "finished", "form": "raw"},
        ),
    ),
    columns=(
        Column("event", "text", "received, finished, received_openai, received.openai, scheduler.status."),
        Column("form", "text", "text, json, raw."),
        Column("rid", "text", "Id of the request."),
        Column("finish_reason", "text", "stop, length, abort …"),
        Column("prompt_tokens", "int", "Tokens of the prompt.", "tokens"),
        Column("completion_tokens", "int", "Tokens that came out.", "tokens"),
        Column("cached_tokens", "int", "Of the prompt, taken from the cache.", "tokens"),
        Column("latency_s", "float", "From arrival to the last token.", "s"),
        Column("printed_timestamp", "text", "ISO time, local.", since="0.5.7"),
        Column("text", "text", "The request and the answer as printed."),
    ),
    process="main",
    multiline=True,
    private=("text",),
)
