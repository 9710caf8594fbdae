"""Find and correct in all formats at once (S-54): the preview, one change, one undo, what is left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.errors import Refused
from memtui.formats import registry
from memtui.memory.replacement import Replacement
from memtui.memory.results import Change, ReplacePreview
from memtui.values import Fields
from memtui.workspace.background import JobControl
from memtui.workspace.workspace import Workspace
from tests.support.demo_workspace import (
    CLAUDE,
    FOUNDER,
    MCP,
    NATIVE,
    DemoWorkspace,
    agent_executes,
    agent_replaces,
    all_contents,
    contents,
    find_id,
    memory,
    rows,
)
from tests.support.planted.plants import SECRET
from tests.support.stores import cognitive, founder_os, mcp_memory, minions
from tests.support.stores.files import read_tree
from tests.support.stores.mem_skill import rows_in

FORMATS = [each.format for each in registry.formats()]
TOKEN = SECRET.split()[-1]


def all_ids(workspace: Workspace, query: str = "") -> list[int]:
    return list(workspace.search(query, sort="oldest").ids)


def preview(workspace: Workspace, find: str, new: str, query: str = "", **options: Any) -> ReplacePreview:
    return workspace.replace_preview(Replacement(find, new, **options), all_ids(workspace, query))


def replace_all(workspace: Workspace, find: str, new: str, query: str = "", **options: Any) -> Change:
    found = preview(workspace, find, new, query, **options)
    return workspace.replace(found.memories, found.skipped)


def hit_count(found: ReplacePreview) -> int:
    return sum(len(each.hits) for each in found.memories)


def refusal_of(workspace: Workspace, find: str, new: str, query: str = "", **options: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        replace_all(workspace, find, new, query, **options)
    return refused.value


# -- all formats


@pytest.fixture
def everywhere(tmp_path: Path) -> Iterator[tuple[Workspace, dict[str, Path]]]:
    """A workspace with a store of each format, and four memories that name Acme in each."""
    workspace = Workspace.open(tmp_path / "w.db")
    paths: dict[str, Path] = {}
    for format in (*FORMATS, NATIVE):
        if format != NATIVE:
            folder = tmp_path / "stores" / format
            folder.mkdir(parents=True)
            name = {"mcp-memory": "memory.jsonl", "founder-os": "memory.db"}.get(format, "")
            paths[format] = Path(workspace.create_store(format, folder / name, format).path)
        for number in range(4):
            fields: Fields = {
                "content": f"Acme pays late; Acme is in Bern, see Acme {number}.\n\nAsk Acme about it.",
                "title": f"Acme terms {number}",
                "subject": f"clients:Acme {number}",
                "tags": ("acme", "clients"),
            }
            if format == NATIVE or "key" in registry.by_name(format)(paths[format]).fields:
                fields["key"] = f"acme-terms-{number}"
            workspace.add(fields, format)
    yield workspace, paths
    workspace.close()


def stored(paths: dict[str, Path]) -> dict[str, Any]:
    """Return what each store holds: the bytes of files, the rows of databases."""
    out: dict[str, Any] = {}
    for format, path in paths.items():
        database = (
            path if path.suffix == ".db" else next(iter(path.glob("*.db")), None) if path.is_dir() else None
        )
        if path.is_file() and database is None:
            out[format] = path.read_bytes()
        else:
            out[format] = rows_in(database) if database else read_tree(path)
    return out


def fields_of(workspace: Workspace) -> dict[str, tuple[Any, ...]]:
    """Return what the user sees of each memory."""
    found = workspace.memories(all_ids(workspace))
    return {m.uid: (m.content, m.title, m.subject, m.key, m.tags) for m in found}


def test_one_change_replaces_in_every_format_and_one_undo_reverts_it(
    everywhere: tuple[Workspace, dict[str, Path]],
) -> None:
    workspace, paths = everywhere
    before, shown = stored(paths), fields_of(workspace)
    found = preview(workspace, "acme", "globex", ignore_case=True, keep_case=True)
    assert not found.skipped
    assert hit_count(found) >= 200
    assert {each.store for each in found.memories} == {*FORMATS, NATIVE}
    assert stored(paths) == before, "a preview writes nothing"
    change = workspace.replace(found.memories)
    assert (change.kind, len(change.ids), change.skipped) == ("edited", 4 * (len(FORMATS) + 1), ())
    after = stored(paths)
    assert [format for format in paths if after[format] == before[format]] == []
    assert not preview(workspace, "acme", "x", ignore_case=True).memories
    expected = {
        uid: tuple(
            tuple(map(renamed, value)) if isinstance(value, tuple) else value and renamed(value)
            for value in values
        )
        for uid, values in shown.items()
    }
    assert fields_of(workspace) == expected
    assert workspace.pull().total == 0
    assert fields_of(workspace) == expected
    workspace.undo()
    assert stored(paths) == before
    assert fields_of(workspace) == shown
    workspace.redo()
    assert fields_of(workspace) == expected


def renamed(text: str) -> str:
    return text.replace("Acme", "Globex").replace("acme", "globex")


def test_a_pattern_replaces_in_every_format(everywhere: tuple[Workspace, dict[str, Path]]) -> None:
    workspace, paths = everywhere
    before = stored(paths)
    change = replace_all(workspace, r"see Acme (\d)", r"see file \1", regex=True, fields=("content",))
    assert len(change.ids) == 4 * (len(FORMATS) + 1)
    assert len(all_ids(workspace, '"see file"')) == len(change.ids)
    workspace.undo()
    assert stored(paths) == before


# -- the preview


def test_a_preview_shows_each_hit_and_changes_nothing(
    workspace: Workspace, demo_workspace: DemoWorkspace
) -> None:
    before, mirrored = all_contents(demo_workspace.folder), rows(workspace)
    found = preview(workspace, "francs", "euros")
    each = next(each for each in found.memories if each.store == FOUNDER)
    (hit,) = each.hits
    assert (hit.field, hit.before, hit.after) == ("content", "francs", "euros")
    assert each.uid == memory(workspace, each.id).uid
    assert hit.left.endswith("in ")
    assert (all_contents(demo_workspace.folder), rows(workspace)) == (before, mirrored)
    assert not preview(workspace, "no such words", "x").memories


def test_only_the_chosen_hits_are_replaced(workspace: Workspace) -> None:
    id = workspace.add({"content": "one tea, two tea, three tea"}).ids[0]
    other = workspace.add({"content": "no tea"}).ids[0]
    found = workspace.replace_preview(Replacement("tea", "mate"), [id, other])
    chosen = replace(found.memories[0], hits=found.memories[0].hits[::2])
    workspace.replace([chosen, replace(found.memories[1], hits=())])
    assert memory(workspace, id).content == "one mate, two tea, three mate"
    assert memory(workspace, other).content == "no tea"


def test_fields_that_the_store_lacks_are_kept_in_memtui(workspace: Workspace) -> None:
    id = find_id(workspace, "Swiss francs")
    workspace.edit([id], {"title": "Billing"})
    found = workspace.replace_preview(Replacement("Billing", "Invoices"), [id])
    assert [each.kept for each in found.memories] == [("title",)]
    assert "kept in memtui" in workspace.replace(found.memories).summary
    assert memory(workspace, id).title == "Invoices"


def test_nothing_chosen_is_refused(workspace: Workspace) -> None:
    with pytest.raises(Refused, match="No such memory"):
        workspace.replace([])


# -- refusals: nothing is changed anywhere


@pytest.mark.parametrize(
    ("find", "new", "options", "code"),
    [
        ("", "x", {}, "empty"),
        ("(", "x", {"regex": True}, "pattern"),
        (r"\b", "x", {"regex": True}, "no-width"),
        ("(a)", r"\3", {"regex": True}, "replacement"),
        ("a", "\0", {}, "text"),
        (r"(?s).+", "", {"regex": True, "fields": ("content",)}, "empty"),
        ("francs", TOKEN, {}, "secret"),
    ],
)
def test_a_refused_replacement_changes_nothing(
    workspace: Workspace, demo_workspace: DemoWorkspace, find: str, new: str, options: Any, code: str
) -> None:
    before, mirrored = all_contents(demo_workspace.folder), rows(workspace)
    refusal = refusal_of(workspace, find, new, **options)
    assert refusal.code == code
    assert TOKEN not in f"{refusal.to_json()}"
    assert (all_contents(demo_workspace.folder), rows(workspace)) == (before, mirrored)
    assert not [event for event in workspace.journal() if event.kind == "edited"]


def test_a_secret_chosen_from_an_older_preview_is_refused(workspace: Workspace) -> None:
    """What was previewed one by one may only be a secret together."""
    id = workspace.add({"content": "It says AAA_BBB"}).ids[0]
    parts = [preview(workspace, "AAA_", "ghp_"), preview(workspace, "BBB", TOKEN.removeprefix("ghp_"))]
    hits = tuple(hit for part in parts for hit in part.memories[0].hits)
    with pytest.raises(Refused) as refused:
        workspace.replace([replace(parts[0].memories[0], hits=hits)])
    assert refused.value.code == "secret"
    assert memory(workspace, id).content == "It says AAA_BBB"


def founder_store(workspace: Workspace, folder: Path) -> Path:
    path = founder_os.make(folder / "founder" / "memory.db")
    workspace.attach(path, "founder")
    return path


def test_two_memories_do_not_get_one_unique_key(workspace: Workspace, tmp_path: Path) -> None:
    path = founder_store(workspace, tmp_path)
    before = rows_in(path)
    keys = {memory(workspace, id).key for id in all_ids(workspace, "store:founder")}
    assert {"acme-payment-terms", "weekly-review"} <= keys
    pattern = "acme-payment-terms|weekly-review"
    both = refusal_of(workspace, pattern, "terms", "store:founder", regex=True, fields=("key",))
    one = refusal_of(workspace, "acme-payment-terms", "weekly-review", "store:founder")
    assert (both.code, one.code) == ("key-taken", "key-taken")
    assert "“weekly-review”" in one.message
    assert rows_in(path) == before


def test_items_of_different_agents_may_have_one_key(workspace: Workspace, tmp_path: Path) -> None:
    items = [
        minions.item(1, "offer-currency", "Francs."),
        minions.item(2, "quote-currency", "Euros.", agentId="clerk"),
        minions.item(3, "tax-rate", "8.1 percent."),
    ]
    workspace.attach(minions.make(tmp_path / "minions", *items).root, "agents")
    assert replace_all(workspace, "offer", "quote", "store:agents", fields=("key",)).ids
    refusal = refusal_of(workspace, "tax-rate", "quote-currency", "store:agents", fields=("key",))
    assert refusal.code == "key-taken"


def test_memories_of_one_key_are_renamed_together(workspace: Workspace, tmp_path: Path) -> None:
    items = [minions.item(number, "offer-currency", f"Text {number}.") for number in (1, 2)]
    workspace.attach(minions.make(tmp_path / "minions", *items).root, "agents")
    assert len(replace_all(workspace, "offer", "quote", "store:agents", fields=("key",)).ids) == 2


def test_a_key_that_stays_taken_is_taken(workspace: Workspace, tmp_path: Path) -> None:
    """Renaming b to c frees b for a; if the renaming of b is not chosen, a keeps its key as well."""
    items = [minions.item(number, key, f"Text {number}.") for number, key in enumerate(("aa-key", "bb-key"))]
    workspace.attach(minions.make(tmp_path / "minions", *items).root, "agents")
    first, second = (
        preview(workspace, old, new, "store:agents", fields=("key",)).memories
        for old, new in (("bb-key", "cc-key"), ("aa-key", "aa-other"))
    )
    (b,), (a,) = first, second
    a = replace(a, hits=(replace(a.hits[0], after="bb-key"),))
    with pytest.raises(Refused, match="would get the key “bb-key”"):
        workspace.replace([a])
    assert len(workspace.replace([a, b]).ids) == 2


# -- a result that is not allowed


def test_a_memory_with_a_result_that_is_not_allowed_is_left_out(workspace: Workspace) -> None:
    ids = [workspace.add({"content": text}).ids[0] for text in ("tea", "green tea", "tea AAA")]
    emptied = workspace.replace_preview(Replacement("tea", ""), ids)
    assert [(each.uid, each.code) for each in emptied.skipped] == [(memory(workspace, ids[0]).uid, "empty")]
    change = workspace.replace(emptied.memories, emptied.skipped)
    assert change.ids == tuple(ids[1:])
    assert change.skipped == emptied.skipped
    assert [memory(workspace, id).content for id in ids] == ["tea", "green ", " AAA"]


def test_a_key_that_is_taken_leaves_out_its_memory_alone(workspace: Workspace, tmp_path: Path) -> None:
    path = founder_store(workspace, tmp_path)
    before = rows_in(path)
    found = preview(workspace, "acme-payment-terms|newsletters", "weekly-review", "store:founder", regex=True)
    (taken,) = found.skipped
    assert (taken.code, "weekly-review" in taken.reason) == ("key-taken", True)
    assert [each.label for each in found.memories] == ["Always archive newsletters."]
    change = workspace.replace(found.memories, found.skipped)
    assert (len(change.ids), change.skipped) == (1, (taken,))
    workspace.undo()
    assert rows_in(path) == before


# -- stopping


def test_a_stopped_search_finds_nothing(workspace: Workspace) -> None:
    stops = iter([False, False, True])
    control = JobControl(stop=lambda: next(stops))
    found = workspace.replace_preview(Replacement("e", "E"), all_ids(workspace), control)
    assert (found.memories, found.skipped, list(stops)) == ((), (), [])


def test_a_stopped_change_is_what_was_written_by_then(
    workspace: Workspace, demo_workspace: DemoWorkspace
) -> None:
    before = all_contents(demo_workspace.folder)
    found = preview(workspace, "the", "THE")
    progress: list[tuple[int, int]] = []
    control = JobControl(stop=lambda: bool(progress), report=lambda *numbers: progress.append(numbers))
    change = workspace.replace(found.memories, control=control)
    assert change.skipped == ()
    assert 0 < change.unreached == len(found.memories) - len(change.ids)
    assert "then stopped" in change.summary
    after = all_contents(demo_workspace.folder)
    assert 0 < sum(after[name] != before[name] for name in before) < len(workspace.stores())
    assert all(sum(numbers) == len(found.memories) for numbers in progress)
    workspace.undo()
    assert all_contents(demo_workspace.folder) == before


# -- names that others refer to


def test_an_entity_is_renamed_with_its_observations_and_relations(
    workspace: Workspace, tmp_path: Path
) -> None:
    lines = mcp_memory.lines(
        mcp_memory.entity("Acme", "Acme pays late", "Is in Bern"),
        mcp_memory.entity("Bo", "Works for Acme"),
        mcp_memory.relation("Bo", "works_for", "Acme"),
    )
    path = mcp_memory.make(tmp_path / "graph" / "memory.jsonl", "\n".join(lines).encode()).root
    before = path.read_bytes()
    workspace.attach(path, "graph")
    found = preview(workspace, "Acme", "Globex", "store:graph")
    assert [len(each.hits) for each in found.memories] == [2, 1, 1]
    change = workspace.replace(found.memories)
    assert (len(change.ids), change.skipped) == (3, ())
    assert path.read_bytes() == before.replace(b"Acme", b"Globex")
    workspace.undo()
    assert path.read_bytes() == before


def test_an_entity_does_not_get_the_name_of_another(workspace: Workspace, tmp_path: Path) -> None:
    lines = mcp_memory.lines(mcp_memory.entity("Acme", "Pays late"), mcp_memory.entity("Globex", "Pays Acme"))
    path = mcp_memory.make(tmp_path / "graph" / "memory.jsonl", "\n".join(lines).encode()).root
    before = path.read_bytes()
    workspace.attach(path, "graph")
    found = preview(workspace, "Acme", "Globex", "store:graph")
    assert [(each.code, "already exists" in each.reason) for each in found.skipped] == [("exists", True)]
    change = workspace.replace(found.memories, found.skipped)
    assert (len(change.ids), change.skipped) == (1, found.skipped)
    assert path.read_bytes() == before.replace(b"Pays Acme", b"Pays Globex")


def test_links_between_renamed_memories_follow(workspace: Workspace, tmp_path: Path) -> None:
    """Each has the other's file name in its text, which is replaced in the same change."""
    first, second = "a1b2c3d4-0000-4000-8000-000000000001", "b1b2c3d4-0000-4000-8000-000000000002"
    files = {
        "graph/fixes/acme-terms-a1b2c3.md": cognitive.memory(
            first, "Acme terms", "Acme pays late, see [Acme contact](acme-contact-b1b2c3.md)."
        ),
        "graph/fixes/acme-contact-b1b2c3.md": cognitive.memory(
            second, "Acme contact", "Bo of Acme; see [Acme terms](acme-terms-a1b2c3.md)."
        ),
    }
    root = cognitive.make(tmp_path / "tree", files).root
    workspace.attach(root, "tree")
    before = read_tree(root)
    assert len(replace_all(workspace, "Acme", "Globex", "store:tree").ids) == 2
    now = read_tree(root)
    terms, contact = ("graph/fixes/globex-terms-a1b2c3.md", "graph/fixes/globex-contact-b1b2c3.md")
    assert b"see [Globex contact](globex-contact-b1b2c3.md)" in now[terms]
    assert b"see [Globex terms](globex-terms-a1b2c3.md)" in now[contact]
    assert workspace.pull().total == 0
    workspace.undo()
    assert read_tree(root) == before


# -- what is left out


def test_memories_of_a_read_only_store_are_skipped(
    workspace: Workspace, demo_workspace: DemoWorkspace
) -> None:
    workspace.lock_store(CLAUDE, True)
    before = all_contents(demo_workspace.folder)
    found = preview(workspace, "the", "THE")
    assert CLAUDE not in {each.store for each in found.memories}
    assert {each.code for each in found.skipped} == {"blocked"}
    assert all(each.reason for each in found.skipped)
    change = workspace.replace(found.memories, found.skipped)
    assert change.skipped == found.skipped
    assert all_contents(demo_workspace.folder)[CLAUDE] == before[CLAUDE]
    workspace.undo()
    assert all_contents(demo_workspace.folder) == before


def test_a_store_that_is_gone_is_skipped(workspace: Workspace, demo_workspace: DemoWorkspace) -> None:
    path = demo_workspace.store_paths[MCP]
    path.rename(path.with_name("elsewhere"))
    found = preview(workspace, "the", "THE")
    assert {each.code for each in found.skipped} == {"missing"}
    assert MCP not in {each.store for each in found.memories}
    assert workspace.replace(found.memories, found.skipped).ids


def test_a_database_that_another_program_locks_is_skipped(
    workspace: Workspace, demo_workspace: DemoWorkspace
) -> None:
    found = preview(workspace, "the", "THE")
    assert {FOUNDER, CLAUDE} <= {each.store for each in found.memories}
    path = demo_workspace.store_paths[FOUNDER]
    before = contents(path)
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE")
    try:
        change = workspace.replace(found.memories)
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert {memory(workspace, id).store for id in change.ids} >= {CLAUDE, MCP}
    assert {each.code for each in change.skipped} == {"busy"}
    assert contents(path) == before


def test_a_memory_that_changed_since_the_preview_is_skipped(
    workspace: Workspace, demo_workspace: DemoWorkspace
) -> None:
    found = preview(workspace, "the", "THE", f"store:{CLAUDE}")
    first = found.memories[0]
    workspace.edit([first.id], {"content": "Another text, the new one."})
    change = workspace.replace(found.memories)
    (skipped,) = change.skipped
    assert (skipped.uid, skipped.code) == (first.uid, "changed-since")
    assert first.id not in change.ids
    assert memory(workspace, first.id).content == "Another text, the new one."


def test_a_memory_that_an_agent_changed_meanwhile_is_skipped(
    workspace: Workspace, demo_workspace: DemoWorkspace
) -> None:
    found = preview(workspace, "francs", "euros", f"store:{FOUNDER}")
    (each,) = found.memories
    other = preview(workspace, "warehouse", "depot", f"store:{FOUNDER}").memories
    sql = "UPDATE memories SET content = 'Offers in francs or euros.' WHERE id = ?"
    agent_executes(demo_workspace.store_paths[FOUNDER], sql, memory(workspace, each.id).ref)
    change = workspace.replace([each, *other])
    (skipped,) = change.skipped
    assert (skipped.uid, skipped.code) == (each.uid, "conflict")
    assert memory(workspace, each.id).content == "Offers in francs or euros."
    assert change.ids == tuple(each.id for each in other)


def test_a_change_beside_the_replaced_file_is_no_obstacle(
    workspace: Workspace, demo_workspace: DemoWorkspace
) -> None:
    found = preview(workspace, "the", "THE", f"store:{MCP}")
    agent_replaces(demo_workspace.store_paths[MCP], "allergic", "ALLERGIC")
    assert len(workspace.replace(found.memories).ids) == len(found.memories)


def test_a_memory_that_was_purged_since_the_preview_is_skipped(workspace: Workspace) -> None:
    ids = [workspace.add({"content": f"{word} tea"}).ids[0] for word in ("green", "black")]
    found = workspace.replace_preview(Replacement("tea", "mate"), ids)
    workspace.purge(ids[:1])
    change = workspace.replace(found.memories)
    assert [each.code for each in change.skipped] == ["gone"]
    assert change.ids == (ids[1],)


def test_a_hanging_pattern_skips_the_memory_and_names_it(workspace: Workspace) -> None:
    trap, fine = (workspace.add({"content": text}).ids[0] for text in ("a" * 40 + "b", "caaa"))
    found = workspace.replace_preview(Replacement("(a+)+$", "x", regex=True), [trap, fine])
    assert [(each.uid, each.code) for each in found.skipped] == [(memory(workspace, trap).uid, "too-slow")]
    workspace.replace(found.memories, found.skipped)
    assert memory(workspace, fine).content == "cx"


def test_a_read_only_workspace_refuses(demo_workspace: DemoWorkspace) -> None:
    with demo_workspace.opened() as workspace:
        found = preview(workspace, "francs", "euros")
    with demo_workspace.opened(read_only=True) as workspace, pytest.raises(Refused, match="read-only"):
        workspace.replace(found.memories)
