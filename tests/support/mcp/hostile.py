"""Random and hostile calls of the MCP server, from a seed: wrong types, huge and deep values, texts that
break out, unknown names, broken messages."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any

from tests.support.mcp.program import HELLO, Program, encoded, message

_TOOLS = {
    "memory_store": ("content", "category", "key", "subject", "tags", "confidence", "expires", "scope"),
    "memory_recall": ("query", "subject", "category", "strategy", "limit"),
    "memory_list": ("category", "limit"),
    "memory_update": ("id", "content"),
    "memory_forget": ("id",),
    "memory_reinforce": ("id",),
    "memory_query": ("text", "limit"),
    "memory_get": ("key",),
    "memory_by_company": ("company_id", "limit"),
    "memory_by_plugin": ("plugin", "limit"),
    "memory_delete": ("key",),
    "memory_contradictions": ("limit",),
    "memory_summarize_session": ("narrative", "key_facts", "token_count"),
    "no_such_tool\x1b[31m": ("x",),
}
_TEXTS = [
    *("", " ", "\0", "a\0b", "\ud800", "\udfff\ud800", "\u202e\u200b", "\x1b]0;x\x07", "[bold]", "NaN", "-0"),
    *(
        "'; DROP TABLE x",
        "9" * 400,
        "memory://x",
        "../../etc/passwd",
        "*",
        "NEAR(",
        '"',
        "AND OR NOT",
        "tag:",
    ),
    "😀" * 50,
]
_BROKEN = [
    *(b"", b"{", b"no message", b"[]", b"null", b"\xff\xfe\x00", b'{"jsonrpc":"2.0"', b"\0" * 100, b"1e999"),
    *(b'"\\ud800"', b"[" * 5_000, b'{"jsonrpc":"1.0","id":1,"method":"ping"}'),
    b'{"jsonrpc":"2.0","id":{},"method":1}',
    b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    b'{"jsonrpc":"2.0","method":"notifications/nothing"}',
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}',
    b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1,"result":{}}',
]
_METHODS = [
    *("tools/call", "tools/list", "resources/read", "prompts/get", "completion/complete", "logging/setLevel"),
    *("resources/subscribe", "ping", "nothing/such", "", "initialize", "server/discover", "tasks/get"),
]


@dataclass(frozen=True, slots=True)
class Hostile:
    """What is sent: a request with an id that has to be answered, or bytes that are none."""

    data: bytes
    id: int | None


class HostileCalls:
    """Makes hostile calls."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def next(self, id: int) -> Hostile:
        """Return the next; `id` is that of its request, if it is one."""
        kind = self._random.random()
        if kind < 0.15:
            return Hostile(self._random.choice(_BROKEN), None)
        if kind < 0.3:
            method = self._random.choice(_METHODS)
            params = self._value(3)
            return Hostile(encoded({**message(method, id), "params": params}), id)
        if kind < 0.4:
            uri = f"memory://{self._text()}"
            return Hostile(encoded(message("resources/read", id, uri=uri)), id)
        if kind < 0.45:
            version = {**HELLO, "protocolVersion": self._value(1)}
            return Hostile(encoded(message("initialize", id, **version)), id)
        tool, names = self._random.choice(list(_TOOLS.items()))
        arguments = {each: self._value(2) for each in names if self._random.random() < 0.7}
        if self._random.random() < 0.1:
            arguments[self._text()] = 1
        return Hostile(encoded(message("tools/call", id, name=tool, arguments=arguments)), id)

    def _value(self, depth: int) -> Any:
        kind = self._random.randrange(9 if depth else 6)
        match kind:
            case 0 | 1:
                return self._text()
            case 2:
                return self._random.choice([0, -1, 1, 3, 10**30, 2**63, -(2**63) - 1, 1e308, True])
            case 3:
                return None
            case 4:
                return "x" * self._random.choice([499, 501, 100_000, 1_100_000])
            case 5:
                return json.loads("[" * 60 + "]" * 60)
            case 6:
                return [self._value(depth - 1) for _ in range(self._random.randrange(4))]
            case _:
                return {self._text(): self._value(depth - 1) for _ in range(self._random.randrange(4))}

    def _text(self) -> str:
        return self._random.choice(_TEXTS)


def attack(server: Program, seed: int, calls: int) -> list[str]:
    """Send hostile calls to a server that was greeted; return what went wrong, as lines. A request has to be
    answered, and the server has to serve after each."""
    hostile = HostileCalls(seed)
    wrong: list[str] = []
    for number in range(calls):
        id = 1_000_000 + 2 * number
        sent = hostile.next(id)
        try:
            if sent.id is None:
                server.send(sent.data)
                answer = server.answer(encoded(message("ping", id)), id)
            else:
                answer = server.answer(sent.data, sent.id)
        except Exception as error:
            return [*wrong, f"seed {seed}, call {number}: {error} after {sent.data[:300]!r}"]
        if "result" not in answer and "error" not in answer:
            wrong.append(f"seed {seed}, call {number}: {answer} to {sent.data[:300]!r}")
    stored = server.call("memory_store", content="Still here.", category="fact", key=f"after-{seed}")
    if stored.get("isError"):
        wrong.append(f"seed {seed}: not usable after: {stored}")
    if "Traceback" in server.errors():
        wrong.append(f"seed {seed}: {server.errors()[-500:]}")
    return wrong
