"""Passwords of connection strings: ADO, ODBC and JDBC, libpq, Oracle."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.memory.secrets.detector import Detector, compiled, shaped

# The other parts of such a string, one of which stands next to the password.
_OTHER = (
    r"(?i:\b(?:server|host|hostname|hostaddr|data source|datasource|addr|address|dsn"
    r"|driver|database|initial catalog|uid"
    r"|user id|userid|user|username|dbname|port|provider|endpoint|encrypt|ssl|sslmode|abortconnect)\s?=)"
)
_PASSWORD = (
    r"[pP](?:(?i:assword)|(?i:wd))\s?=\s?(?:'(?P<quoted>[^'\n]{1,200})'|\"(?P<double>[^\"\n]{1,200})\""
    r"|\{(?P<braces>[^}\n]{1,200})\}|(?P<plain>[^;,\s\"'{][^;,\s\"']{0,200}))"
)
_NEAR = 120  # characters on each side in which another part stands


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for match in compiled(_PASSWORD).finditer(text):
        before = text[max(0, match.start() - _NEAR) : match.start()].rpartition("\n")[2]
        after = text[match.end() : match.end() + _NEAR].partition("\n")[0]
        if before[-1:] in ("?", "&"):
            continue  # of an address
        if (";" in before[-3:] or ";" in after[:3] or before[-1:] in (" ", ",")) and compiled(_OTHER).search(
            before + " " + after
        ):
            yield match.span(match.lastgroup or 0)


DETECTORS = (
    Detector("connection-password", ("password=", "password =", "pwd=", "pwd ="), _spans),
    shaped(
        "connection-password",
        "jdbc:oracle:",
        r"jdbc:oracle:[a-z0-9]{1,8}:[\w.-]{1,64}/(?P<secret>[^@\s/]{1,100})@",
    ),
)
