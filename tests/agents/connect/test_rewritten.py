"""A client rewrites its settings between connecting and disconnecting: only memtui's entry goes (S-87)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import Refused
from memtui.formats.insertions.editing import Entries, found, with_entries, without_entries
from memtui.formats.insertions.insertion import Insertion
from tests.agents.connect.conftest import Desk
from tests.support.sizes import examples

FILE = Path("/settings.json")
OURS = Entries("json", (Insertion(("mcpServers", "memtui"), {"command": "/bin/memtui", "args": ["mcp"]}),))
PART = '"memtui": {"command": "/bin/memtui", "args": ["mcp"]}'


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('{"mcpServers": {%s}}', '{"mcpServers": {}}'),
        ('{"mcpServers": {\n    %s\n  }, "b": 1}', '{"mcpServers": {}, "b": 1}'),
        ('{"mcpServers": {%s, "b": 1}}', '{"mcpServers": { "b": 1}}'),
        ('{"mcpServers": {"a": 1, %s}}', '{"mcpServers": {"a": 1}}'),
        ('{"mcpServers": {"a": 1, %s, "b": 2}}', '{"mcpServers": {"a": 1, "b": 2}}'),
        (
            '{"mcpServers": {\n  "a": 1, // a\n  // ours\n  %s // us\n  // end\n}}',
            '{"mcpServers": {\n  "a": 1 // a\n  // ours // us\n  // end\n}}',
        ),
        ('{"mcpServers": {/* a */ %s /* b */ , }}', '{"mcpServers": {/* a */ /* b */  }}'),
        ('{"mcpServers": {\n  "a": 1,\n  %s,\n},}', '{"mcpServers": {\n  "a": 1,\n},}'),
    ],
)
def test_the_rest_of_json_stays(text: str, rest: str) -> None:
    assert without_entries(FILE, (text % PART).encode(), OURS, None) == rest.encode()


TABLE = '[mcp_servers.memtui]\ncommand = "/bin/memtui"\nargs = ["mcp"]\n'
IN_TOML = Entries("toml", (Insertion(("mcp_servers", "memtui"), OURS.insertions[0].value),))


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (TABLE, ""),
        (f"a = 1\n\n{TABLE}\n[b]\nc = 2\n", "a = 1\n\n[b]\nc = 2\n"),
        (f"{TABLE}\n# of b\n[b]\n", "# of b\n[b]\n"),
        (
            f"[a]\n{TABLE}[mcp_servers.memtui.env]\nx = '''\n[q]\n# z'''\n\n\n# end\n[b]\n",
            "[a]\n\n\n# end\n[b]\n",
        ),
        (
            "[mcp_servers]\n[ 'mcp_servers' . \"memtui\" ] #\nargs = [\n 'mcp',\n]\ncommand = 'memtui'\n[b]",
            "[mcp_servers]\n[b]",
        ),
    ],
)
def test_the_rest_of_toml_stays(text: str, rest: str) -> None:
    assert without_entries(FILE, text.encode(), IN_TOML, None) == rest.encode()


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("mcp_servers = {memtui = {command = 'memtui', args = ['mcp']}}\n", IN_TOML),
        (f'{{"mcpServers": {{{PART}, {PART}}}}}', OURS),
    ],
)
def test_what_cannot_be_taken_out_alone_is_refused(text: str, entries: Entries) -> None:
    with pytest.raises(Refused, match="laid out so that"):
        without_entries(FILE, text.encode(), entries, None)


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("mcp_servers = {x = {}}\n", IN_TOML),
        ("mcp_servers = 1\n", IN_TOML),
        ("[[mcp_servers]]\n", IN_TOML),
        ('{"mcpServers": null}', OURS),
        ('{"mcpServers": {"memtui": null}}', OURS),
        ('{"mcpServers": {}, "mcpServers": {}}', OURS),
    ],
)
def test_what_nothing_can_be_added_to_is_refused(text: str, entries: Entries) -> None:
    with pytest.raises(Refused, match="laid out so that"):
        with_entries(FILE, text.encode(), entries)


LAYOUTS: list[dict[str, Any]] = [{}, {"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
WHOLE = st.dictionaries(
    st.sampled_from(["a", "//", 'b\\"']) | st.text(max_size=5),
    VALUES,
    max_size=4,
) | st.fixed_dictionaries(
    {
        "mcpServers": st.dictionaries(
            st.text(max_size=5).filter(lambda key: key != "memtui"), VALUES, max_size=3
        )
    },
    optional={"a": VALUES, "z": VALUES},
)


@examples(25)
@given(
    WHOLE.filter(lambda whole: isinstance(whole.get("mcpServers", {}), dict)),
    st.sampled_from(LAYOUTS),
    st.sampled_from(LAYOUTS),
)
def test_any_json_comes_back(whole: dict[str, Any], layout: dict[str, Any], other: dict[str, Any]) -> None:
    before = json.dumps(whole, **layout).encode()
    after, _ = with_entries(FILE, before, OURS)
    assert found(FILE, after, OURS) == [OURS.insertions[0].value]
    assert json.loads(after) == {
        **whole,
        "mcpServers": {**whole.get("mcpServers", {}), **json.loads(f"{{{PART}}}")},
    }
    rewritten = json.dumps({**json.loads(after), "new": 1}, **other).encode()
    rest = without_entries(FILE, rewritten, OURS, None)
    assert rest is not None
    assert json.loads(rest) == {"mcpServers": {}, **whole, "new": 1}
    if "mcpServers" in whole:
        assert without_entries(FILE, after, OURS, None) == before, "by its structure alone"


def test_a_client_that_rewrites_its_file_keeps_what_it_wrote(desk: Desk) -> None:
    file = desk.around.home / ".claude.json"
    file.write_text('{"numStartups": 1}')
    desk.connect("claude-code")
    settings = json.loads(file.read_text())
    settings["numStartups"] = 2
    file.write_text(json.dumps(settings, indent=2))
    assert desk.states() == {".claude.json": "connected"}
    desk.work.undo()
    assert file.read_text() == '{\n  "numStartups": 2\n}', "the object that was made goes, too"

    desk.work.redo()
    settings = json.loads(file.read_text())
    settings["mcpServers"]["memtui"]["env"] = {}
    settings["mcpServers"]["other"] = {"command": "x"}
    file.write_text(json.dumps(settings, indent=2))
    assert desk.states() == {".claude.json": "changed"}
    desk.disconnect("claude-code")
    rest = {"numStartups": 2, "mcpServers": {"other": {"command": "x"}}}
    assert file.read_text() == json.dumps(rest, indent=2)


def test_an_entry_or_file_that_is_gone(desk: Desk) -> None:
    file = desk.around.cwd / ".vscode" / "mcp.json"
    desk.connect("vscode", project=True)
    file.unlink()
    assert desk.states() == {"mcp.json": "gone"}
    desk.connect("vscode", project=True)
    assert desk.states() == {"mcp.json": "connected"}
    desk.work.undo()
    assert not file.exists()
    desk.work.redo()
    file.write_text('{"servers": {}, "inputs": []}')
    desk.work.undo()
    assert (file.read_text(), desk.states()) == ('{"servers": {}, "inputs": []}', {})
