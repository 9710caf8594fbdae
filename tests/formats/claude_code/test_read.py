"""Claude Code: how memory folders are recognised and read."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.formats.backup_copy import copy_store
from memtui.formats.claude_code import ClaudeCode
from memtui.formats.contract.records import Link, Reading
from tests.formats.claude_code.support import files
from tests.support.sizes import examples
from tests.support.stores.claude_code import (
    FILES,
    FREE_TEXT,
    RULE,
    STORES,
    flat,
    make,
)
from tests.support.stores.files import (
    apply,
    fields_by_ref,
    read_tree,
    record_with,
    write,
)


def read_files(tmp_path: Path, given_files: Mapping[str, str | bytes]) -> Reading:
    return make(tmp_path / "memory", given_files).read()


def codes(reading: Reading) -> set[tuple[str, str]]:
    return {(finding.code, finding.place) for finding in reading.findings}


# -- recognise


@pytest.mark.parametrize("kind", STORES)
def test_a_folder_is_recognised_by_its_content(tmp_path: Path, kind: str) -> None:
    folder = make(tmp_path / "memory", STORES[kind]).root
    assert ClaudeCode.recognise(folder) == folder


def test_the_path_of_the_index_recognises_the_folder(store: ClaudeCode) -> None:
    assert ClaudeCode.recognise(store.root / "MEMORY.md") == store.root


def test_the_name_of_the_folder_matters_only_for_free_text(tmp_path: Path) -> None:
    assert ClaudeCode.recognise(make(tmp_path / "x", FILES).root)
    assert ClaudeCode.recognise(make(tmp_path / "y", FREE_TEXT).root) is None
    assert ClaudeCode.recognise(make(tmp_path / ".claude" / "agent-memory" / "reviewer", FREE_TEXT).root)


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"README.md": "# Project\n- [Guide](guide.md) — how\n", "guide.md": "# Guide\n"},
        {"note.md": "---\ntitle: A\npermalink: a\ntype: note\n---\n- [fact] x #t\n"},
        {"agent.md": "---\nname: reviewer\ndescription: reviews\ntools: Read\n---\nYou review.\n"},
        {"MEMORY.md": "The user likes tea.\n§\nRuns Debian.\n§\n- [x](y.md)\n"},
        {"MEMORY.md": "# Task Group: build\nscope: x\n- [x](y.md)\n"},
        {"memory_summary.md": "v1\n\n## User", "MEMORY.md": "- bullet\n"},
        {"a.md": b"\xff\xfe\x00", "b.md": "---\n- list\n---\n"},
    ],
)
def test_other_folders_are_not_recognised(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    assert ClaudeCode.recognise(make(folder, files).root) is None


def test_a_path_that_is_not_a_folder_is_not_recognised(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(FILES["user_role.md"])
    os.mkfifo(tmp_path / "MEMORY.md")
    assert ClaudeCode.recognise(tmp_path / "a.md") is None
    assert ClaudeCode.recognise(tmp_path / "nowhere") is None
    assert ClaudeCode.recognise(tmp_path / "MEMORY.md") is None


# -- read


def test_a_file_is_one_memory(store: ClaudeCode) -> None:
    record = record_with(store, "Run the tests")
    assert (record.ref, record.place, record.anchor) == (*["feedback_testing.md"] * 2, "feedback_testing")
    assert record.fields == {
        "title": "Testing first",
        "key": "feedback_testing",
        "category": "feedback",
        "content": RULE,
        "session_id": "0f1e2d3c-4b5a",
        "source_ref": "0f1e2d3c-4b5a",
        "source_type": "claude-code",
        "updated_at": None,
        "extra": {"description": "what it is about"},
    }


def test_the_nested_dialect_is_read_like_the_flat_one(store: ClaudeCode) -> None:
    record = record_with(store, "No merges")
    assert (record.anchor, record.fields["key"]) == ("release-freeze", "release-freeze")
    assert (record.fields["title"], record.fields["category"]) == ("Release freeze", "project")
    assert record.fields["updated_at"] == 1772600767.123
    assert record.fields["extra"] == {"description": 'quoted: "so"'}


def test_each_bullet_and_paragraph_of_the_index_is_a_memory(store: ClaudeCode) -> None:
    texts = [(r.fields["content"], r.place) for r in store.read().records if r.ref.startswith("MEMORY.md#")]
    assert texts == [
        ("Deploys go out on Thursdays,\nnever on Fridays", "MEMORY.md, line 11"),
        ("Ünïcode ☕ café", "MEMORY.md, line 13"),
        ("Deploys go out on Thursdays,\nnever on Fridays", "MEMORY.md, line 14"),
        ("The staging database is rebuilt\nevery night.", "MEMORY.md, line 17"),
        ("```sh\n- [not an index line](x.md)\n\nmake deploy\n```", "MEMORY.md, line 20"),
    ]


def test_an_unclosed_fence_runs_to_the_end_and_an_empty_bullet_is_skipped(tmp_path: Path) -> None:
    result = read_files(tmp_path, {"MEMORY.md": "- \n\n- One.\n\n```sh\n- make\n\n- deploy\n"})
    assert [record.fields["content"] for record in result.records] == ["One.", "```sh\n- make\n\n- deploy"]


@pytest.mark.parametrize("kind", ["CRLF", "BOM", "no last newline"])
def test_line_endings_and_bom_do_not_change_what_is_read(tmp_path: Path, kind: str) -> None:
    plain, variant = make(tmp_path / "a"), make(tmp_path / "b", STORES[kind])
    assert fields_by_ref(plain) == fields_by_ref(variant)
    assert codes(plain.read()) == codes(variant.read())


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("- [A title](a.md) — hook", "A title"),
        ("- [A title](a.md) – hook", "A title"),
        ("- [A title](a.md) - hook", "A title"),
        ("- [A title](a.md): hook", "A title"),
        ("* [A title](./a.md)", "A title"),
        ("  - **[A title](a.md)** — hook", "A title"),
        ("- [A [nested] title](a.md#part) — hook", "A [nested] title"),
        (r"- [A \] title](<a.md>)", "A ] title"),
        ("- [A title](a.md) hook", "Name"),
        ("- see [A title](a.md)", "Name"),
        ("- [A title](https://x.org/a.md)", "Name"),
        ("- [A title](../a.md)", "Name"),
    ],
)
def test_an_index_line_gives_its_file_a_title(tmp_path: Path, line: str, title: str) -> None:
    result = read_files(tmp_path, {"MEMORY.md": line + "\n", "a.md": flat("Name", "user", "x")})
    assert result.records[0].fields["title"] == title
    assert len(result.records) == (1 if title != "Name" else 2)


@pytest.mark.parametrize(
    "value", ["no", "00123", "1:30", "2026-01-01", "~", "1e5", '"quoted"', "'it''s'", "a: b"]
)
def test_front_matter_values_keep_their_text(tmp_path: Path, value: str) -> None:
    result = read_files(
        tmp_path, {"a.md": f"---\nname: x\nother: {value}\nmetadata:\n  deep: {value}\n---\nb\n"}
    )
    text = {'"quoted"': "quoted", "'it''s'": "it's"}.get(value, value)
    assert result.records[0].fields["extra"] == {"other": text, "metadata.deep": text}


def test_links_are_resolved_by_name_and_by_file(store: ClaudeCode) -> None:
    result = store.read()
    assert result.links == [
        Link("release-freeze", "links_to", "feedback_testing"),
        Link("user_role", "links_to", "release-freeze"),
        Link("user_role", "links_to", "nobody"),
    ]


def test_code_has_no_links(tmp_path: Path) -> None:
    body = "`[[a]]` if [[ -f x ]]\n```\n[[b]]\n```\n[[other|shown]] [[Other#part]]"
    result = read_files(
        tmp_path, {"one.md": flat("one", "user", body), "other.md": flat("other", "user", "x")}
    )
    assert result.links == [Link("one", "links_to", "other")]


def test_problems_of_the_sample_are_findings(store: ClaudeCode) -> None:
    assert codes(store.read()) == {
        ("dangling", "user_role.md"),
        ("dangling-line", "MEMORY.md, line 7"),
        ("no-line", "reference_board.md"),
    }


@pytest.mark.parametrize(
    ("code", "head"),
    [
        ("double-key", "name: a\nname: b\ntype: user\n"),
        ("list-head", "- a\n- b\n"),
        ("tabs", "name: a\nmetadata:\n\ttype: user\n"),
        ("alias", "name: &a x\ntype: *a\n"),
        ("odd-head", 'name: "a\ntype: user\n'),
        ("odd-head", "just words\n"),
        ("big-head", "name: a\n" + "# comment\n" * 7000),
        ("no-type", "name: a\ndescription: b\n"),
        ("odd-type", "name: a\ntype: secret\n"),
    ],
)
def test_invalid_front_matter_is_a_finding_and_the_text_can_be_edited(
    tmp_path: Path, code: str, head: str
) -> None:
    store = make(tmp_path / "memory", {"a.md": f"---\n{head}---\nThe text.\n"})
    assert (code, "a.md") in codes(store.read())
    apply(store, write("edit", record_with(store, "The text."), content="Another."))
    assert files(store) == {"a.md": f"---\n{head}---\nAnother.\n"}
    (planned,) = store.plan([write("edit", record_with(store, "Another."), category="project")])
    if code not in ("no-type", "odd-type"):
        assert isinstance(planned, Refused)
        assert planned.code in ("head", "no-field")


def test_unclosed_front_matter_makes_a_file_read_only(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", {"a.md": "---\nname: a\n\nThe text.\n"})
    assert ("unclosed-head", "a.md") in codes(store.read())
    (refusal,) = store.plan([write("edit", record_with(store, "The text."), content="Another.")])
    assert isinstance(refusal, Refused)


def test_a_file_that_is_not_utf8_is_shown_and_never_written(tmp_path: Path) -> None:
    store = make(tmp_path / "memory", {"a.md": FILES["user_role.md"].encode().replace(b"data", b"d\xffta")})
    before = read_tree(store.root)
    record = record_with(store, "d\ufffdta")
    planned = store.plan([write("edit", record, content="x"), write("dismiss", record)])
    assert [refusal.code for refusal in planned if isinstance(refusal, Refused)] == ["read-only"] * 2
    assert read_tree(store.root) == before


def test_a_huge_file_is_a_finding_and_not_read(tmp_path: Path) -> None:
    result = read_files(tmp_path, {**FILES, "dump.md": "x" * (1 << 20) + "x"})
    assert ("too-large", "dump.md") in codes(result)
    assert "dump.md" not in {record.ref for record in result.records}


def test_an_index_longer_than_agents_read_is_a_finding(tmp_path: Path) -> None:
    assert ("long-index", "MEMORY.md") in codes(read_files(tmp_path, {"MEMORY.md": "- line\n" * 201}))
    # The length is counted in UTF-16 code units: an emoji is two of them, and four bytes.
    for text, long in (("x", 25_001), ("☕", 25_001), ("🐦", 12_501)):
        for count in (long - 1, long):
            findings = codes(read_files(tmp_path, {"MEMORY.md": text * count}))
            assert (("long-index", "MEMORY.md") in findings) == (count == long)


def test_two_files_with_one_name_are_findings(tmp_path: Path) -> None:
    result = read_files(tmp_path, {"a.md": flat("Same", "user", "1"), "b.md": flat("Same", "user", "2")})
    assert {("double-name", "a.md"), ("double-name", "b.md")} <= codes(result)


def test_symlinks_are_read_only_and_never_followed_out_of_the_folder(
    store: ClaudeCode, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text("outside")
    (store.root / "out.md").symlink_to(tmp_path / "secret.md")
    (store.root / "alias.md").symlink_to(store.root / "user_role.md")
    (store.root / "folder").symlink_to(tmp_path)
    (store.root / "nowhere.md").symlink_to(tmp_path / "missing.md")
    result = store.read()
    assert {place for code, place in codes(result) if code == "link"} == {
        "out.md",
        "alias.md",
        "folder",
        "nowhere.md",
    }
    refs = {record.ref for record in result.records}
    assert "alias.md" in refs
    assert not refs & {"out.md", "folder/secret.md", "nowhere.md"}
    (alias,) = [record for record in result.records if record.ref == "alias.md"]
    (refusal,) = store.plan([write("edit", alias, content="x")])
    assert isinstance(refusal, Refused)
    assert refusal.code == "link"
    copy = tmp_path / "copy.tar"
    copy.touch()
    copy_store(store, copy)  # without the symlink, which leads out of the store
    with tarfile.open(copy) as tar:
        assert {member.name for member in tar if member.isreg()} == set(FILES)


def test_hidden_folders_and_other_files_are_not_memories(tmp_path: Path) -> None:
    more = {".git/a.md": flat("a", "user", "x"), "sub/b.md": flat("b", "user", "in a folder"), "c.txt": "x"}
    refs = {record.ref for record in read_files(tmp_path, more).records}
    assert refs == {"sub/b.md"}


_PIECES = st.sampled_from(
    "---\n|name: |metadata: \n|  type: user\n|- |[x](y.md)|```\n|<!--|-->|\n|\r\n|\t|[[|]]|\"|'|>|é".split(
        "|"
    )
    + "# h\n|==\n|&a|*a|{|}|: |\\|> \n|]\n".split("|")
)


@examples(120)
@given(st.lists(_PIECES.map(str.encode) | st.binary(max_size=6), max_size=40).map(b"".join))
def test_reading_never_fails(data: bytes) -> None:
    store = ClaudeCode(Path("/none"))
    reading = store.parse({"MEMORY.md": data, "a.md": data, "b.md": b"---\n" + data + b"\n---\n" + data})
    assert len({record.ref for record in reading.records}) == len(reading.records)


@examples(40)
@given(st.binary(max_size=60))
def test_recognising_never_fails(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = make(tmp_path_factory.mktemp("x"), {"MEMORY.md": data, "a.md": b"---\n" + data}).root
    ClaudeCode.recognise(folder)
