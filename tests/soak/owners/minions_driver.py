"""Runs the minions SDK under its own Python: one command a line on stdin, one answer a line on stdout.

A command is a JSON object with `do` and its arguments; the answer is {"ok": …} or {"error": …}. This program
runs under another Python than the tests, so it imports nothing of theirs.
"""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from typing import Any

from minions import MinionType, validate_fields  # type: ignore[import-not-found]
from minions.client import Minions  # type: ignore[import-not-found]
from minions.storage import JsonFileStorageAdapter, StorageFilter  # type: ignore[import-not-found]
from minions_memory import custom_types  # type: ignore[import-not-found]


class Driver:
    """The SDK's client for one folder; it is reopened for each command, as by a new program."""

    def __init__(self) -> None:
        self._types = list(custom_types)
        self._client: Any = None

    async def types(self, types: list[dict[str, Any]]) -> list[str]:
        """Register these types besides those of minions-memory; return the ids of all."""
        self._types = [*custom_types, *map(MinionType.from_dict, types)]
        return [each.id for each in self._types]

    async def read(self, root: str) -> list[dict[str, Any]]:
        """Return all minions that the SDK loads, each with its violations of the type's schema."""
        await self._open(root)
        found = await self._client.list_minions(StorageFilter(include_deleted=True))
        return [self._to_dict(each) for each in found]

    async def search(self, root: str, query: str) -> list[str]:
        """Return the ids that a search finds."""
        await self._open(root)
        return [each.id for each in await self._client.search_minions(query)]

    async def create(self, root: str, slug: str, given: dict[str, Any]) -> str:
        """Create and save a minion; return its id."""
        await self._open(root)
        created = (await self._client.create(slug, given)).data
        await self._client.save(created)
        return str(created.id)

    async def update(self, root: str, id: str, given: dict[str, Any]) -> None:
        """Load, update and save a minion."""
        await self._open(root)
        await self._client.save((await self._client.update(await self._client.load(id), given)).data)

    async def mark(self, root: str, id: str, how: str) -> None:
        """Run soft_delete, restore or remove."""
        await self._open(root)
        minion = await self._client.load(id)
        if how == "remove":
            await self._client.remove(minion)
        else:
            await self._client.save((await getattr(self._client, how)(minion)).data)

    async def _open(self, root: str) -> None:
        self._client = Minions(storage=await JsonFileStorageAdapter.create(root))
        for each in self._types:
            self._client.registry.register(each)

    def _to_dict(self, minion: Any) -> dict[str, Any]:
        kind = self._client.registry.get_by_id(minion.minion_type_id)
        if kind is None:
            return {"minion": minion.to_dict(), "errors": [f"no type {minion.minion_type_id}"]}
        errors = [each.to_dict() for each in validate_fields(minion.fields, kind.schema).errors]
        return {"minion": minion.to_dict(), "errors": errors}


def main() -> None:
    """Answer commands until stdin ends."""
    driver = Driver()
    for line in sys.stdin:
        command = json.loads(line)
        try:
            answer = {"ok": asyncio.run(getattr(driver, command.pop("do"))(**command))}
        except Exception:
            answer = {"error": traceback.format_exc(limit=-3)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
