"""Reading the command line: one table of commands, options before or after them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from memtui.errors import Usage

SORTS = ("relevance", "newest", "oldest", "confidence", "used", "expiry", "title", "store")
_GLOBAL = ("--json", "--read-only")
_HELP = ("-h", "--help")
_MOST = 1_000_000_000  # more than any list or journal holds
_WIDE = 96  # columns of a help text that is more than one line
QUERIES = ("list", "search", "saved add")  # commands that take a query


class _Parser(argparse.ArgumentParser):
    """One command's options; what is wrong is raised, not printed."""

    def error(self, message: str) -> NoReturn:
        raise Usage(message, f"{self.prog}: {message}\n{self.format_usage()}")


class Command(NamedTuple):
    """What a command calls ("module:function" in memtui.cli), its help, and its arguments."""

    calls: str
    help: str
    arguments: Callable[[_Parser], None]


def parse(argv: list[str]) -> Any:
    """The arguments as a namespace; `command` names the function to call. Raises Usage."""
    words, common = _common(argv)
    at = next((n for n, word in enumerate(words) if word == "--" or not word.startswith("-")), len(words))
    before, name, rest = words[:at], "".join(words[at : at + 1]), words[at + 1 :]
    if name == "help":
        before, name, rest = ["--help"], "".join(rest[:1]), rest[1:]
    if name in GROUPS:
        name, rest = _of_group(name, rest)
    if unknown := [word for word in before if word not in (*_HELP, "--version")]:
        raise _no_option("memtui", unknown[0])
    if "--version" in before:
        return argparse.Namespace(command="help:version", **common)
    if name in COMMANDS:
        return _command(name, [*before, *rest], common)
    paths = rest if name == "--" else _operands(words[at:])
    if before or paths is None:
        return argparse.Namespace(command="help:show", **common)
    return argparse.Namespace(command="opening:open_tui", paths=paths, **common)


def _common(words: list[str]) -> tuple[list[str], dict[str, Any]]:
    """Take the options out that may stand anywhere."""
    common: dict[str, Any] = {"workspace": None, "json": False, "read_only": False}
    rest: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            rest += [word, *left]
        elif word in _GLOBAL:
            common[word[2:].replace("-", "_")] = True
        elif word == "--workspace" or word.startswith("--workspace="):
            path = word.partition("=")[2] if "=" in word else next(left, "")
            if not path or path in (*_GLOBAL, "--"):
                raise Usage("--workspace needs a path", "memtui: --workspace needs a path\n")
            common["workspace"] = path
        else:
            rest.append(word)
    return rest, common


def _of_group(group: str, rest: list[str]) -> tuple[str, list[str]]:
    """`stores attach …` is the command "stores attach"; `stores` alone lists them."""
    if not rest or rest[0].startswith("-"):
        return f"{group} {GROUPS[group]}", rest
    if f"{group} {rest[0]}" not in COMMANDS:
        names = [name.partition(" ")[2] for name in COMMANDS if name.startswith(f"{group} ")]
        known = " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        message = f"there is no command {group} {rest[0]}: it is {known}"
        raise Usage(message, f"memtui: {message}\n")
    return f"{group} {rest[0]}", rest[1:]


def _operands(words: list[str]) -> list[str] | None:
    """The paths to open; None where help is asked for."""
    paths: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            paths += left
        elif word in _HELP:
            return None
        elif word.startswith("-"):
            raise _no_option("memtui", word)
        else:
            paths.append(word)
    return paths


def _command(name: str, words: list[str], common: dict[str, Any]) -> Any:
    command = COMMANDS[name]
    parser = _Parser(
        prog=f"memtui {name}",
        description=command.help,
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.arguments(parser)
    args = argparse.Namespace(command=command.calls, verb=name, **common)
    parser.parse_args(_sorted(words, parser, negations=name in QUERIES), args)
    if name in QUERIES:
        args.query = " ".join(args.query)
    return args


def _sorted(words: list[str], parser: _Parser, *, negations: bool) -> list[str]:
    """Options first, each with its value, then the rest: argparse takes neither `a --limit 3 b`
    nor a value that begins with `-`. In a query an unknown `-word` is a negation (S-2)."""
    actions = parser._option_string_actions
    options: list[str] = []
    operands: list[str] = []
    left = iter(words)
    for word in left:
        if word == "--":
            operands += left
        elif word in actions:
            value = next(left, None) if actions[word].nargs is None else None
            options.append(word if value is None else f"{word}={value}")
        elif word.startswith("--"):
            if word.partition("=")[0] not in actions:
                raise _no_option(parser.prog, word)
            options.append(word)
        elif word.startswith("-") and word != "-" and not negations:
            raise _no_option(parser.prog, word)
        else:
            operands.append(word)
    return [*options, "--", *operands] if operands else options


def _no_option(prog: str, word: str) -> Usage:
    message = f"there is no option {word.partition('=')[0]}"
    hint = f"{prog} --help lists the options; what is no option stands after --."
    return Usage(message, f"{prog}: {message}\n{hint}\n")


# -- the commands


def _none(parser: _Parser) -> None:
    """A command without arguments."""


def _list(parser: _Parser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY")
    parser.add_argument("--limit", type=_count, metavar="N", help="at most N")
    _sort(parser, "else relevance with words, newest without")
    parser.epilog = f"{_filters()}\nFor instance: memtui list category:preference -tag:work coffee"


def _search(parser: _Parser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY")
    parser.add_argument("--saved", metavar="NAME", help="the query that was kept under NAME")
    parser.add_argument("--limit", type=_count, default=20, metavar="N", help="at most N (20)")
    parser.add_argument(
        "--by", choices=("words", "meaning", "both"), default="both", metavar="HOW",
        help="words, meaning or both (both); without a model always by words",
    )  # fmt: skip
    _sort(parser, "else the best answer first, newest without words")
    parser.add_argument("--all", action="store_true", help="not only live ones: every status but removed")
    parser.add_argument("--facets", action="store_true", help="how many answers are in which store, …")
    parser.add_argument("--explain", action="store_true", help="why each memory is there")
    parser.epilog = (
        f"{_filters()}\n"
        "For instance: memtui search 'how do clients pay' category:fact\n"
        "With --json an array of memories as list prints them, each with\n"
        '  "why": {"score", "words", "matched", "place", "cosine", "recency", "filters"}:\n'
        "  words is 0 to 1, how much of what is telling in QUERY the memory says, by the words matched;\n"
        "  place its rank by words alone or null; cosine how near in meaning, null without a vector;\n"
        "  recency its part of score; filters as they were typed; score by one of both alone is its part.\n"
        'With --facets {"results": [that array], "facets": {"store" | "category" | "status" | "owner" |\n'
        '  "tag" | "kind": {value: count}}}, counted over all answers, whatever the limit.'
    )


def _sort(parser: _Parser, otherwise: str) -> None:
    parser.add_argument(
        "--sort", choices=SORTS, default="", metavar="ORDER",
        help=f"{', '.join(SORTS[:-1])} or {SORTS[-1]}; {otherwise}",
    )  # fmt: skip


def _filters() -> str:
    """The query language, from the table that reads it (S-31)."""
    from textwrap import wrap

    from memtui.memory.query import FILTERS
    from memtui.memory.ranges import FORMS

    lines = ['A query: words, "phrases" and filters, which all must match; a - before a part takes it out.']
    for spec in FILTERS.values():
        values = FORMS[spec.form] if spec.form else ", ".join(spec.allowed)
        lines += wrap(
            f"{f'{spec.name}:{spec.example}':<20} {spec.help}" + (f": {values}" if values else ""),
            _WIDE, initial_indent="  ", subsequent_indent=" " * 25, break_on_hyphens=False,
        )  # fmt: skip
    lines.append("A shell takes < and > for files, and * for names: put such a part in quotes, 'conf:>0.8'.")
    return "\n".join(lines)


def _saved_add(parser: _Parser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("query", nargs="+", metavar="QUERY")
    _sort(parser, "kept with it")


def _eval_retrieval(parser: _Parser) -> None:
    parser.add_argument("memories", metavar="MEMORIES", help='JSONL: {"id", "text", "group"?, …}')
    parser.add_argument(
        "questions",
        metavar="QUESTIONS",
        help='JSONL: {"question", "relevant": [id, …], "category"?, "group"?}',
    )
    parser.add_argument(
        "--ranking", choices=("memtui", "seed"), default="", metavar="NAME",
        help="memtui or seed; else what the settings say",
    )  # fmt: skip
    parser.epilog = (
        "A group is a store of its own. Nothing of yours is opened or written; the model is the one in your\n"
        "settings. With --json: "
        '{"n", "modes": {"lexical" | "vector" | "hybrid": {"recall@5", "recall@10",\n'
        '  "hit@5", "mrr@10", "interval": {measure: [low, high]}, "by_category": {name: {…, "n"}}}}}.'
    )


def _eval_contradictions(parser: _Parser) -> None:
    parser.add_argument(
        "pairs", metavar="PAIRS",
        help='JSONL: {"a", "b", "label": "contradiction" | "neutral" | "entailment", "category"?}',
    )  # fmt: skip
    parser.epilog = (
        "A line may have the key or the subject of both, too. Nothing of yours is opened, no model loaded.\n"
        'With --json: {"n", "precision", "recall", "f1", "by_category": {name: {"n", "precision", "recall",\n'
        '  "f1", "accuracy"}}, "contradictions_offered_as_duplicates": 0 to 1}.'
    )


def _pair_list(parser: _Parser) -> None:
    parser.add_argument("--store", default="", metavar="NAME", help="with a memory of this store")
    parser.add_argument("--kind", default="", metavar="KIND", help="of this kind only")
    parser.add_argument("--all", action="store_true", help="settled, snoozed and past ones, too")
    parser.epilog = (
        "With --json an array of\n"
        '  {"id", "family", "kind", "score", "reason", "topic", "state", "escalated", "found_at",\n'
        '  "a" and "b": {"uid", "store", "label", "words"},\n'
        '  "said": {"verdict", "at", "actor", "note", "until", "journal"} or null}.'
    )


def _pair(parser: _Parser) -> None:
    parser.add_argument("id", type=_count, metavar="ID", help="as the lists print it")


def _resolve(parser: _Parser) -> None:
    from memtui.memory.pairs import VERDICTS

    _pair(parser)
    parser.add_argument(
        "verdict", choices=(*VERDICTS, "not-a-contradiction"), metavar="VERDICT", help=", ".join(VERDICTS)
    )
    parser.add_argument("--text", metavar="TEXT", help="what a merge says; A stays and takes it")
    parser.add_argument("--note", default="", metavar="TEXT", help="kept with the verdict")
    parser.add_argument("--until", default="", metavar="ISO", help="the end of later; else a week from now")


def _merge(parser: _Parser) -> None:
    parser.add_argument("id", nargs="?", type=_count, metavar="ID", help="as memtui duplicates prints it")
    parser.add_argument("--text", metavar="TEXT", help="what stays then says; else all that both say")
    parser.add_argument("--all-exact", action="store_true", help="all that say the same word for word")
    parser.add_argument("--yes", action="store_true", help="do it; without, --all-exact only tells")


def _show(parser: _Parser) -> None:
    parser.add_argument("uid", metavar="UID")


def _add(parser: _Parser) -> None:
    parser.add_argument("text", nargs="?", metavar="TEXT", help="its text; - reads standard input")
    parser.add_argument("--content", metavar="TEXT", help="the same")
    parser.add_argument("--store", default="native", metavar="NAME", help="native unless named")
    _fields(parser)


def _edit(parser: _Parser) -> None:
    _uids(parser)
    parser.add_argument("--content", metavar="TEXT", help="its text; - reads standard input")
    _fields(parser)


def _fields(parser: _Parser) -> None:
    for name in ("title", "category", "key", "subject"):
        parser.add_argument(f"--{name}", metavar="TEXT")
    parser.add_argument(
        "--tag", action="append", metavar="TAG", help="TAG replaces the tags, +TAG adds one, -TAG removes one"
    )


def _uids(parser: _Parser) -> None:
    parser.add_argument("uids", nargs="+", metavar="UID", help="or - to read them from standard input")


def _pin(parser: _Parser) -> None:
    _uids(parser)
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, kept with the pin")


def _journal(parser: _Parser) -> None:
    parser.add_argument("--limit", type=_count, default=50, metavar="N", help="at most N (50)")


def _undo(parser: _Parser) -> None:
    parser.add_argument("id", nargs="?", type=_count, metavar="ID", help="a line of memtui journal")


def _attach(parser: _Parser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--name", default="", help="what to call it (one store only)")


def _named(parser: _Parser) -> None:
    parser.add_argument("name", metavar="NAME")


def _rename(parser: _Parser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("new", metavar="NEW")


def _lock(parser: _Parser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--off", action="store_true", help="allow changes again")


def _purge(parser: _Parser) -> None:
    _uids(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--backups", action="store_true", help="delete the backups that hold it, too")


def _doctor(parser: _Parser) -> None:
    parser.add_argument("--fix", action="store_true", help="mend what can be mended")
    parser.add_argument("--salvage", metavar="NEW", help="save what can be read into a new workspace at NEW")


def _backup_list(parser: _Parser) -> None:
    parser.add_argument("name", nargs="?", default="", metavar="STORE")


def _backup_restore(parser: _Parser) -> None:
    parser.add_argument("id", metavar="ID", help="as memtui backup list prints it")


def _since(parser: _Parser) -> None:
    parser.add_argument("--seen", action="store_true", help="begin anew from here afterwards")


def _cognitive(parser: _Parser) -> None:
    parser.add_argument(
        "store", nargs="?", default="", metavar="STORE", help="its name or path, where there are several"
    )


def _decay_preview(parser: _Parser) -> None:
    parser.add_argument("--days", type=_days, default=30.0, metavar="N", help="how far ahead, to 1826 (30)")
    _lifecycle(parser)
    parser.add_argument("--store", default="", metavar="NAME", help="of this store only")
    _now(parser)
    parser.add_argument("--limit", type=_count, default=40, metavar="N", help="at most N lines (40)")
    parser.epilog = (
        "What is due is done by memtui decay run --yes.\n"
        'With --json {"now", "horizon", "days", "what_if", "notes", "leaving", "memories": [each memory\n'
        "that stands in its store]}; each has\n"
        '  "uid", "store", "ref", "key", "label", "category", "status", "pinned", "lifecycle",\n'
        '  "now" and "horizon": {"at", "score", "label", "tier", "heat"}; score is 0 to 1 (the\n'
        "    vault 999), null where the format keeps no number; label is active, fading, dormant, archived,\n"
        "    or gone once it has left; tier and heat are Base Coat's, else null,\n"
        '  "next_change": {"at", "what", "rule"} or null; one that lies in the past is due,\n'
        '  "removal": {"at", "what", "rule"} or null: when it leaves what its agent is told,\n'
        '  "frozen": pinned, or why it is not live, else null,\n'
        '  "if_pinned", "if_used", "if_confirmed" (once, now): {"score", "label" at the horizon,\n'
        '    "next_change", "removal"}.'
    )


def _lifecycle(parser: _Parser) -> None:
    from memtui.memory.lifecycles import NAMES

    parser.add_argument(
        "--lifecycle", choices=NAMES, default="", metavar="L",
        help=f"try another than each store's own: {', '.join(NAMES)}",
    )  # fmt: skip


def _decay_run(parser: _Parser) -> None:
    _now(parser)
    parser.add_argument("--yes", action="store_true", help="do it; without, only tell what is due")


def _now(parser: _Parser) -> None:
    parser.add_argument("--now", default="", metavar="ISO", help="as if it were then, UTC unless it says")


def _days(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1_826:
        raise argparse.ArgumentTypeError(f"{text} is no number of days from 0 to 1826")
    return number


def _completion(parser: _Parser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= _MOST:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 to {_MOST:,}")
    return number


def _carry(parser: _Parser) -> None:
    parser.add_argument("uids", nargs="+", metavar="UID", help="uids, or - to read them")
    parser.add_argument("--to", required=True, metavar="STORE", help="the store that gets them")
    parser.add_argument("--dry-run", action="store_true", help="only tell what the store cannot hold")


def _relation(parser: _Parser) -> None:
    parser.add_argument("uid", metavar="UID", help="the memory that it leads from")
    parser.add_argument("kind", metavar="KIND", help="what it is: supports, contradicts, supersedes …")
    parser.add_argument("other", metavar="OTHER", help="the memory that it leads to")


def _relate(parser: _Parser) -> None:
    _relation(parser)
    parser.add_argument("--strength", type=float, metavar="0-1", help="how strong it is")
    parser.add_argument("--context", default="", metavar="TEXT", help="why, in a line")
    parser.add_argument("--text", default="", metavar="TEXT", help="a text of its own")


def _create(parser: _Parser) -> None:
    known = "founder-os, minions, mem-skill, base-coat, cognitive, claude-code …"
    parser.add_argument("format", metavar="FORMAT", help=known)
    parser.add_argument("path", metavar="PATH", help="where, or in which folder")
    parser.add_argument("--name", default="", metavar="NAME", help="what to call it")


COMMANDS = {
    "demo": Command("opening:open_demo", "Open a throw-away workspace of four stores.", _none),
    "list": Command(
        "memories:show_list", "Memories that match; without a query all but removed ones.", _list
    ),
    "search": Command("search:search", "Live memories that answer best, by words and meaning.", _search),
    "show": Command("memories:show_one", "Everything about one memory.", _show),
    "add": Command("memories:add", "Add a memory.", _add),
    "edit": Command("memories:edit", "Change memories, in the store that their agent reads.", _edit),
    "confirm": Command("memories:verb", "Say that memories are right.", _uids),
    "pin": Command("memories:verb", "Keep memories.", _pin),
    "unpin": Command("memories:verb", "Take the pin off.", _uids),
    "dismiss": Command("memories:verb", "Take out what is wrong; restorable.", _uids),
    "restore": Command("memories:verb", "Bring dismissed memories back.", _uids),
    "copy": Command("carrying:carry", "Copy memories into another store.", _carry),
    "move": Command("carrying:carry", "Move memories into another store.", _carry),
    "relate": Command(
        "relating:relate", "Say that a memory has a relation to another; one kind is supersedes.", _relate
    ),
    "unrelate": Command("relating:unrelate", "Take a relation away.", _relation),
    "journal": Command("lines:journal", "Who changed what, newest first.", _journal),
    "undo": Command("lines:undo", "Take back your newest change, or the journal's line ID.", _undo),
    "redo": Command("lines:redo", "Do again what the newest undo took back.", _none),
    "stores attach": Command("stores:attach", "Attach the stores at PATH.", _attach),
    "stores create": Command("stores:create", "Make an empty store and attach it.", _create),
    "stores list": Command("stores:show", "The attached stores and their health.", _none),
    "stores detach": Command("stores:detach", "Stop watching a store; pins, notes and history stay.", _named),
    "stores discover": Command(
        "discover:discover", "Stores in the known places that are not attached; attaches nothing.", _none
    ),
    "stores rename": Command("stores:rename", "Give a store another name.", _rename),
    "stores read-only": Command("stores:lock", "Refuse every change to a store, or allow them again.", _lock),
    "backup list": Command(
        "backup:show", "The copies of stores that were made before a day's first write.", _backup_list
    ),
    "backup restore": Command("backup:restore", "Make a store what a backup holds.", _backup_restore),
    "purge": Command(
        "purge:purge", "Erase memories for good, from their stores and from memtui; cannot be undone.", _purge
    ),
    "since": Command("lines:since", "What agents did since you last looked.", _since),
    "doctor": Command("doctor:doctor", "What is wrong or odd, and what it means.", _doctor),
    "stats": Command("stats:stats", "Counts by store, status and category.", _none),
    "saved list": Command("saved:show", "The searches that you keep.", _none),
    "saved add": Command("saved:add", "Keep a search under a name; one of the same name goes.", _saved_add),
    "saved forget": Command("saved:forget", "Keep a search no longer.", _named),
    "embed": Command("embed:embed", "Read by meaning what waits for it, until all is read.", _none),
    "eval retrieval": Command(
        "evaluate:retrieval",
        "How well the right memories are found, for questions with known answers.",
        _eval_retrieval,
    ),
    "eval contradictions": Command(
        "evaluate:contradictions",
        "How well contradictions are told from what agrees, for pairs with labels.",
        _eval_contradictions,
    ),
    "contradictions scan": Command(
        "contradictions:scan", "Compare what is new or changed with all other memories.", _none
    ),
    "contradictions list": Command(
        "contradictions:show_list", "Memories that contradict each other, most urgent first.", _pair_list
    ),
    "contradictions show": Command(
        "contradictions:show_one", "Both sides of a pair, and what each verdict would do.", _pair
    ),
    "contradictions resolve": Command(
        "contradictions:resolve", "Give a verdict on a pair, in the stores of both.", _resolve
    ),
    "duplicates list": Command(
        "contradictions:show_list", "Memories that say the same, most urgent first.", _pair_list
    ),
    "duplicates merge": Command("contradictions:merge", "Make one memory of two that say the same.", _merge),
    "decay preview": Command(
        "decay:preview", "What fades and leaves, when, and by which rule; changes nothing.", _decay_preview
    ),
    "decay run": Command("decay:run", "Do what decay has due; tells it first, --yes does it.", _decay_run),
    "cognitive list": Command("cognitive:show", "The attached Cognitive Memory trees.", _none),
    "cognitive reindex": Command("cognitive:reindex", "Rebuild _index.json from the memories.", _cognitive),
    "cognitive decay": Command("cognitive:decay", "Work the scores in _state.json out anew.", _cognitive),
    "cognitive core": Command("cognitive:core", "Rebuild CORE.md, what counts most.", _cognitive),
    "cognitive reflect": Command("cognitive:reflect", "Rebuild REFLECTION.md, what repeats.", _cognitive),
    "completion": Command("completion:completion", "Print the completion script of a shell.", _completion),
}
# Groups of commands, with the one that a group alone stands for.
GROUPS = {
    "stores": "list",
    "backup": "list",
    "saved": "list",
    "eval": "retrieval",
    "contradictions": "list",
    "duplicates": "list",
    "decay": "preview",
    "cognitive": "list",
}
