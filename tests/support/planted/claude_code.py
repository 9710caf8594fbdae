"""What is planted in a Claude Code memory folder."""

from __future__ import annotations

from pathlib import Path

from tests.support.planted.harm import Plant, add, put
from tests.support.stores import claude_code as store
from tests.support.stores.claude_code import flat, nested

INDEX = "MEMORY.md"
SOUND = {
    INDEX: "# Memory Index\n\n- [Testing first](feedback_testing.md) — run them before done\n"
    "- [User's role](user_role.md) — data scientist\n- [Release freeze](release-freeze.md) — no merges\n\n"
    "## Loose\n\n- Deploys go out on Thursdays.\n",
    "feedback_testing.md": flat("Testing first", "feedback", "Run the tests before saying done."),
    "release-freeze.md": nested("release-freeze", "project", "No merges after the fifth of March."),
    "user_role.md": flat("User role", "user", "A data scientist. See [[release-freeze]]."),
}


def sound(folder: Path) -> Path:
    return store.make(folder / "memory", SOUND).root


def _line(text: str) -> Plant:
    return put("## Loose", f"{text}\n\n## Loose", INDEX)


CASES = {
    ("a line to no file", "dangling-line"): _line("- [Gone](project_gone.md) — it was here"),
    ("a line to a file spelled otherwise", "dangling-line"): put("(user_role.md)", "(user-role.md)", INDEX),
    ("a line above the folder", "outside"): _line("- [Secrets](../secrets.md) — of another"),
    ("a line to an absolute place", "outside"): _line("- [Hosts](/etc/hosts.md) — of the machine"),
    ("a line to a link out of the folder", "outside"): lambda root: [
        (root / "hosts.md").symlink_to("/etc/hosts"),
        _line("- [Hosts](hosts.md) — of the machine")(root),
    ],
    ("a file of two lines", "double-line"): _line("- [Role](user_role.md) — again"),
    ("a file without a line", "no-line"): put("- [User's role](user_role.md) — data scientist\n", "", INDEX),
    ("an index too long", "long-index"): add(INDEX, "- a line\n" * 220, "ab"),
    ("a hook beyond measure", "long-hook"): put("data scientist", "data scientist " * 40, INDEX),
    ("an index of its own", "other-index"): add("deeper/MEMORY.md", "- [x](y.md)\n"),
    ("a link to nobody", "dangling"): put("[[release-freeze]]", "[[somebody-else]]", "user_role.md"),
    ("a link spelled otherwise", "dangling"): put(
        "[[release-freeze]]", "[[release_freezes]]", "user_role.md"
    ),
    ("a link to no file", "dangling"): put("[[release-freeze]]", "[it](project_gone.md)", "user_role.md"),
    ("no type", "no-type"): put("type: user\n", "", "user_role.md"),
    ("a type that nobody knows", "odd-type"): put("type: user", "type: gossip", "user_role.md"),
    ("a name of two files", "double-name"): put("name: User role", "name: Testing first", "user_role.md"),
    ("no name", "no-name"): put("name: User role\n", "", "user_role.md"),
    ("a name of another file", "odd-slug"): put(
        "name: release-freeze", "name: fish-can-swim", "release-freeze.md"
    ),
    ("no description", "no-description"): put("description: what it is about\n", "", "user_role.md"),
    ("no head", "no-head"): add("user_role.md", "A data scientist.\n"),
    ("a text of blanks", "blank"): put("A data scientist. See [[release-freeze]].", " ", "user_role.md"),
    ("a time that is none", "odd-time"): put("2026-03-04T05:06:07.123Z", "a while ago", "release-freeze.md"),
    ("a time years ahead", "future-time"): put("2026-03-04", "2096-03-04", "release-freeze.md"),
    ("a link in place of a file", "link"): lambda root: (root / "out.md").symlink_to("/etc/hosts"),
    ("a secret in the index", "secret"): _line("- The key is " + "AKIA" + "ABCDEFGHIJKLMNOP"),
    ("a list for a head", "list-head"): add("user_role.md", "---\n- one\n- two\n---\n\nWords.\n"),
}
