"""Redacting in a Cognitive Memory tree: the file, its edges, links, episodes, index and names (S-62)."""

from __future__ import annotations

import json
from pathlib import Path

from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import Clock, refusal
from tests.support.empty_workspace import create_empty
from tests.support.stores import cognitive
from tests.support.stores.files import read_tree
from tests.workspace.secrets.test_redact import REDACTED, SECRET
from tests.workspace.secrets.test_redact_names import assert_gone, id_of, plain

SLUG = SECRET.casefold()
TITLE, NEW_SLUG = f"Fixed Redis {SECRET} timeouts", "fixed-redis-redacted-aws-key-timeouts"
OLD_SLUG = f"fixed-redis-{SLUG}-timeouts"


def with_secret(text: str) -> str:
    """Return a file of the sample in which the Redis memory has the secret wherever it is named."""
    for old, new in (
        ("fixed-redis-connection-timeouts", OLD_SLUG),
        ("Fixed Redis connection timeouts", TITLE),
        ("fixed-redis--SOLVES", f"fixed-redis-{SLUG}--SOLVES"),
        ("Keepalive prevents", f"Keepalive {SECRET} prevents"),
        ("Added socket_keepalive", f"Added {SECRET} socket_keepalive"),
        ("redis, timeout, production", f"redis, {SECRET}, production"),
        ('"session 12"  # nobody', f'"session {SECRET}"  # {SECRET} nobody'),
        ("The keepalive fix", f"The {SECRET} fix"),
        ("Keepalive is on", f"Keepalive is {SECRET}"),
        ("10:30 - Fixed Redis", f"10:30 - Fixed {SECRET}"),
        ('"timeout",', f'"{SECRET}",'),
        ("[Redis](", f"[{TITLE}]("),
    ):
        text = text.replace(old, new)
    return text


def as_text(content: str | bytes) -> str:
    return content if isinstance(content, str) else content.decode()


FILES = {with_secret(name): with_secret(as_text(data)) for name, data in cognitive.FILES.items()}


def without(tree: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files as they are with the secret redacted in all of them."""

    def redacted(text: bytes) -> bytes:
        text = text.replace(OLD_SLUG.encode(), NEW_SLUG.encode()).replace(SLUG.encode(), b"redacted-aws-key")
        return text.replace(SECRET.encode(), REDACTED.encode())

    return {redacted(path.encode()).decode(): redacted(data) for path, data in tree.items()}


def attached(tmp_path: Path, files: dict[str, str]) -> Workspace:
    cognitive.make(tmp_path / "s", files)
    workspace = Workspace.open(create_empty(tmp_path / "w" / "workspace.db"), clock=Clock())
    workspace.attach(tmp_path / "s", "tree")
    return workspace


def test_a_memory_is_redacted_in_all_files_and_renamed(tmp_path: Path) -> None:
    workspace = attached(tmp_path, FILES)
    before = read_tree(tmp_path / "s")
    id, near = id_of(workspace, "socket_keepalive"), id_of(workspace, "Idle sockets")
    workspace.edit([id], {"title": f"Mended Redis {SECRET} timeouts"})
    workspace.pin([id])
    workspace.edit([id], {"content": f"Changed {SECRET}."})
    workspace.edit([near], {"importance": 0.6})
    workspace.dismiss([id])
    workspace.undo()
    redacted = workspace.redact([id])
    assert not any("can no longer be undone" in note for note in redacted.notes)
    assert (tmp_path / "s" / "vault" / "mended-redis-redacted-aws-key-timeouts-a1b2c3.md").exists()
    assert_gone(tmp_path, redacted.backups)
    assert workspace.pull().total == 0
    index = json.loads((tmp_path / "s" / "_index.json").read_text())["entries"][cognitive.REDIS]
    assert index["title"] == f"Mended Redis {REDACTED} timeouts"
    for _ in range(4):
        workspace.undo()
    assert workspace.pull().total == 0
    assert plain(read_tree(tmp_path / "s")) == plain(without(before))
    assert_gone(tmp_path, redacted.backups)
    workspace.redo()
    assert workspace.memories([id])[0].title == f"Mended Redis {REDACTED} timeouts"
    workspace.undo()
    workspace.delete_backups([each.id for each in redacted.backups])
    workspace.close()
    assert_gone(tmp_path)


def test_memories_that_name_each_other_are_redacted_together(tmp_path: Path) -> None:
    files = FILES | {
        cognitive.DROPS_AT: FILES[cognitive.DROPS_AT].replace("Idle sockets", f"Idle {SECRET} sockets")
    }
    workspace = attached(tmp_path, files)
    before = read_tree(tmp_path / "s")
    ids = [id_of(workspace, words) for words in ("socket_keepalive", "Solved by", "Memory redis")]
    workspace.edit(ids[1:2], {"title": f"Redis drops {SECRET}"})
    redacted = workspace.redact(ids)
    assert redacted.count == 3
    assert_gone(tmp_path, redacted.backups)
    assert workspace.pull().total == 0
    workspace.undo()
    assert workspace.pull().total == 0
    assert plain(read_tree(tmp_path / "s")) == plain(without(before))
    workspace.close()
    assert_gone(tmp_path, redacted.backups)


def test_an_episode_alone_is_redacted_in_its_lines(tmp_path: Path) -> None:
    day = cognitive.DAY_FILE.replace("Lower latency", f"Lower {SECRET}").replace("Chose", f"Chose {SECRET}")
    workspace = attached(
        tmp_path, {**{k: as_text(v) for k, v in cognitive.FILES.items()}, cognitive.DAY_AT: day}
    )
    id = id_of(workspace, "Memory sockets")
    redacted = workspace.redact([id])
    assert (tmp_path / "s" / cognitive.DAY_AT).read_text() == day.replace(SECRET, REDACTED)
    assert workspace.memories([id])[0].title == f"Chose {REDACTED} websocket over polling"
    assert workspace.pull().total == 0
    assert_gone(tmp_path, redacted.backups)
    workspace.close()


def test_an_index_that_cannot_be_parsed_refuses_with_the_place(tmp_path: Path) -> None:
    broken = FILES["_index.json"].replace('"version": 2,', '"version": 2')
    workspace = attached(tmp_path, FILES | {"_index.json": broken})
    before = read_tree(tmp_path / "s")
    line = 1 + next(n for n, each in enumerate(broken.splitlines()) if SLUG in each)
    column = 1 + broken.splitlines()[line - 1].index("fixed-redis")
    refused = refusal(lambda: workspace.redact([id_of(workspace, "socket_keepalive")]))
    assert refused.code == "unparsable"
    assert f"_index.json, line {line}, column {column}" in refused.hint
    assert read_tree(tmp_path / "s") == before
    workspace.close()


def test_a_number_in_the_index_becomes_a_text(tmp_path: Path) -> None:
    card = "4111111111111111"
    text = cognitive.memory("0123456789", card, f"Pays by {card}.", type="fix")
    name = f"graph/fixes/{card}-012345.md"
    entries = {"0123456789": {"title": int(card), "path": name}}
    index = json.dumps({"version": 2, "count": 1, "edges": {}, "entries": entries})
    workspace = attached(tmp_path, {name: text, "_index.json": index})
    redacted = workspace.redact([id_of(workspace, "Pays")])
    now = json.loads((tmp_path / "s" / "_index.json").read_text())
    assert now["entries"]["0123456789"]["title"] == "[redacted: card number]"
    assert_gone(tmp_path, redacted.backups, (card,))
    assert workspace.pull().total == 0
    workspace.close()


def test_the_agents_own_settings_are_not_opened(tmp_path: Path) -> None:
    config = json.dumps({"openai_api_key": SECRET})
    workspace = attached(tmp_path, FILES | {"_config.json": config})
    redacted = workspace.redact([id_of(workspace, "socket_keepalive")])
    assert not any("_config.json" in note for note in redacted.notes)
    assert (tmp_path / "s" / "_config.json").read_text() == config
    workspace.close()
