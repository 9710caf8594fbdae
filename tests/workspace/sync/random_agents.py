"""Agents that change a store at random, in all ways in which the format allows it."""

from __future__ import annotations

import json
import os
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from memtui.formats.media.files.tree import LIMIT
from tests.support.stores import claude_code, founder_os, mcp_memory


class FounderAgent:
    """Changes the rows of a Founder OS database with SQL."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.path, self.rng, self.count = folder / "memory.db", rng, 0
        columns = founder_os.SHIPPED_COLUMNS | {"shelf": ""}
        founder_os.make(self.path, columns=columns)
        for _ in range(25):
            self.insert()

    def act(self) -> None:
        actions = [
            self.insert,
            self.insert,
            self.update,
            self.update,
            self.delete,
            self.insert_at_number,
            self.vacuum,
        ]
        more = [
            self.renumber,
            self.change_id,
            self.soft_delete,
            self.count_uses,
            self.update_unknown_column,
            self.swap_rows,
            self.add_column,
        ]
        self.rng.choice([*actions, *more])()

    def run(self, sql: str, *values: Any) -> None:
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(5000)
        try:
            with suppress(apsw.ConstraintError, apsw.MismatchError):  # the row number is taken or invalid
                connection.execute(sql, values)
        finally:
            connection.close()

    def insert(self, **fields: Any) -> None:
        self.count += 1
        row = {
            "id": f"{self.count:032x}",
            "key": f"key-{self.count}",
            "category": self.rng.choice(["fact", "pattern"]),
            "content": self._text(),
            "source_plugin": "P1",
            "confidence": self.rng.randrange(101),
            "created_at": 1_760_000_000,
            "updated_at": 1_760_000_000,
            "shelf": self.rng.choice([None, 5, "5", 5.5]),
        } | fields
        placeholders = ", ".join("?" * len(row))
        self.run(f"INSERT INTO memories ({', '.join(row)}) VALUES ({placeholders})", *row.values())

    def _text(self) -> str:
        suffix = self.rng.choice(["", "ü\n", "\x1f", "\x1e", "a\0b"])
        return f"Zebra {self.rng.randrange(1000)} {suffix}"

    _RANDOM_ROW = "rowid = (SELECT rowid FROM memories ORDER BY random() LIMIT 1)"

    def update(self) -> None:
        self.run(f"UPDATE memories SET content = ? WHERE {self._RANDOM_ROW}", self._text())

    def delete(self) -> None:
        self.run(f"DELETE FROM memories WHERE {self._RANDOM_ROW}")

    def insert_at_number(self) -> None:
        rowid = self.rng.choice([-9, -5, 13, 1000, 2**40, 2**63 - 1, -(2**63)])
        self.insert(rowid=rowid)

    def vacuum(self) -> None:
        self.run("VACUUM")

    def renumber(self) -> None:
        self.run(f"UPDATE memories SET rowid = rowid + 100 WHERE {self._RANDOM_ROW}")

    def change_id(self) -> None:
        self.count += 1
        self.run(f"UPDATE memories SET id = ? WHERE {self._RANDOM_ROW}", f"{self.count:032x}")

    def soft_delete(self) -> None:
        deleted_at = self.rng.choice([None, 1_761_000_000])
        self.run(f"UPDATE memories SET deleted_at = ? WHERE {self._RANDOM_ROW}", deleted_at)

    def count_uses(self) -> None:
        self.run("UPDATE memories SET times_used = times_used + 1 WHERE rowid % 3 = 0")

    def update_unknown_column(self) -> None:
        self.run(f"UPDATE memories SET shelf = ? WHERE {self._RANDOM_ROW}", self.rng.choice([None, 1, "x"]))

    def swap_rows(self) -> None:
        """Swap the row numbers of two memories."""
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(5000)
        picked = connection.execute("SELECT rowid FROM memories ORDER BY random() LIMIT 2").fetchall()
        if len(picked) == 2:
            (first,), (second,) = picked
            with connection:
                for old, new in ((first, 777_777), (second, first), (777_777, second)):
                    connection.execute("UPDATE memories SET rowid = ? WHERE rowid = ?", (new, old))
        connection.close()

    def add_column(self) -> None:
        if self.count % 7 == 0:
            with suppress(apsw.SQLError):
                self.run("ALTER TABLE memories ADD COLUMN mood TEXT DEFAULT 'calm'")


class McpAgent:
    """Rewrites an MCP memory file, as the server does, with all lines that may occur in it."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.path, self.rng = folder / "memory.jsonl", rng
        self.lines: list[Any] = [*mcp_memory.GRAPH]
        self.line_end, self.tail = "\n", ""
        for _ in range(15):
            self.insert_entity()
        self.save()

    def act(self) -> None:
        # The user may have changed the file in the meantime.
        data = self.path.read_text("utf-8").replace("\r\n", "\n").removeprefix("\ufeff")
        self.lines, self.tail = [], ""
        for line in data.split("\n"):
            try:
                if line:
                    self.lines.append(json.loads(line))
            except ValueError:
                self.lines.append(line)
        actions = [
            self.insert_entity,
            self.append_observation,
            self.append_observation,
            self.clear_observations,
            self.remove_line,
            self.append_relation,
            self.shuffle_lines,
        ]
        more = [
            self.rename_entity,
            self.duplicate_line,
            self.change_line_ends,
            self.append_torn_line,
            self.append_empty_entity,
            self.change_type,
            self.append_junk,
        ]
        self.rng.choice([*actions, *more])()
        self.save()

    def save(self) -> None:
        texts = [
            each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in self.lines
        ]
        self.path.write_bytes((self.line_end.join(texts) + self.line_end * self.rng.randrange(2)).encode())
        os.utime(self.path, (1_700_000_000, 1_700_000_000))  # the time never changes

    def _entities(self) -> list[dict[str, Any]]:
        entities = [each for each in self.lines if isinstance(each, dict) and "observations" in each]
        if not entities:
            self.insert_entity()
            return self._entities()
        return entities

    def insert_entity(self) -> None:
        name = f"Zebra {self.rng.randrange(12)}"  # often one that exists
        observations = [f"Stripes {self.rng.randrange(4)}" for _ in range(self.rng.randrange(4))]
        self.lines.insert(self.rng.randrange(len(self.lines) + 1), mcp_memory.entity(name, *observations))

    def append_observation(self) -> None:
        self.rng.choice(self._entities())["observations"].append(f"Stripes {self.rng.randrange(4)}")

    def clear_observations(self) -> None:
        self.rng.choice(self._entities())["observations"] = []

    def append_empty_entity(self) -> None:
        self.lines.append(mcp_memory.entity(f"Zebra {self.rng.randrange(12)}"))

    def remove_line(self) -> None:
        if len(self.lines) > 3:
            self.lines.pop(self.rng.randrange(len(self.lines)))

    def append_relation(self) -> None:
        ends = [self.rng.choice(self._entities())["name"] for _ in range(2)]
        self.lines.append(mcp_memory.relation(ends[0], "knows", ends[1]))

    def shuffle_lines(self) -> None:
        self.rng.shuffle(self.lines)

    def rename_entity(self) -> None:
        old = self.rng.choice(self._entities())["name"]
        for each in self.lines:
            for key in ("name", "from", "to"):
                if isinstance(each, dict) and each.get(key) == old:
                    each[key] = f"{old}'"

    def duplicate_line(self) -> None:
        self.lines.append(self.rng.choice(self.lines))

    def change_line_ends(self) -> None:
        self.line_end = "\r\n" if self.line_end == "\n" else "\n"

    def append_torn_line(self) -> None:
        self.lines.append('{"type":"entity","name":"To')

    def change_type(self) -> None:
        self.rng.choice(self._entities())["entityType"] = "animal"

    def append_junk(self) -> None:
        self.lines += ["", [1, 2], {"other": 1}, ""]


class ClaudeAgent:
    """Edits a Claude Code folder of notes that link to one another."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.path, self.rng, self.count = folder / "memory", rng, 0
        claude_code.make(self.path)
        for _ in range(12):
            self.create_note()
        claude_code.make(
            self.path, {"sub/deep.md": claude_code.flat("Deep Down", "user", "[[release-freeze]]")}
        )

    def act(self) -> None:
        actions = [
            self.append_links,
            self.change_line_ends,
            self.overwrite_at_same_size,
            self.edit_and_restore_mtime,
        ]
        more = [
            self.create_note,
            self.remove_note,
            self.rename_file,
            self.rewrite_index,
            self.append_to_undecodable_name,
            self.replace_with_link,
            self.grow,
        ]
        self.rng.choice(
            [
                *actions * 3,
                *more,
                self.rename_in_frontmatter,
                self.rename_in_frontmatter,
                self.remove_frontmatter,
            ]
        )()

    def _notes(self) -> list[Path]:
        return sorted(file for file in self.path.glob("*.md") if file.name != "MEMORY.md" and file.is_file())

    def _random_note(self) -> Path:
        return self.rng.choice(self._notes())

    def _links(self) -> str:
        targets = [
            "release-freeze",
            "Release-Freeze",
            "Board",
            "nobody",
            "Testing first",
            "deep",
            "Deep Down",
        ]
        targets += [f"zebra-{number}" for number in range(6)] + ["Zebra-2", "board.md", "A Name"]
        files = ["feedback_testing.md", "sub/deep.md", "zebra-3.md", "Zebra-4.md"]
        return (
            f"[[{self.rng.choice(targets)}]] [x]({self.rng.choice(files)}) "
            f"[[{self.rng.choice(targets)}|y]] {self.rng.randrange(1000)}"
        )

    def create_note(self) -> None:
        make = self.rng.choice([claude_code.flat, claude_code.nested])
        name = f"zebra-{self.count % 9}"
        self.count += 1
        (self.path / f"{name}.md").write_text(make(name, "project", self._links()), "utf-8")

    def append_links(self) -> None:
        file = self._random_note()
        file.write_bytes(file.read_bytes() + self._links().encode() + b"\n")

    def rename_in_frontmatter(self) -> None:
        """Change the name in the frontmatter."""
        name = self.rng.choice(["nobody", "zebra-3", "Board", "A Name", "board-two", "BOARD"])
        self._random_note().write_text(claude_code.flat(name, "user", self._links()), "utf-8")

    def remove_note(self) -> None:
        if len(self._notes()) > 4:
            self._random_note().unlink()

    def rename_file(self) -> None:
        file = self._random_note()
        file.rename(file.with_name(f"{file.stem}-x.md"))

    def rewrite_index(self) -> None:
        names = [file.name for file in self._notes() if file.name.isascii()]
        lines = [f"- [Title {self.rng.randrange(99)}]({name}) - so" for name in names if len(name) % 2]
        (self.path / "MEMORY.md").write_text("# Memory\n" + "\n".join(lines) + "\n\n- A zebra\n", "utf-8")

    def change_line_ends(self) -> None:
        file = self._random_note()
        data = file.read_bytes()
        new = data.replace(b"\r\n", b"\n") if b"\r\n" in data else data.replace(b"\n", b"\r\n")
        file.write_bytes(new)

    def overwrite_at_same_size(self) -> None:
        """Overwrite a byte in place, twice within a tick of the clock."""
        file = self._random_note()
        for _ in range(2):
            data = bytearray(file.read_bytes())
            data[-3:-2] = b"%d" % self.rng.randrange(10)
            with file.open("r+b") as handle:
                handle.write(data)

    def edit_and_restore_mtime(self) -> None:
        file = self._random_note()
        before = file.stat()
        self.overwrite_at_same_size()
        data = file.read_bytes()
        file.write_bytes(data[:-2] + b"7\n")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    def append_to_undecodable_name(self) -> None:
        """Append to files whose names are not UTF-8 and are displayed alike."""
        end = self.rng.choice([b"\xff", b"\xfe", "\ufffd".encode()])
        with open(os.fsencode(self.path) + b"/odd" + end + b".md", "ab") as handle:
            handle.write(claude_code.flat("odd", "user", self._links()).encode())

    def replace_with_link(self) -> None:
        """Replace a file with a link to one outside or inside the folder."""
        outside = self.path.parent / "outside.md"
        outside.write_text(claude_code.flat("outside", "user", "Not of this store."))
        file = self._random_note()
        file.unlink()
        file.symlink_to(self.rng.choice([outside, self._random_note()]))

    def grow(self) -> None:
        file = self._random_note()
        file.write_bytes(file.read_bytes() + b"x" * self.rng.choice([0, LIMIT]))

    def remove_frontmatter(self) -> None:
        self._random_note().write_text("Only text.\n")


Agent = FounderAgent | McpAgent | ClaudeAgent
AGENTS: dict[str, type[Agent]] = {"founder": FounderAgent, "mcp": McpAgent, "claude": ClaudeAgent}
