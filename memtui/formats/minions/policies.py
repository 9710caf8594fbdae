"""What a policy minion says about an agent: scopes, the most memories in each, an expiry, patterns (S-61)."""

from __future__ import annotations

import re

from memtui.formats.contract.records import clean
from memtui.formats.minions.json_decode import decode, text_of
from memtui.memory.policies import stated
from memtui.values import Json, JsonObject


def read(fields: JsonObject) -> str:
    """Return what the fields of a policy minion say, as `SideRecord.data`. A member that is not there, or is
    null, limits nothing; an empty list of scopes allows none."""
    scopes = fields.get("allowedScopes")
    return stated.dump(
        None if scopes is None else _texts(scopes),
        _number(fields.get("maxItemsPerScope")),
        clean(text_of(fields.get("defaultExpiry"))).strip(),
        _texts(fields.get("sensitiveKeyPatterns")),
    )


def _texts(value: Json) -> list[str]:
    """Return the texts of a list, of a text that is a list written as text, or of one with commas."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        value, _ = decode(value.encode("utf-8", "replace"))
    found = value if isinstance(value, list) else re.split("[,\n]", text_of(value))
    texts = (" ".join(clean(text_of(each)).split()) for each in found)
    return [text for text in texts if text]


def _number(value: Json) -> str:
    """Return a whole number as text, whatever else there is as it is."""
    whole = isinstance(value, float) and value.is_integer()
    return f"{value:.0f}" if whole else clean(text_of(value)).strip()
