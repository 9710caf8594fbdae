"""Random command lines, from the program's own table of commands: right ones, nearly right ones, and junk."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass

from memtui.cli.parser.options import Parser
from memtui.cli.parser.table import COMMANDS, GROUPS
from tests.soak.fuzzing import query_grammar
from tests.support.hostile.texts import TEXTS

# Opens the screen.
EXCLUDED = ("demo",)
# Commands that cannot succeed here, and why; each other one must succeed now and then.
NEVER_SUCCEED = {"embed": "no model is loaded: the settings switch it off"}
# What changes memories or files of a store; everything else leaves every foreign store alone.
CHANGING = (
    *("add", "edit", "confirm", "pin", "unpin", "dismiss", "restore", "copy", "move", "relate", "retie"),
    *("unrelate", "undo", "redo", "backup restore", "purge", "contradictions resolve", "duplicates merge"),
    *("decay run", "doctor", "stores create"),
    *("cognitive reindex", "cognitive decay", "cognitive core", "cognitive reflect"),
)
# All lie in the empty folder that commands run in, or are no places to write to.
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
# Changing commands that may succeed without a line in the journal, as what they mend is no memory.
NO_ENTRY = ("doctor",)
# Right files of what a command reads, made anew with the folder that commands run in.
FILES = {
    "memories.jsonl": '{"id": 1, "text": "Likes tea."}\n{"id": 2, "text": "Likes coffee."}\n',
    "questions.jsonl": '{"question": "Who likes tea?", "relevant": [1]}\n',
    "pairs.jsonl": '{"a": "Likes tea.", "b": "Does not like tea.", "label": "contradiction"}\n',
    "graph/memory.jsonl": '{"type": "entity", "name": "Ana", "entityType": "person", "observations": []}\n',
}
VERDICTS = ("keep-a", "keep-b", "both-true", "discard-both")  # that need no more words
OFTEN = ("list", "search", "edit", "add", "undo", "dismiss", "pin", "copy", "move", "relate", "restore")


@dataclass(slots=True)
class KnownNames:
    """What there is to name: uids (all, of pinned and of dismissed memories), stores, journal lines, pairs,
    relations by their uids and kind, backups."""

    uids: Sequence[str]
    stores: Sequence[str]
    formats: Sequence[str]
    lines: int
    pairs: Sequence[int]
    pinned: Sequence[str]
    dismissed: Sequence[str]
    relations: Sequence[tuple[str, str, str]]
    backups: Sequence[str]


@dataclass(frozen=True, slots=True)
class CommandLine:
    """What to run; `command` is its name in the table, "" where it may be none."""

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


def command_line(chance: random.Random, known: KnownNames) -> CommandLine:
    """One command line."""
    name = chance.choice(OFTEN) if chance.random() < 0.5 else chance.choice([*COMMANDS, *GROUPS])
    name = f"{name} {GROUPS[name]}" if name in GROUPS else name
    if name in EXCLUDED:
        name = "list"
    words = [*name.split(" "), *_arguments(chance, known, name)]
    if chance.random() < 0.06:
        words[chance.randrange(1, len(words) + 1) :] = [confine(_any(chance, known)) for _ in range(2)]
    if chance.random() < 0.05:
        words[0] = chance.choice((f"{words[0]}x", words[0].upper(), "help", confine(_any(chance, known)), "-x"))
        name = ""
    for option, part in (("--json", 0.5), ("--read-only", 0.08), ("--help", 0.01), ("--", 0.03)):
        if chance.random() < part:
            words.insert(chance.randrange(len(words) + 1), option)
    return CommandLine(tuple(words), name, _stdin(chance, known))


def _arguments(chance: random.Random, known: KnownNames, name: str) -> list[str]:
    parser = Parser(prog="memtui", allow_abbrev=False)
    COMMANDS[name].arguments(parser)
    right = _valid_arguments(chance, known, name) if chance.random() < 0.6 else {}
    out: list[str] = []
    for action in parser._actions:
        if action.dest in right:
            if (words := right[action.dest]) is not None:
                out += [*action.option_strings[:1], *words]
            continue
        if isinstance(action, argparse._HelpAction) or (not action.required and chance.random() < 0.6):
            continue
        if chance.random() < 0.03:
            continue  # left out, though it may be needed
        if not action.option_strings:
            many = action.nargs in ("+", "*") and chance.random() < 0.3
            out += [value(chance, known, action) for _ in range(chance.randrange(1, 5) if many else 1)]
            continue
        option = chance.choice(action.option_strings)
        if action.nargs == 0:
            out.append(option)
        elif chance.random() < 0.5:
            out.append(f"{option}={value(chance, known, action)}")
        else:
            out += [option, value(chance, known, action)]
    return out


def _valid_arguments(chance: random.Random, known: KnownNames, name: str) -> dict[str, list[str] | None]:
    """What arguments are to be, with which a command that would seldom succeed otherwise may do so; None for
    one that is to be left out."""
    pair = str(chance.choice(known.pairs))
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
            return {"uids": _few(chance, known.pinned)}
        case "restore":
            return {"uids": _few(chance, known.dismissed)}
        case "copy" | "move":
            return {"uids": _few(chance, known.uids), "to": [chance.choice(known.stores)], "dry_run": None}
        case "purge":
            return {"uids": _few(chance, known.uids), "yes": []}
        case "relate":
            one, other = chance.sample(known.uids, 2)
            return {"uid": [one], "kind": ["supports"], "other": [other]}
        case "retie" | "unrelate":
            one, kind, other = chance.choice(known.relations)
            turned: dict[str, list[str] | None] = {"name": None, "backwards": None}
            return {"uid": [one], "kind": [kind], "other": [other], **turned}
        case "backup restore":
            return {"id": [chance.choice(known.backups)]}
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


def _few(chance: random.Random, uids: Sequence[str]) -> list[str]:
    return chance.sample(uids, chance.choice((1, 1, 1, 2, 3)))


def value(chance: random.Random, known: KnownNames, action: argparse.Action) -> str:
    """A value for an argument, mostly of the kind that it takes."""
    if chance.random() < 0.07:
        return confine(_any(chance, known))
    if action.choices:
        return str(chance.choice(list(action.choices)))
    kind = str(action.metavar or action.dest)
    if kind in ("UID", "OTHER"):
        return chance.choice(known.uids)[: chance.choice((*[None] * 8, 5, 1))]
    if action.dest in ("path", "paths", "salvage", "memories", "questions", "pairs"):
        return chance.choice(PATHS)
    if kind == "ID":
        return str(chance.choice((chance.randrange(1, known.lines + 3), *known.pairs[:5], 0, -1)))
    if kind == "QUERY":
        return query_grammar.query(chance)
    if kind == "FORMAT":
        return chance.choice(known.formats)
    if kind == "ISO":
        return chance.choice(TIMES)
    if kind in ("STORE",) or action.dest in ("store", "name", "saved", "to"):
        return chance.choice((*known.stores, "tea"))
    if action.type is not None:
        return chance.choice(NUMBERS)
    return confine(_text(chance))


def confine(text: str) -> str:
    """`text` as a word that leads to no place outside of the folder that commands run in."""
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


def _any(chance: random.Random, known: KnownNames) -> str:
    return chance.choice(
        (
            _text(chance),
            query_grammar.query(chance)[:200],
            chance.choice(NUMBERS),
            chance.choice(known.uids),
            chance.choice(known.stores),
            f"--{_text(chance)}",
            f"-{chance.choice('abcxyz')}",
            "--json",
        )
    )


def _stdin(chance: random.Random, known: KnownNames) -> bytes:
    kind = chance.random()
    if kind < 0.4:
        return b""
    if kind < 0.6:
        return "\n".join(chance.choices(known.uids, k=2)).encode()
    if kind < 0.8:
        return chance.choice((b"y\n", b"yes\n", b"n\n", b"\n"))
    return chance.choice((_text(chance).encode("utf-8", "surrogatepass"), chance.randbytes(50)))
