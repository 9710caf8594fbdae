"""`memtui mcp --http`: who is let in, and that what holds over standard input holds there, too."""

from __future__ import annotations

import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.agents.mcp.calling import Calls
from tests.support.mcp.hostile import attack
from tests.support.mcp.program import HELLO, HttpProgram, encoded, message
from tests.support.sizes import rounds

GREETING = encoded(message("initialize", 1, **HELLO))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpProgram]:
    with HttpProgram(tmp_path_factory.mktemp("http") / "own" / "w.db") as running:
        running.greet()
        yield running


def test_only_who_has_the_token_and_comes_from_no_page_is_let_in(server: HttpProgram) -> None:
    port = server.url.split(":")[2].split("/")[0]
    for given in (
        {"Authorization": ""},
        {"Authorization": "Bearer x"},
        {"Authorization": f"Basic {server.token}"},
    ):
        response = server.post(GREETING, **given)
        assert (response.status_code, response.headers["www-authenticate"]) == (401, "Bearer")
        assert "memtui mcp --show-token" in response.text
    for given, code in (
        ({"Host": "evil.example"}, 421), ({"Host": "127.0.0.1"}, 421), ({"Host": "localhost:1"}, 421),
        ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Host": f"LOCALHOST:{port}", "Origin": f"http://localhost:{port}"}, 200),
    ):  # fmt: skip
        assert server.post(GREETING, **given).status_code == code, given
    assert server.post(b"x" * (9 << 20)).status_code == 413
    assert server.client.get(server.url.replace("/mcp", "/x")).status_code == 401
    assert "Traceback" not in server.errors()


def test_who_has_no_token_keeps_nobody_out(server: HttpProgram) -> None:
    port = int(server.url.split(":")[2].split("/")[0])
    refused = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 9000\r\n\r\n".encode()
    with ExitStack() as opened:
        for _ in range(120):
            connection = opened.enter_context(socket.create_connection(("127.0.0.1", port)))
            connection.sendall(refused)
            assert connection.recv(4_000).startswith(b"HTTP/1.1 401 ")
            connection.sendall(b"x")  # it goes on sending
        assert server.post(GREETING).status_code == 200


async def test_a_client_of_the_sdk_is_served_in_both_protocols(server: HttpProgram) -> None:
    headers = {"Authorization": f"Bearer {server.token}"}
    for mode in ("legacy", "auto"):
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(server.url, http_client=http), mode=mode) as client,
        ):
            await _use_all(Calls(client), mode)


async def _use_all(call: Calls, name: str) -> None:
    """Use every tool, resource and prompt; the client holds the answers against their schemas."""
    tools = {each.name for each in (await call.client.list_tools()).tools}
    fact = {"content": f"The port of {name} is 8080.", "category": "fact", "key": name, "subject": name}
    stored = await call("memory_store", **fact, company_id=name, source_plugin=name)
    arguments: dict[str, dict[str, object]] = {
        "memory_recall": {"query": f"port of {name}"},
        "memory_list": {"category": "fact"},
        "memory_query": {"text": f"port of {name}"},
        "memory_get": {"key": name},
        "memory_by_company": {"company_id": name},
        "memory_by_plugin": {"plugin": name},
        "memory_contradictions": {},
        "memory_reinforce": {"id": stored["id"]},
        "memory_update": {"id": stored["id"], "content": f"The port of {name} is 9090."},
        "memory_delete": {"key": name},
        "memory_summarize_session": {"narrative": f"We moved {name}."},
    }
    for tool, given in arguments.items():
        answer = await call(tool, **given)
        if tool not in ("memory_contradictions", "memory_summarize_session"):
            assert name in str(answer) or stored["id"] in str(answer), tool
    again = await call("memory_store", **fact)
    await call("memory_forget", id=again["id"])
    assert tools == {"memory_store", "memory_forget", *arguments}
    for uri in ("memory://context", "memory://inbox", f"memory://{again['id']}"):
        assert await call.read(uri)
    assert (await call.client.get_prompt("session_start", {"project": name})).messages


def test_hostile_calls_are_answered_each(server: HttpProgram) -> None:
    assert attack(server, seed=12, calls=rounds(60, 1_000)) == []


def test_a_new_token_counts_at_once(tmp_path: Path) -> None:
    with HttpProgram(tmp_path / "own" / "w.db") as server:
        server.greet()
        file = server.workspace.with_name("w.db.token")
        assert file.stat().st_mode & 0o777 == 0o600
        assert server.print_token("--show-token") == server.token
        old = {"Authorization": f"Bearer {server.token}"}
        stream = server.client.stream(
            "GET", server.url, headers={**old, **server.session, "Accept": "text/event-stream"}
        )
        with stream as opened:
            assert opened.status_code == 200
            server.token = server.print_token("--new-token")
            assert server.post(GREETING, **old).status_code == 401
            assert server.post(GREETING).status_code == 200
            with pytest.raises(httpx2.RemoteProtocolError):  # it is cut off
                opened.read()
        file.chmod(0o644)
        assert server.post(GREETING).status_code == 401
        file.unlink()
        file.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(subprocess.CalledProcessError):
            server.print_token("--show-token")
        assert not (tmp_path / "elsewhere").exists()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(60) == 0
