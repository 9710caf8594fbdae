"""Which memories Claude Code shows to a session, and which not (S-72)."""

from __future__ import annotations

from pathlib import Path

from memtui.formats.claude_code import ClaudeCode
from tests.support.stores.claude_code import flat, make

NOW = 1_800_000_000.0


def test_lines_and_free_text_are_memories_in_the_text(tmp_path: Path) -> None:
    store = make(tmp_path / "memory")
    view = store.session_view(store.content(), NOW)
    shown = {each.ref: view.text[each.start : each.end] for each in view.passages}
    assert shown["user_role.md"] == "- [User's role [in short]](user_role.md) - data scientist"
    free = [text for ref, text in shown.items() if ref.startswith("MEMORY.md#")]
    assert "- Deploys go out on Thursdays,\n  never on Fridays" in free
    assert [(each.code, each.refs, each.text) for each in view.cut] == [
        ("comment", (), "<!-- no memory -->"),
        ("no-line", ("reference_board.md",), ""),
    ]


def test_what_lies_beyond_the_limit_is_named_with_its_lines(tmp_path: Path) -> None:
    names = [f"m{number:03}.md" for number in range(210)]
    index = "<!-- mine -->\n" + "".join(f"- [É {name}]({name}) — hook\n" for name in names) + "- free text\n"
    files = {name: flat(name, "project", f"Text of {name}.") for name in names}
    store = make(tmp_path / "memory", {"MEMORY.md": index, **files})
    view = store.session_view(store.content(), NOW)
    assert [each.ref for each in view.passages] == names[:200]
    assert {view.text[each.start : each.end][:5] for each in view.passages} == {"- [É "}
    comment, rest = view.cut
    assert (comment.code, comment.lines, comment.refs) == ("comment", (1, 1), ())
    assert (rest.code, rest.lines) == ("lines", (202, 212))
    assert rest.refs[:10] == tuple(names[200:])
    assert rest.refs[10].startswith("MEMORY.md#")
    assert rest.text.startswith("- [É m200.md]")
    assert rest.text.endswith("- free text")


def test_without_an_index_nothing_is_loaded(tmp_path: Path) -> None:
    store: ClaudeCode = make(tmp_path / "memory", {"a.md": flat("a", "user", "A.")})
    view = store.session_view(store.content(), NOW)
    assert (view.text, view.passages) == ("", ())
    assert [(each.code, each.refs) for each in view.cut] == [("no-line", ("a.md",))]
