"""Random command lines from the program's own table of commands: valid ones, nearly valid ones, and junk."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass

from memtui.cli.parser.parser import Parser
from memtui.cli.parser.table import COMMANDS, GROUPS
from tests.soak.fuzzing import query_grammar
from tests.support.hostile.texts import TEXTS

# Commands that are not run: they open the screen.
EXCLUDED = ("demo",)
# Commands that cannot succeed here, and why; every other one must succeed sometimes.
NEVER_SUCCEED = {
    "embed": "no model is loaded: the settings switch it off",
    "redact": "no memory of these stores has a secret",
    "rules distrust": "no file is trusted unless by the command before",
}
# Commands that change memories or files of a store; all others leave every foreign store alone.
CHANGING = (
    *(
        "add",
        "edit",
        "confirm",
        "pin",
        "unpin",
        "dismiss",
        "restore",
        "copy",
        "move",
        "relate",
        "edit-relation",
    ),
    *("unrelate", "undo", "redo", "backup restore", "purge", "contradictions resolve", "duplicates merge"),
    *("decay run", "doctor", "stores create"),
    *("forget", "snooze", "split", "replace", "import"),
    *("rules", "rules add", "rules edit", "rules remove", "rules on", "rules off", "rules move"),
    *("rules import", "rules trust", "rules distrust", "policies set", "policies remove"),
    *("cognitive reindex", "cognitive decay", "cognitive core", "cognitive reflect"),
)
# Paths in the empty folder that commands run in, or that cannot be written.
PATHS = (
    *("", ".", "x", "new.db", "sub/new.jsonl", "memory.jsonl", "./list", "../here", "x\x1b[31m", "x\u202ey"),
    *("/dev/null", "/dev/null/x", "a" * 300, "junk.jsonl", "nul\0", "half\ud800"),
)
TIMES = (
    "2026-11-23",
    "2026-11-23T10:00",
    "0001-01-01",
    "9999-12-31T23:59:59Z",
    "yesterday",
    "",
    "1e9",
    "99999-1-1",
)
NUMBERS = (
    "1",
    "3",
    "20",
    "0",
    "-1",
    "1e3",
    "nan",
    "inf",
    "999999999999999999999",
    "٣",
    "x",
    "",
    "0.5",
    "1826",
    "1827",
)
# Changing commands that may succeed without a journal entry: what they repair is no memory, or nothing
# is left to do.
NO_ENTRY = ("doctor", "rules")
# What is recalled counts as used in stores that count that, which is no change of a memory.
COUNTING = ("recall",)
RULES_TOML = '[[rule]]\nname = "Cats"\nwhen = "cat"\ndo = ["pin"]\n'
# Valid input files for commands, recreated with the folder that commands run in.
FILES = {
    "memories.jsonl": '{"id": 1, "text": "Likes tea."}\n{"id": 2, "text": "Likes coffee."}\n',
    "questions.jsonl": '{"question": "Who likes tea?", "relevant": [1]}\n',
    "pairs.jsonl": '{"a": "Likes tea.", "b": "Does not like tea.", "label": "contradiction"}\n',
    "rules.toml": RULES_TOML,
    ".memtui/rules.toml": RULES_TOML,
    "graph/memory.jsonl": '{"type": "entity", "name": "Ana", "entityType": "person", "observations": []}\n',
}
PARTS = b"Likes tea.\n\nLikes coffee.\n"  # of a memory to be split
VERDICTS = ("keep-a", "keep-b", "both-true", "discard-both")  # those that need no more arguments
FREQUENT = ("list", "search", "edit", "add", "undo", "dismiss", "pin", "copy", "move", "relate", "restore")


@dataclass(slots=True)
class KnownNames:
    """What arguments can name: uids (of all, pinned and dismissed memories), stores, formats, journal
    entries, pairs, relations (source, kind, target) and backups."""

    uids: Sequence[str]
    stores: Sequence[str]
    formats: Sequence[str]
    entries: int
    pairs: Sequence[int]
    pinned: Sequence[str]
    dismissed: Sequence[str]
    relations: Sequence[tuple[str, str, str]]
    backups: Sequence[str]


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command line to run; `command` is its name in the table, "" if it may be none."""

    words: tuple[str, ...]
    command: str
    stdin: bytes = b""

    @property
    def asks_for_json(self) -> bool:
        before = self.words[: self.words.index("--")] if "--" in self.words else self.words
        return "--json" in before

    @property
    def asks_for_help(self) -> bool:
        return bool({"-h", "--help", "--version", "help"} & set(self.words))


def command_line(chance: random.Random, names: KnownNames) -> CommandLine:
    """Make a random command line."""
    name = chance.choice(FREQUENT) if chance.random() < 0.5 else chance.choice([*COMMANDS, *GROUPS])
    name = f"{name} {GROUPS[name]}" if name in GROUPS else name
    if name in EXCLUDED:
        name = "list"
    words = [*name.split(" "), *_arguments(chance, names, name)]
    if chance.random() < 0.06:
        words[chance.randrange(1, len(words) + 1) :] = [confine(_any(chance, names)) for _ in range(2)]
    if chance.random() < 0.05:
        words[0] = chance.choice(
            (f"{words[0]}x", words[0].upper(), "help", confine(_any(chance, names)), "-x")
        )
        name = ""
    for option, part in (("--json", 0.5), ("--read-only", 0.08), ("--help", 0.01), ("--", 0.03)):
        if chance.random() < part:
            words.insert(chance.randrange(len(words) + 1), option)
    stdin = PARTS if name == "split" and chance.random() < 0.7 else _stdin(chance, names)
    return CommandLine(tuple(words), name, stdin)


def _arguments(chance: random.Random, names: KnownNames, name: str) -> list[str]:
    parser = Parser(prog="memtui", allow_abbrev=False)
    COMMANDS[name].arguments(parser)
    valid = _valid_arguments(chance, names, name) if chance.random() < 0.6 else {}
    out: list[str] = []
    for action in parser._actions:
        if action.dest in valid:
            if (words := valid[action.dest]) is not None:
                out += [*action.option_strings[:1], *words]
            continue
        if isinstance(action, argparse._HelpAction) or (not action.required and chance.random() < 0.6):
            continue
        if chance.random() < 0.03:
            continue  # omitted, though it may be required
        if not action.option_strings:
            many = action.nargs in ("+", "*") and chance.random() < 0.3
            out += [value(chance, names, action) for _ in range(chance.randrange(1, 5) if many else 1)]
            continue
        option = chance.choice(action.option_strings)
        if action.nargs == 0:
            out.append(option)
        elif chance.random() < 0.5:
            out.append(f"{option}={value(chance, names, action)}")
        else:
            out += [option, value(chance, names, action)]
    return out


def _valid_arguments(chance: random.Random, names: KnownNames, name: str) -> dict[str, list[str] | None]:
    """Return arguments with which a command can succeed that would seldom succeed with random ones; None for
    one that is to be omitted."""
    pair = str(chance.choice(names.pairs))
    match name:
        case "list" | "clusters":
            return {"query": [query_grammar.word(chance)]}
        case "search":
            return {"query": [query_grammar.word(chance)], "saved": None, "by": None}
        case "add":
            return {"text": ["Likes tea."], "content": None}
        case "contradictions resolve":
            return {"id": [pair], "verdict": [chance.choice(VERDICTS)], "text": None, "until": None}
        case "duplicates merge":
            return {"id": [pair], "all_exact": None, "yes": []}
        case "unpin":
            return {"uids": _some_uids(chance, names.pinned)}
        case "restore":
            return {"uids": _some_uids(chance, names.dismissed)}
        case "copy" | "move":
            return {
                "uids": _some_uids(chance, names.uids),
                "to": [chance.choice(names.stores)],
                "dry_run": None,
            }
        case "forget":
            given = {"uids": _some_uids(chance, names.uids)}
            return given | dict.fromkeys(("owner", "key", "store", "yes", "dry_run"))
        case "snooze":
            return {"uids": _some_uids(chance, names.uids), "until": ["30d"], "dry_run": None}
        case "split":
            return {"uid": [chance.choice(names.uids)], "parts": ["-"], "at": None, "dry_run": None}
        case "replace":
            words = {"find": ["e"], "replacement": ["ee"], "yes": []}
            return words | dict.fromkeys(("query", "regex", "fields"))
        case "purge":
            return {"uids": _some_uids(chance, names.uids), "yes": []}
        case "relate":
            source, target = chance.sample(names.uids, 2)
            return {"uid": [source], "kind": ["supports"], "other": [target]}
        case "edit-relation" | "unrelate":
            source, kind, target = chance.choice(names.relations)
            omitted: dict[str, list[str] | None] = {"name": None, "backwards": None}
            return {"uid": [source], "kind": [kind], "other": [target], **omitted}
        case "backup restore":
            return {"id": [chance.choice(names.backups)]}
        case "import":
            return {"files": ["memories.jsonl"], "yes": [], "store": None, "take": None}
        case "rules add":
            return {"name": ["Milk"], "when": ["milk"], "do": ["tag=milk"]}
        case "rules edit":
            return {"name": ["Tea"], "when": ["tea"], "do": ["importance=0.8"], "new_name": None}
        case "rules on":
            return {"name": ["Tea"]}
        case "rules off" | "rules show" | "rules remove" | "rules test":
            return {"name": ["Coffee"]}
        case "rules move":
            return {"name": ["Tea"], "place": ["2"]}
        case "rules check" | "rules import":
            return {"file": ["rules.toml"], "yes": []}
        case "rules trust":
            return {"file": None, "yes": []}
        case "policies set":
            ages = {"expiry": ["30d"], "sensitive": ["key:*"]}
            return {"agent": ["scout"], **ages} | dict.fromkeys(("read", "write", "most", "categories"))
        case "policies remove":
            return {"agent": ["ada"]}
        case "stores attach":
            return {"paths": ["graph/memory.jsonl"]}
        case "stores create":
            return {"format": ["mcp-memory"], "path": ["sub/memory.jsonl"]}
        case "saved forget":
            return {"name": ["tea"]}
        case "saved add":
            return {"name": ["coffee"], "query": ["coffee"]}
        case "doctor":
            return {"fix": []} if chance.random() < 0.5 else {"salvage": ["new.db"]}
        case "eval retrieval":
            return {"memories": ["memories.jsonl"], "questions": ["questions.jsonl"]}
        case "eval contradictions":
            return {"pairs": ["pairs.jsonl"]}
        case _:
            return {}


def _some_uids(chance: random.Random, uids: Sequence[str]) -> list[str]:
    return chance.sample(uids, chance.choice((1, 1, 1, 2, 3)))


def value(chance: random.Random, names: KnownNames, action: argparse.Action) -> str:
    """Return a value for an argument, mostly of the kind that it takes."""
    if chance.random() < 0.07:
        return confine(_any(chance, names))
    if action.choices:
        return str(chance.choice(list(action.choices)))
    kind = str(action.metavar or action.dest)
    if kind in ("UID", "OTHER"):
        return chance.choice(names.uids)[: chance.choice((*[None] * 8, 5, 1))]
    if action.dest in ("path", "paths", "salvage", "memories", "questions", "pairs"):
        return chance.choice(PATHS)
    if kind == "ID":
        return str(chance.choice((chance.randrange(1, names.entries + 3), *names.pairs[:5], 0, -1)))
    if kind == "QUERY":
        return query_grammar.query(chance)
    if kind == "FORMAT":
        return chance.choice(names.formats)
    if kind == "ISO":
        return chance.choice(TIMES)
    if kind in ("STORE",) or action.dest in ("store", "name", "saved", "to"):
        return chance.choice((*names.stores, "tea"))
    if action.type is not None:
        return chance.choice(NUMBERS)
    return confine(_text(chance))


def confine(text: str) -> str:
    """Return `text` as an argument that names no path outside the folder that commands run in."""
    return text.lstrip("/~").replace("..", ". ")


def _text(chance: random.Random) -> str:
    plain = (
        "Likes tea.",
        "Said anew.",
        "fact",
        "+t",
        "-t",
        "t",
        "",
        " ",
        "-",
        "two\nlines",
        "preference",
        "100%",
    )
    return chance.choice((*plain, *plain, *TEXTS.values(), chance.choice(query_grammar.UNUSUAL), "y" * 3_000))


def _any(chance: random.Random, names: KnownNames) -> str:
    return chance.choice(
        (
            _text(chance),
            query_grammar.query(chance)[:200],
            chance.choice(NUMBERS),
            chance.choice(names.uids),
            chance.choice(names.stores),
            f"--{_text(chance)}",
            f"-{chance.choice('abcxyz')}",
            "--json",
        )
    )


def _stdin(chance: random.Random, names: KnownNames) -> bytes:
    kind = chance.random()
    if kind < 0.4:
        return b""
    if kind < 0.6:
        return "\n".join(chance.choices(names.uids, k=2)).encode()
    if kind < 0.8:
        return chance.choice((b"y\n", b"yes\n", b"n\n", b"\n"))
    return chance.choice((_text(chance).encode("utf-8", "surrogatepass"), chance.randbytes(50)))
