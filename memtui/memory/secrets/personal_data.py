"""Whether personal data, e-mail addresses and phone numbers, is treated as secrets are (S-62)."""

from __future__ import annotations

from memtui.memory.secrets import masking, registry

KINDS = ("email", "phone")


def include(*, on: bool) -> None:
    """Find personal data from now on, in all of this process, or leave it."""
    if registry.with_personal_data() != on:
        registry.include_personal_data(on)
        masking.forget()
