r"""What a client was told: error bodies and the messages of command-line clients, where they stand in the same text.

Sample
    #@ 0.1.15..0.5.23
    curl: (7) Failed to connect to localhost port 30000 after 0 ms: Connection refused
    {"object":"error","message":"The input (4169 tokens) is longer than the model's context length (2048 tokens).","type":"BadRequestError","param":null,"code":400}
    {"error":{"message":"model overloaded","type":"server_error","code":503}}
    HTTP/1.1 503 Service Unavailable
    < HTTP/1.1 200 OK

Meaning
    The client's side of a refusal or of a server that is not there; it has no clock.

Source
    curl; SGLang `entrypoints/openai/serving_base.py` (error body).
"""

from __future__ import annotations

from logscope.family import Column, Family, Shape

FAMILY = Family(
    shapes=(
        Shape(r"curl: \((?P<code>\d+)\) (?P<message>.*)", ("curl: (",), sets={"client": "curl"}),
        Shape(
            r"\{\"(?:object\": ?\"error\"|error\": ?\{)(?=.*?\"message\": ?\"(?P<message>(?:[^\"\\]|\\.)*)\")(?:(?=.*?\"type\": ?\"(?P<kind>[^\"]*)\"))?(?:(?=.*?\"code\": ?(?P<code>\d+)))?"
            r"(?:(?=.*?\((?P<input_tokens>\d+) tokens\) (?:is longer than|exceeds) the [\w' ]+ \((?P<limit_tokens>\d+) tokens\)))?.*\}\s*",
            ('{"object"', '{"error"'),
            sets={"client": "http"},
        ),
        Shape(
            r"(?:< )?HTTP/[\d.]+ (?P<code>\d{3})(?: (?P<message>.*))?", ("HTTP/", "< HTTP/"), sets={"client": "http"}
        ),
    ),
    columns=(
        Column("client", "text", "curl or http."),
        Column("code", "int", "Status code, or curl's exit code."),
        Column("kind", "text", "Type of the error."),
        Column("input_tokens", "int", "Length of a request that was refused for it.", "tokens"),
        Column("limit_tokens", "int", "What is allowed.", "tokens"),
        Column("message", "text", "The message. It can hold parts of a prompt."),
    ),
    private=("message",),
)
