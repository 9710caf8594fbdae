"""Problems to plant in a Claude Code memory folder."""

from __future__ import annotations

from pathlib import Path

from tests.support.planted.plants import Plant, replace, write
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


def healthy_store(folder: Path) -> Path:
    return store.make(folder / "memory", SOUND).root


def _line(text: str) -> Plant:
    return replace("## Loose", f"{text}\n\n## Loose", INDEX)


CASES = {
    ("an index line to a missing file", "dangling-line"): _line("- [Gone](project_gone.md) — it was here"),
    ("an index line with a misspelled file name", "dangling-line"): replace(
        "(user_role.md)", "(user-role.md)", INDEX
    ),
    ("an index line to a file above the folder", "outside"): _line("- [Secrets](../secrets.md) — of another"),
    ("an index line with an absolute path", "outside"): _line("- [Hosts](/etc/hosts.md) — of the machine"),
    ("an index line to a symlink out of the folder", "outside"): lambda root: [
        (root / "hosts.md").symlink_to("/etc/hosts"),
        _line("- [Hosts](hosts.md) — of the machine")(root),
    ],
    ("two index lines for a file", "double-line"): _line("- [Role](user_role.md) — again"),
    ("a file without an index line", "no-line"): replace(
        "- [User's role](user_role.md) — data scientist\n", "", INDEX
    ),
    ("a too long index", "long-index"): write(INDEX, "- a line\n" * 220, "ab"),
    ("a too long description in the index", "long-hook"): replace(
        "data scientist", "data scientist " * 40, INDEX
    ),
    ("a second index file", "other-index"): write("deeper/MEMORY.md", "- [x](y.md)\n"),
    ("a link to a missing memory", "dangling"): replace(
        "[[release-freeze]]", "[[somebody-else]]", "user_role.md"
    ),
    ("a misspelled link", "dangling"): replace("[[release-freeze]]", "[[release_freezes]]", "user_role.md"),
    ("a link to a missing file", "dangling"): replace(
        "[[release-freeze]]", "[it](project_gone.md)", "user_role.md"
    ),
    ("no type", "no-type"): replace("type: user\n", "", "user_role.md"),
    ("an unknown type", "odd-type"): replace("type: user", "type: gossip", "user_role.md"),
    ("a name used by two files", "double-name"): replace(
        "name: User role", "name: Testing first", "user_role.md"
    ),
    ("no name", "no-name"): replace("name: User role\n", "", "user_role.md"),
    ("a name that does not match its file", "odd-slug"): replace(
        "name: release-freeze", "name: fish-can-swim", "release-freeze.md"
    ),
    ("no description", "no-description"): replace("description: what it is about\n", "", "user_role.md"),
    ("no front matter", "no-head"): write("user_role.md", "A data scientist.\n"),
    ("a blank text", "blank"): replace("A data scientist. See [[release-freeze]].", " ", "user_role.md"),
    ("an invalid time", "odd-time"): replace("2026-03-04T05:06:07.123Z", "a while ago", "release-freeze.md"),
    ("a time years in the future", "future-time"): replace("2026-03-04", "2096-03-04", "release-freeze.md"),
    ("a symlink instead of a file", "link"): lambda root: (root / "out.md").symlink_to("/etc/hosts"),
    ("a secret in the index", "secret"): _line("- The key is " + "AKIA" + "ABCDEFGHIJKLMNOP"),
    ("front matter that is a list", "list-head"): write("user_role.md", "---\n- one\n- two\n---\n\nWords.\n"),
}
