"""Among a thousand memories of five formats, the Inbox has what was planted, each once, and no other."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

from memtui.memory.inbox.items import ESCALATED, KINDS, STORE, InboxItem
from memtui.workspace.workspace import Workspace
from tests.support.sizes import rounds
from tests.support.stores import planted_inbox


def test_each_planted_thing_is_there_once_and_nothing_else(tmp_path: Path) -> None:
    made = planted_inbox.make(tmp_path, rounds(100, 940))
    with closing(Workspace.open(tmp_path / "w.db", clock=lambda: planted_inbox.NOW)) as workspace:
        for name, path in made.paths.items():
            workspace.attach(path, name)
        workspace.sweep_secrets()
        workspace.scan()
        workspace.check_stores()
        inbox = workspace.inbox()
        items = [each for each in inbox.items if each.kind != STORE]
        assert inbox.counts == Counter(each.kind for each in inbox.items)
        for kind, marks in made.marks.items():
            found = [_text(workspace, each) for each in items if each.kind == kind]
            assert len(found) == len(marks), (kind, found)
            assert all(any(mark in label for label in found) for mark in marks), (kind, found)
        assert len(items) == sum(map(len, made.marks.values()))
        assert not [each for each in items if each.kind == ESCALATED]
        ranks = [KINDS.index(each.kind) for each in inbox.items]
        assert ranks == sorted(ranks)
        shown = json.dumps([each.label for each in inbox.items])
        assert not [token for token in made.tokens if token in shown]


def _text(workspace: Workspace, item: InboxItem) -> str:
    contents = [each.content for each in workspace.memories([workspace.find(uid) for uid in item.uids])]
    return " ".join((item.label, *contents))
