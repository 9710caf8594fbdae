"""What an agent's program says of an event (FORMATS 13): of any form, so nothing is taken for granted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memtui.formats.contract.records import clean

if TYPE_CHECKING:
    from memtui.values import Json, JsonObject

_LONGEST = 200_000  # characters of one text; of a longer one the end says how it went


class Payload:
    """The members of the JSON object that a hook is given."""

    def __init__(self, members: Mapping[str, Json]) -> None:
        self._members = members

    @classmethod
    def read(cls, given: bytes) -> Payload:
        """Read it; raise ValueError for what is no JSON object."""
        try:
            members = json.loads(given)
        except RecursionError:
            raise ValueError("nested too deep") from None
        if not isinstance(members, dict):
            raise ValueError("no object")
        return cls(members)

    def text(self, name: str) -> str:
        """Return a text, "" if there is none."""
        found = self._members.get(name)
        return clean(found[-_LONGEST:]) if isinstance(found, str) else ""

    def flag(self, name: str) -> bool:
        """Return whether a member is true."""
        return self._members.get(name) is True

    def part(self, name: str) -> Payload:
        """Return the object within, one without members if there is none."""
        found = self._members.get(name)
        return Payload(found if isinstance(found, dict) else {})

    def number(self, name: str) -> int | None:
        """Return a whole number, None if there is none."""
        found = self._members.get(name)
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def parts(self, name: str) -> list[Payload]:
        """Return the objects in a list, none if there is no list."""
        found: JsonObject | Json = self._members.get(name)
        return [Payload(each) for each in found if isinstance(each, dict)] if isinstance(found, list) else []

    def is_false(self, name: str) -> bool:
        """Return whether a member is false."""
        return self._members.get(name) is False
