"""Keys of Amazon Web Services: ids by their prefix, the secret by the name next to it."""

from __future__ import annotations

from memtui.memory.secrets.detector import LONG, prefixed, shaped

_NAME = r"(?i:[_-]?(?:secret[_ -]?)?access[_ -]?key|[_-]?secret(?:[_ -]?key)?)"
_BETWEEN = r"[\"'`*]{0,3}\s{0,3}(?:[:=|]|=>|is)?\s{0,3}[\"'`*]{0,3}"
_SECRET = r"(?P<secret>(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"

DETECTORS = (
    prefixed("aws-key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}(?![A-Za-z0-9_])"),
    prefixed("aws-key", "ABSK", r"[A-Za-z0-9+/]{100,200}={0,2}"),
    # Forty characters with no sign of their own: after a name, or in the same line as a key's id.
    shaped(
        "aws-secret",
        "aws secretaccesskey secret_access_key",
        r"[aAsS](?:(?i:ws)|(?i:ecret))" + _NAME + _BETWEEN + _SECRET,
        r"[aA](?i:ws)(?i:[ _-]{1,2}secret[^\n]{0,24}?[\s:=\"'`])" + _SECRET,
        near=LONG,
    ),
    shaped("aws-secret", "akia asia", r"A[KS]IA[A-Z0-9]{16}[^\nA-Za-z0-9][^\n]{0,60}?" + _SECRET, near=LONG),
    shaped(
        "aws-secret",
        "session_token sessiontoken",
        r"[sS](?i:ession_?token)" + _BETWEEN + r"(?P<secret>[FI][A-Za-z0-9/+]{100,2000}={0,2})",
        near=LONG,
    ),
)
