"""The rows of projects' files that a person trusted (S-63); `own_states` journals their changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memtui.memory.rules.file.trusting import TrustedFile
from memtui.values import Fields
from memtui.workspace.db.models import RuleFile

if TYPE_CHECKING:
    from memtui.workspace.context import Context


def listed(ctx: Context) -> list[TrustedFile]:
    """Return the files that are trusted, by path."""
    return [_file(row) for row in ctx.db.fetch(RuleFile.select().order_by(RuleFile.path))]


def fields_of(file: TrustedFile) -> Fields:
    """Return a file as it is journaled."""
    return {"project": file.project, "digest": file.digest, "at": file.at, "on": list(file.on)}


def now(ctx: Context, store_id: int, key: str) -> Fields:
    """Return the fields of the file with the path `key`, {} if it is not trusted."""
    row = ctx.db.find(RuleFile, key)
    return {} if row is None else fields_of(_file(row))


def put(ctx: Context, store_id: int, key: str, fields: Fields) -> None:
    """Set them."""
    if fields:
        row = {name: fields[name] for name in ("project", "digest", "at")}
        rules_on = json.dumps(list(fields["on"]), ensure_ascii=False)
        ctx.db.write(RuleFile.insert(row | {"path": key, "rules_on": rules_on}).on_conflict_replace())
    else:
        ctx.db.write(RuleFile.delete().where(RuleFile.path == key))


def _file(row: RuleFile) -> TrustedFile:
    return TrustedFile(row.path, row.project, row.digest, row.at, tuple(json.loads(row.rules_on)))
