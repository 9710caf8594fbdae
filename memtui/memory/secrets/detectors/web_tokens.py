"""Signed and encrypted web tokens: JWT, JWE, and JSON keys with their private part."""

from __future__ import annotations

from memtui.memory.secrets.detector import LONG, prefixed, shaped

DETECTORS = (
    prefixed(
        "jwt",
        "eyJ",
        # Each part but the first starts after a dot, so that it is read once.
        r"[\w-]{11,}\.(?:eyJ[\w-]{4,}\.[\w-]{10,}|[\w-]{0,800}\.[\w-]{10,40}\.[\w-]{10,}\.[\w-]{16,40})",
    ),
    shaped("private-key", '"kty"', r'"(?:d|k)"\s{0,3}:\s{0,3}"(?P<secret>[\w-]{40,2000})"', near=LONG),
)
