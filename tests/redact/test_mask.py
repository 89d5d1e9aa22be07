"""The masking that is always on: prompts, outputs and secrets in lines and arguments."""

from __future__ import annotations

import ast
import json
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logscope.redact import mask_arguments, mask_line, mask_lines, mask_report

REQUEST = "[2026-11-29 12:38:49] Receive: obj=GenerateReqInput(rid='a82c', text={text}, input_ids=None, sampling_params={{'temperature': 0, 'max_new_tokens': 8}}, stream=False)"
FINISH = "Finish: obj=GenerateReqInput(rid='a82c', text='SECRET'), out={'text': 'SECRET', 'output_ids': [1847, 210], 'meta_info': {'id': 'a82c', 'finish_reason': {'type': 'length', 'length': 8}, 'prompt_tokens': 13}}"


def test_prompt_and_output_go_and_what_a_table_reads_stays() -> None:
    shown, masked = mask_line(FINISH)
    assert "SECRET" not in shown
    assert "1847" not in shown
    assert masked == Counter(prompt=1, output=2)
    for kept in ("rid='a82c'", "'id': 'a82c'", "{'type': 'length', 'length': 8}", "'prompt_tokens': 13"):
        assert kept in shown


def test_a_key_that_nobody_knows_is_private() -> None:
    shown, _ = mask_line(
        "Receive: obj=GenerateReqInput(rid='1', brand_new_field='SECRET', other={'SECRET': [1, 2]}, n=3)"
    )
    assert (
        shown
        == "Receive: obj=GenerateReqInput(rid='1', brand_new_field='<prompt: 6 characters masked>', other='<prompt: 2 items masked>', n=3)"
    )


def test_what_the_server_says_of_an_aborted_request_is_evidence() -> None:
    said = "out={'text': 'SECRET', 'meta_info': {'finish_reason': {'type': 'abort', 'message': 'Input length 9 is longer than 4'}}}"
    shown, _ = mask_line(f"Finish: obj=GenerateReqInput(rid='1'), {said}")
    assert "'message': 'Input length 9 is longer than 4'" in shown
    assert "SECRET" not in shown


def test_openai_messages_and_headers_are_masked_as_a_whole() -> None:
    shown, masked = mask_line(
        "Receive OpenAI: obj={'messages': [{'role': 'user', 'content': 'SECRET'}], 'model': 'tiny', 'max_tokens': 18}, headers={'authorization': 'SECRET', 'x': 'SECRET'}"
    )
    assert "SECRET" not in shown
    assert "'model': 'tiny', 'max_tokens': 18" in shown
    assert masked["header"] == 2


def test_json_events_stay_json_and_keep_their_numbers() -> None:
    event = {
        "timestamp": "2026-11-29T12:25:11.118323",
        "event": "request.finished",
        "rid": "r1",
        "obj": {
            "rid": "r1",
            "text": 'SECRET "quoted" \\',
            "input_ids": [5, 6],
            "sampling_params": {"max_new_tokens": 8, "stop": ["SECRET"]},
        },
        "out": {"text": "SECRET\n", "output_ids": [1, 2, 3], "meta_info": {"e2e_latency": 0.5}},
    }
    shown, masked = mask_line(json.dumps(event))
    read = json.loads(shown)
    assert "SECRET" not in shown
    assert read["out"]["meta_info"] == {"e2e_latency": 0.5}
    assert (read["timestamp"], read["event"], read["rid"]) == (event["timestamp"], event["event"], event["rid"])
    assert read["obj"]["sampling_params"]["max_new_tokens"] == 8
    assert masked == Counter(prompt=3, output=2)


@pytest.mark.parametrize("key", ["log", "message", "textPayload"])
def test_a_record_inside_a_collectors_json_is_masked_and_stays_json(key: str) -> None:
    inner = REQUEST.format(text=repr("it's SECRET \n")) + "\n"
    shown, masked = mask_line(json.dumps({key: inner, "nested": {"m": FINISH}, "stream": "stderr"}))
    read = json.loads(shown)
    assert "SECRET" not in shown
    assert read["stream"] == "stderr"
    assert read[key].endswith("stream=False)\n")
    assert masked["prompt"] == 2


def test_a_cut_record_shows_nothing_behind_the_cut() -> None:
    for end in range(len("Receive: obj="), len(FINISH)):
        shown, _ = mask_line(FINISH[:end])
        assert "SEC" not in shown
        assert "1847" not in shown


def test_raw_prompts_of_old_releases_are_masked_up_to_the_answer() -> None:
    shown, _ = mask_line(
        "[12:18:14] in=SECRET, out=SECRET 'x', out={'text': 'SECRET', 'meta_info': {'prompt_tokens': 3}}"
    )
    assert "SECRET" not in shown
    assert "'prompt_tokens': 3" in shown


def test_the_lines_of_a_raw_prompt_are_masked_until_a_framed_line() -> None:
    shown = mask_lines(
        [
            "[2024-05-01 12:00:00] in=SECRET first",
            "SECRET second",
            "  SECRET [12] third, out={'text': 'SECRET', 'meta_info': {'prompt_tokens': 3}}",
            "not of the record",
            "[2024-05-01 12:00:01] in=SECRET",
            "[2024-05-01 12:00:02] Decode batch. #running-req: 1",
        ]
    )
    assert "SECRET" not in "".join(shown)
    assert "'prompt_tokens': 3" in shown[2]
    assert shown[3] == "not of the record"
    assert shown[5] == "[2024-05-01 12:00:02] Decode batch. #running-req: 1"


def test_a_record_that_a_collector_cut_stays_masked_on_its_next_line() -> None:
    for cut in range(20, len(FINISH) - 1):
        check_cut(FINISH[:cut], FINISH[cut:])


def check_cut(first: str, second: str) -> None:
    shown = mask_lines(
        [
            f"2026-11-29T12:00:00.1Z stdout P {first}",
            f"2026-11-29T12:00:00.1Z stdout F {second}",
            "[2026-11-29 12:00:01] next",
        ]
    )
    assert "SEC" not in "".join(shown)
    assert "RET" not in "".join(shown)
    assert "1847" not in "".join(shown)
    assert shown[1].startswith("2026-11-29T12:00:00.1Z stdout F ")
    assert shown[2] == "[2026-11-29 12:00:01] next"


@pytest.mark.parametrize(
    "line",
    [
        "server_args=ServerArgs(model_path='x', api_key='SECRETVALUE', admin_api_key='SECRETVALUE', tp_size=1)",
        "server_args={'api_key': 'SECRETVALUE', 'ssl_keyfile_password': 'SECRETVALUE', 'tp_size': 1}",
        "python -m sglang.launch_server --api-key SECRETVALUE --tp 8",
        "python -m sglang.launch_server --admin-api-key=SECRETVALUE",
        "export OPENAI_API_KEY=SECRETVALUE HF_TOKEN=SECRETVALUE",
        "AWS_SECRET_ACCESS_KEY: SECRETVALUE",
        "headers: Authorization: Bearer SECRETVALUE",
        "authorization: Basic SECRETVALUE==",
        "redis://user:SECRETVALUE@cache:6379/0 and https://:SECRETVALUE@host/x",
        "GET /v1/models?api_key=SECRETVALUE&limit=1",
        "https://bucket.s3.amazonaws.com/x?X-Amz-Signature=SECRETVALUE",
        "login with hf_SECRETVALUEabcdef0123",
        "key sk-SECRETVALUE-0123456789",
        '{"log":"api_key=\\"SECRETVALUE\\"\\n"}',
        'model_loader_extra_config=\'{"hf_token": "SECRETVALUE"}\'',
    ],
)
def test_secrets_are_masked_where_they_are_assigned(line: str) -> None:
    shown, masked = mask_line(line)
    assert "SECRETVALUE" not in shown
    assert sum(masked.values()) >= 1


@pytest.mark.parametrize(
    "line",
    [
        "[2026-11-29 12:00:00 TP0] Decode batch, #running-req: 32, #token: 16095, token usage: 0.05, gen throughput (token/s): 1861.40",
        "api_key=None, admin_api_key=None, ssl_keyfile_password=None",
        "usage: launch_server.py [--api-key API_KEY] [--ssl-keyfile-password SSL_KEYFILE_PASSWORD]",
        "eos_token='</s>', stop_token_ids=[1, 2], tokenizer_path='x', max_total_tokens=5",
        "The api key is missing. No password was given; authorization failed",
        "KeyError: 'prompt_tokens'",
        'File "model.py", line 3, in forward(input_ids, positions)',
        "max_prefill_tokens=16384, prompt_tokens_buckets=None, in=5",
        'INFO:     127.0.0.1:1 - "POST /v1/chat/completions HTTP/1.1" 200 OK',
    ],
)
def test_evidence_stays_as_it_is(line: str) -> None:
    assert mask_line(line) == (line, Counter())


@given(text=st.text(st.characters(codec="utf-8"), max_size=60), kind=st.sampled_from(["repr", "json"]))
def test_no_prompt_survives_whatever_it_holds(text: str, kind: str) -> None:
    marked = f"S3CR3T{text}S3CR3T"
    if kind == "repr":
        line = REQUEST.format(text=repr(marked))
    else:
        line = json.dumps({"timestamp": "t", "event": "request.received", "obj": {"text": marked, "n": 1}})
    shown, masked = mask_line(line)
    assert "S3CR3T" not in shown
    assert masked["prompt"] == 1
    assert mask_line(shown) == (shown, Counter())
    if kind == "json":
        assert json.loads(shown)["obj"]["n"] == 1
    else:
        assert shown.endswith("sampling_params={'temperature': 0, 'max_new_tokens': 8}, stream=False)")


@given(text=st.text(max_size=200))
def test_any_line_can_be_masked_and_masking_twice_is_masking_once(text: str) -> None:
    shown, _ = mask_line(text)
    assert mask_line(shown)[0] == shown


@pytest.mark.parametrize(
    ("before", "unit"),
    [
        ("Receive: obj=GenerateReqInput(text='", "a"),
        ("Receive: obj=X(", "["),
        ("Receive: obj=X(", "'a',"),
        ("Receive: obj=X(", "\\'"),
        ("", "api_key"),
        ("", "prompt: '"),
        ("", "token='"),
        ("", "A"),
    ],
)
def test_the_time_of_a_hostile_line_grows_with_its_length_only(before: str, unit: str) -> None:
    begin = time.process_time()
    mask_line(before + unit * (1_000_000 // len(unit)))
    assert time.process_time() - begin < 4


def test_arguments_lose_their_secrets_and_keep_the_rest() -> None:
    shown = mask_arguments(
        {
            "model_path": "/m",
            "api_key": "SECRET",
            "admin_api_key": None,
            "ssl_keyfile_password": "",
            "nested": {"hf_token": "SECRET", "n": 1},
            "command": ["--api-key SECRET", "--tp 8"],
            "url": "redis://u:SECRET@h:1",
            "max_total_tokens": 5,
            "tokenizer_path": "/m",
        }
    )
    assert "SECRET" not in str(shown)
    assert (shown["admin_api_key"], shown["ssl_keyfile_password"], shown["max_total_tokens"]) == (None, "", 5)
    assert (shown["model_path"], shown["tokenizer_path"], shown["nested"]["n"]) == ("/m", "/m", 1)


def test_no_prompt_of_the_real_request_logs_survives(shared: Path) -> None:
    logs = sorted((shared / "reallogs").glob("*-h-*.log"))
    assert logs
    for path in logs:
        raw = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        shown = mask_lines(raw)
        truth = json.loads(path.with_name(path.name.removesuffix(".log") + ".truth.json").read_text(encoding="utf-8"))
        assert truth
        records = [line for line in shown if "Receive" in line or "Finish" in line or '"event": "request' in line]
        assert records
        assert not [line for line in records if "capital" in line or ("text='" in line and "text='<" not in line)]
        changed = [b for a, b in zip(raw, shown, strict=True) if a != b]
        assert changed
        assert [line for line in changed if line not in records] == []


def test_a_masked_repr_is_still_a_python_literal() -> None:
    shown, _ = mask_line("Receive OpenAI: obj={'messages': [{'content': \"it's\"}], 'n': 1}")
    assert ast.literal_eval(shown.partition("obj=")[2]) == {"messages": "<prompt: 1 items masked>", "n": 1}


def test_a_report_is_masked_wherever_it_quotes_a_log_and_says_how_often() -> None:
    report = {
        "verdict": {"sentence": f"it failed on {FINISH}", "missing": ["api_key='SECRET'"]},
        "launches": [{"arguments": {"api_key": "SECRET", "port": 1}, "configuration": [{"name": "port", "value": 1}]}],
    }
    shown = mask_report(report)
    assert "SECRET" not in str(shown)
    assert shown["redaction"] == {"masked": 5, "kinds": {"output": 2, "prompt": 1, "secret": 2}}
    assert shown["launches"][0]["arguments"]["port"] == 1
    assert mask_report(shown) == shown


@pytest.mark.parametrize(
    "line",
    [
        '[2026-11-29 12:38:57] INFO:     10.0.0.1:3333 - "GET /generate?text=zebra%20mine&stream=true HTTP/1.1" 200 OK',
        "/generate?zebra",
        "  Input should be a valid string [type=string_type, input_value={'text': 'zeb, ra...it's zebra'}, input_type=dict]",
        "  Field required [type=missing, input_value={'prompt': 'zebra, inpu",
        'Parse error: tool call arguments {"city": "zebra"}',
        """Parse error in call: {'name': 'weather', 'arguments': '{"city": "zebra"}'}""",
        """Receive request: {'model': 'm', 'turns': [{'role': 'user', 'content': "it's zebra"}]}""",
        "Bad item: ChatCompletionMessageUserParam(role='user', content='zebra",
        "Bad item: {'type': 'text', 'text': 'zebra'}",
    ],
)
def test_what_a_client_sent_is_masked_outside_of_request_records_too(line: str) -> None:
    shown, masked = mask_line(line)
    assert "zebra" not in shown
    assert masked
    assert mask_line(shown)[0] == shown


@pytest.mark.parametrize(
    "line",
    [
        'INFO:     127.0.0.1:1 - "GET /get_load?dp_rank=0&verbose=True HTTP/1.1" 200 OK',
        "server_args=ServerArgs(tool_call_parser=None, json_model_override_args='{}', sampling_defaults='model')",
        "ValueError: what? /generate takes text or input_ids, content-length: 3",
        "'text_config': {'vocab_size': 3}, 'text': {'vocab_size': 3}",
        "    return function_call(text, content, arguments)",
    ],
)
def test_what_the_server_says_by_itself_stays(line: str) -> None:
    assert mask_line(line) == (line, {})


@pytest.mark.parametrize("key", ["chat_template", "completion_template"])
def test_the_text_of_a_template_is_masked_and_its_name_or_path_is_not(key: str) -> None:
    line = f"[2026-03-04 15:20:05] server_args=ServerArgs(model_path='m', {key}='{{% if a %}}You are Bob{{% endif %}}', tp=1)"
    shown, masked = mask_line(line)
    assert "Bob" not in shown
    assert shown.endswith(", tp=1)")
    assert masked == {"prompt": 1}
    assert mask_line(shown)[0] == shown
    assert mask_arguments({key: "You are Bob"}) == {key: "<masked>"}
    for plain in ("chatml", "/models/a/template.jinja", ""):
        assert mask_line(f"ServerArgs({key}='{plain}')")[0] == f"ServerArgs({key}='{plain}')"
        assert mask_arguments({key: plain}) == {key: plain}
