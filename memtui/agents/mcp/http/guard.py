"""Who may talk to the server: requests to its own address, from no web page, with the token."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from memtui.agents.mcp import wording_http
from memtui.agents.mcp.http import token
from memtui.errors import Refused

PATH = "/mcp"
_CHECKED = 0.25  # seconds between two looks at the token while answers are under way
_HTTP_PORT = 80  # is left out of addresses
_LET_IN = "memtui.let_in"  # in the state of a request
_log = logging.getLogger(__name__)


class Guard:
    """Lets requests through to `app`. The token is read for each, so that a new one counts at once: what was
    let in by an old one is cut off."""

    def __init__(self, app: ASGIApp, file: Path, port: int) -> None:
        self._app = app
        self._file = file
        names = ("127.0.0.1", "localhost")
        self._hosts = {f"{name}:{port}" for name in names} | set(names if port == _HTTP_PORT else ())
        self._origins = {f"http://{host}" for host in self._hosts}
        self._answering: dict[anyio.CancelScope, str] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = Headers(scope=scope)
        given = _bearer(headers)
        if refusal := self._refusal(headers, given, scope["path"]):
            await refusal(scope, receive, send)
            return
        scope["state"][_LET_IN] = True
        with anyio.CancelScope() as answering:
            self._answering[answering] = given
            try:
                await self._app(scope, receive, send)
            finally:
                del self._answering[answering]

    async def watch(self) -> None:
        """Cut off, for ever, what was let in by a token that is replaced."""
        while True:
            await anyio.sleep(_CHECKED)
            current = self._current() if self._answering else ""
            for answering, given in list(self._answering.items()):
                if not _same(given, current):
                    answering.cancel()

    def _refusal(self, headers: Headers, given: str, path: str) -> Response | None:
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return PlainTextResponse(wording_http.WRONG_HOST, 421)
        if any(each.lower() not in self._origins for each in origins):
            return PlainTextResponse(wording_http.WRONG_ORIGIN, 403)
        if not _same(given, self._current()):
            return PlainTextResponse(wording_http.WRONG_TOKEN, 401, {"WWW-Authenticate": "Bearer"})
        if path != PATH:
            return PlainTextResponse(wording_http.WRONG_PATH.format(path=PATH), 404)
        return None

    def _current(self) -> str:
        """Return the token, "" if there is none that can be used."""
        try:
            return token.read(self._file) or ""
        except Refused as refusal:
            _log.warning(wording_http.TOKEN_UNUSABLE, refusal.message)
            return ""


def was_let_in(scope: Mapping[str, Any]) -> bool:
    """Return whether a request was let in."""
    return _LET_IN in scope["state"]


def _bearer(headers: Headers) -> str:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    several = len(headers.getlist("authorization")) > 1
    return "" if several or scheme.lower() != "bearer" else given.strip()


def _same(given: str, current: str) -> bool:
    return bool(current) and hmac.compare_digest(given.encode(), current.encode())
