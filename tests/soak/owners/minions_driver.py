"""Runs the minions SDK under its own Python: one command a line on stdin, one answer a line on stdout.

A command is a JSON object with `do` and its arguments; the answer is {"ok": …} or {"error": …}. Run by
another Python than the tests', so it uses nothing of theirs."""

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
    """The SDK's client on one folder, opened anew for each command as a program that is run for it."""

    def __init__(self) -> None:
        self._types = list(custom_types)
        self._client: Any = None

    async def types(self, types: list[dict[str, Any]]) -> list[str]:
        """Know these types beside those of minions-memory; the ids of all."""
        self._types = [*custom_types, *map(MinionType.from_dict, types)]
        return [each.id for each in self._types]

    async def read(self, root: str) -> list[dict[str, Any]]:
        """All minions that the SDK loads, each with what is wrong with it by its type's schema."""
        await self._open(root)
        found = await self._client.list_minions(StorageFilter(include_deleted=True))
        return [self._told(each) for each in found]

    async def search(self, root: str, query: str) -> list[str]:
        """The ids that a search finds."""
        await self._open(root)
        return [each.id for each in await self._client.search_minions(query)]

    async def create(self, root: str, slug: str, given: dict[str, Any]) -> str:
        """Create and save; the id."""
        await self._open(root)
        made = (await self._client.create(slug, given)).data
        await self._client.save(made)
        return str(made.id)

    async def update(self, root: str, id: str, given: dict[str, Any]) -> None:
        """Load, update and save."""
        await self._open(root)
        await self._client.save((await self._client.update(await self._client.load(id), given)).data)

    async def mark(self, root: str, id: str, how: str) -> None:
        """soft_delete, restore or remove."""
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

    def _told(self, minion: Any) -> dict[str, Any]:
        kind = self._client.registry.get_by_id(minion.minion_type_id)
        if kind is None:
            return {"minion": minion.to_dict(), "wrong": [f"no type {minion.minion_type_id}"]}
        wrong = [each.to_dict() for each in validate_fields(minion.fields, kind.schema).errors]
        return {"minion": minion.to_dict(), "wrong": wrong}


def main() -> None:
    """Answer until stdin ends."""
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
