"""Runs Claude Code against a model server of its own: one MEMORY.md a line on stdin (base64), what the
program sends of it to the model a line on stdout (JSON, null if it sends nothing).

It is started in a network namespace in which only the loopback interface is up, so nothing leaves the
machine. The server answers every question with "ok".
"""

from __future__ import annotations

import base64
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, ClassVar

_LIMIT = 60  # seconds that one run may take
_BEFORE, _AFTER = "conversations):\n\n", "\n</system-reminder>"


class Model(http.server.BaseHTTPRequestHandler):
    """Answers as the API of the models does, and keeps what it was asked."""

    asked: ClassVar[list[Any]] = []
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._reply(404, b"{}")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        self.asked.append(question)
        if "count_tokens" in self.path:
            self._reply(200, b'{"input_tokens": 1}')
        elif "/messages" not in self.path:
            self._reply(404, b"{}")
        elif question.get("stream"):
            events = "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in _events())
            self._reply(200, events.encode(), "text/event-stream")
        else:
            answer = _message() | {"content": [{"type": "text", "text": "ok"}], "stop_reason": "end_turn"}
            self._reply(200, json.dumps(answer).encode())

    def _reply(self, status: int, body: bytes, media_type: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("content-type", media_type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Log nothing: stderr is for what goes wrong."""


def _message() -> dict[str, Any]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": usage}  # fmt: skip


def _events() -> list[dict[str, Any]]:
    return [
        {"type": "message_start", "message": _message()},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ok"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


def sent_of(program: str, home: Path, port: int, index: bytes) -> str | None:
    """Return what the program sends to the model of a MEMORY.md, None if nothing."""
    shutil.rmtree(home, ignore_errors=True)
    project = home / "project"
    project.mkdir(parents=True)
    memory = home / "config" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(project)) / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_bytes(index)
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "CLAUDE_CONFIG_DIR": str(home / "config"),
           "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}", "ANTHROPIC_API_KEY": "none",
           "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
           "DISABLE_TELEMETRY": "1", "DISABLE_ERROR_REPORTING": "1", "TERM": "dumb"}  # fmt: skip
    Model.asked.clear()
    subprocess.run(
        [program, "-p", "hi", "--max-turns", "1"],
        cwd=project, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=_LIMIT, check=True,
    )  # fmt: skip
    for question in list(Model.asked):
        for message in question.get("messages", ()):
            content = message["content"]
            for text in [content] if isinstance(content, str) else [each.get("text", "") for each in content]:
                if "Contents of" in text and "MEMORY.md" in text and _BEFORE in text:
                    return str(text.split(_BEFORE, 1)[1].removesuffix(_AFTER))
    return None


def main() -> None:
    """Answer until stdin ends."""
    program, home = sys.argv[1], Path(sys.argv[2])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for line in sys.stdin:
        index = base64.b64decode(json.loads(line))
        print(json.dumps(sent_of(program, home, server.server_address[1], index)), flush=True)
    server.shutdown()


if __name__ == "__main__":
    main()
