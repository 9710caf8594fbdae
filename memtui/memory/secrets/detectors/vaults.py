"""Tokens of tools that keep secrets or manage infrastructure, and age keys."""

from __future__ import annotations

from memtui.memory.secrets.detector import INSIDE, prefixed, shaped

DETECTORS = (
    prefixed("vault-token", "hvs. hvb. hvr.", r"[\w-]{24,}"),
    prefixed("vault-token", "s.", r"[A-Za-z0-9]{24}(?![\w.])", composed=True),
    shaped(
        "terraform-token",
        ".atlasv1.",
        r"(?P<secret>(?<![\w.])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,80})",
        near=INSIDE,
    ),
    prefixed("pulumi-token", "pul-", r"[0-9a-f]{40}(?![\w-])"),
    prefixed("onepassword-token", "ops_eyJ", r"[\w+/=-]{60,}"),
    prefixed("onepassword-key", "A3-", r"[A-Z0-9]{6}-(?:[A-Z0-9]{5,6}-){3,4}[A-Z0-9]{5}(?![\w-])"),
    prefixed(
        "doppler-token",
        "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
        r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}",
    ),
    prefixed("age-key", "AGE-SECRET-KEY-1", r"[0-9A-Z]{50,}"),
)
