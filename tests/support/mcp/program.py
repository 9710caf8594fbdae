"""`memtui mcp` as a program, spoken to byte by byte: over standard input and output, or over HTTP."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx2

VERSION = "2025-06-18"
HELLO = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
_ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
_MCP = (sys.executable, "-m", "memtui", "mcp")
_PATIENCE = 60.0  # seconds for one answer

Message = dict[str, Any]


def message(method: str, id: int | None = None, **params: Any) -> Message:
    """Return a request, or a notification without an id."""
    fields = {"jsonrpc": "2.0", "method": method, "params": params}
    return fields if id is None else {**fields, "id": id}


def encoded(value: Message) -> bytes:
    """Return a message as it is sent; surrogates are escaped."""
    return json.dumps(value).encode()


class Program:
    """A server of the agent scout on a workspace, without a model. A context manager."""

    def __init__(self, workspace: Path, *options: str, agent: str = "scout") -> None:
        self.workspace = workspace
        settings = workspace.parent / "settings.toml"
        settings.parent.mkdir(exist_ok=True)
        settings.write_text('model = "off"\n', "utf-8")
        self.environment = {**os.environ, "MEMTUI_SETTINGS": str(settings)}
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - a pipe that nobody reads would fill
        words = [
            sys.executable,
            "-m",
            "memtui",
            "mcp",
            "--as",
            agent,
            "--workspace",
            str(workspace),
            *options,
        ]
        self.process = subprocess.Popen(
            words,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self._last = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for each in (self.process.stdin, self.process.stdout):
            assert each is not None
            with suppress(BrokenPipeError):
                each.close()
        self._errors.close()

    def request(self, method: str, **params: Any) -> Message:
        """Send a request and return its answer."""
        self._last += 1
        return self.answer(encoded(message(method, self._last, **params)), self._last)

    def call(self, tool: str, **arguments: Any) -> Message:
        """Call a tool and return its result."""
        result: Message = self.request("tools/call", name=tool, arguments=arguments)["result"]
        return result

    def answer(self, data: bytes, id: int) -> Message:
        """Send bytes, and return the answer with this id."""
        self.send(data)
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            found: Message = json.loads(line)
            if found.get("id") == id:
                return found
        raise AssertionError(f"the server ended: {self.errors()}")

    def answer_to_line(self, data: bytes) -> bytes:
        """Send bytes, and return the next line."""
        self.send(data)
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def send(self, data: bytes) -> None:
        """Send bytes, with the end of a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def greet(self) -> None:
        """Begin a session."""
        assert "result" in self.request("initialize", **HELLO)
        self.send(encoded(message("notifications/initialized")))

    def errors(self) -> str:
        """Return what is on standard error until now."""
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")


class HttpProgram(Program):
    """A server over HTTP, with a client that has the token."""

    def __init__(self, workspace: Path, *options: str, agent: str = "scout") -> None:
        super().__init__(workspace, "--http", "0", *options, agent=agent)
        while not (found := re.search(r"at (http://\S+)\n", self.errors())):
            assert self.process.poll() is None, self.errors()
            time.sleep(0.02)  # a loop without it would take the processor from the server that starts
        self.url = found[1]
        self.token = workspace.with_name(f"{workspace.name}.token").read_text("ascii").strip()
        self.client = httpx2.Client(timeout=_PATIENCE)
        self.session: dict[str, str] = {}

    def print_token(self, option: str) -> str:
        """Return the token that the program prints."""
        words = [sys.executable, "-m", "memtui", "mcp", option, "--workspace", str(self.workspace)]
        return subprocess.run(
            words, env=self.environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    def post(self, data: bytes, **headers: str) -> httpx2.Response:
        """Send bytes as a request of HTTP."""
        token = {"Authorization": f"Bearer {self.token}"}
        given = {**_ACCEPT, **token, **self.session, **headers}
        return self.client.post(self.url, content=data, headers=given)

    def answer(self, data: bytes, id: int) -> Message:
        """Send bytes, and return the answer with this id, or the error that is no answer to any."""
        response = self.post(data)
        if found := response.headers.get("mcp-session-id"):
            self.session = {"Mcp-Session-Id": found}
        for line in response.text.splitlines():
            if line.startswith("data: ") or response.headers["content-type"] == "application/json":
                value: Message = json.loads(line.removeprefix("data: "))
                if value.get("id") in (id, None):
                    return value
        raise AssertionError(f"no answer: {response.status_code} {response.text}")

    def send(self, data: bytes) -> None:
        """Send bytes of which no answer is wanted."""
        self.post(data)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()
        super().__exit__(kind, error, trace)
