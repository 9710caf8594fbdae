"""The options and operands of each command, with their help."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from memtui.cli.parser import wording
from memtui.errors import UsageError

SORTS = ("relevance", "newest", "oldest", "confidence", "used", "expiry", "title", "store")
_MAX_COUNT = 1_000_000_000  # more than any list or journal has
_MAX_DAYS = 1_826  # 5 years
_HELP_WIDTH = 96  # columns of a help text of several lines


class Parser(argparse.ArgumentParser):
    """The options of one command; errors are raised, not printed. `paths` are the arguments that take one."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.paths: set[str] = set()

    def add_path(self, *names: str, **more: Any) -> None:
        """Add an argument that takes a path, which shells complete."""
        self.paths.add(self.add_argument(*names, **more).dest)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> object:
        """Do as argparse does, which before Python 3.13 takes the value of `--title=--` for no value."""
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            value = self._get_value(action, "--")
            self._check_value(action, value)
            return value
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"{self.prog}: {message}\n{self.format_usage()}")


def none(parser: Parser) -> None:
    """Add nothing, for a command without arguments."""


_LINE = "Each line has the uid, store, category, status and label; * before a label means pinned."


def list_(parser: Parser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY")
    parser.add_argument("--limit", type=_count, metavar="N", help="show at most N")
    _sort(parser, "default: best match if QUERY has words, otherwise newest")
    parser.epilog = f"{_filters()}\n{_LINE}"


def search(parser: Parser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY")
    parser.add_argument("--saved", metavar="NAME", help="run this saved search")
    parser.add_argument("--limit", type=_count, default=20, metavar="N", help="show at most N (default: 20)")
    parser.add_argument(
        "--by", choices=("words", "meaning", "both"), default="both", metavar="HOW",
        help="words, meaning or both (default: both); without a model, words",
    )  # fmt: skip
    _sort(parser, "default: best match if QUERY has words, otherwise newest")
    parser.add_argument(
        "--all", action="store_true", help="include memories that are not live, except removed ones"
    )
    parser.add_argument(
        "--facets", action="store_true", help="count results by store, category, status, owner, tag and kind"
    )
    parser.add_argument("--explain", action="store_true", help="show why each memory matches")
    parser.epilog = (
        f"{_filters()}\n"
        f"{_LINE}\nResults under “related” do not match QUERY; they are only similar to it.\n"
        'With --json: an array of memories as list prints them, each with "related" (true for these) and\n'
        '  "why": {"score", "words", "matched", "place", "cosine", "recency", "filters"}:\n'
        "  words: how much of QUERY the matched words cover, 0 to 1; place: rank by words or null;\n"
        "  cosine: similarity in meaning, null if not indexed; recency: its share of score;\n"
        "  filters: as typed; score: with --by words or meaning, the score of that part alone.\n"
        'With --facets: {"results": [that array], "facets": {"store" | "category" | "status" | "owner" |\n'
        '  "tag" | "kind": {value: count}}}, counted over all results, regardless of the limit.'
    )


def _sort(parser: Parser, otherwise: str) -> None:
    parser.add_argument(
        "--sort", choices=SORTS, default="", metavar="ORDER",
        help=f"{', '.join(SORTS[:-1])} or {SORTS[-1]}; {otherwise}",
    )  # fmt: skip


def _filters() -> str:
    """Return the query language, from the table of its filters (S-31)."""
    from textwrap import wrap

    from memtui.memory.query.language import FILTERS
    from memtui.memory.query.wording import FORMS

    lines = ['A query has words, "phrases" and filters; all must match. A - before a part excludes it.']
    for spec in FILTERS.values():
        values = FORMS[spec.form] if spec.form else ", ".join(spec.allowed)
        lines += wrap(
            f"{f'{spec.name}:{spec.example}':<20} {spec.help}" + (f": {values}" if values else ""),
            _HELP_WIDTH, initial_indent="  ", subsequent_indent=" " * 25, break_on_hyphens=False,
        )  # fmt: skip
    lines.append("Quote parts with <, > or *, which are special to shells: 'conf:>0.8'.")
    return "\n".join(lines)


def saved_add(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("query", nargs="+", metavar="QUERY")
    _sort(parser, "saved with the search")


def eval_retrieval(parser: Parser) -> None:
    parser.add_path("memories", metavar="MEMORIES", help='JSONL: {"id", "text", "group"?, …}')
    parser.add_path(
        "questions",
        metavar="QUESTIONS",
        help='JSONL: {"question", "relevant": [id, …], "category"?, "group"?}',
    )
    parser.add_argument(
        "--ranking", choices=("memtui", "seed"), default="", metavar="NAME",
        help="memtui or seed (default: the one in the settings)",
    )  # fmt: skip
    parser.epilog = (
        "Each group is a separate store. Your workspace isn't opened or written. The model is the one in\n"
        "your settings. With --json: "
        '{"n", "modes": {"lexical" | "vector" | "hybrid": {"recall@5", "recall@10",\n'
        '  "hit@5", "mrr@10", "interval": {measure: [low, high]}, "by_category": {name: {…, "n"}}}}}.'
    )


def eval_contradictions(parser: Parser) -> None:
    parser.add_path(
        "pairs", metavar="PAIRS",
        help='JSONL: {"a", "b", "label": "contradiction" | "neutral" | "entailment", "category"?}',
    )  # fmt: skip
    parser.epilog = (
        "A line may also include a key or subject shared by both. No workspace is opened and no "
        "model is loaded.\n"
        'With --json: {"n", "precision", "recall", "f1", "by_category": {name: {"n", "precision", "recall",\n'
        '  "f1", "accuracy"}}, "contradictions_offered_as_duplicates": 0 to 1}.'
    )


def pair_list(parser: Parser) -> None:
    parser.add_argument("--store", default="", metavar="NAME", help="only pairs with a memory in this store")
    parser.add_argument("--kind", default="", metavar="KIND", help="only pairs of this kind")
    parser.add_argument("--all", action="store_true", help="include resolved, snoozed and outdated pairs")
    parser.epilog = (
        "With --json: an array of\n"
        '  {"id", "family", "kind", "score", "reason", "topic", "state", "escalated", "found_at",\n'
        '  "a" and "b": {"uid", "store", "label", "words"},\n'
        '  "said": {"verdict", "at", "actor", "note", "until", "journal"} or null}.'
    )


def pair(parser: Parser) -> None:
    parser.add_argument("id", type=_count, metavar="ID", help="the pair's ID, from the list commands")


def resolve(parser: Parser) -> None:
    from memtui.memory.contradictions.pairs import VERDICTS

    pair(parser)
    parser.add_argument(
        "verdict", choices=(*VERDICTS, "not-a-contradiction"), metavar="VERDICT", help=", ".join(VERDICTS)
    )
    parser.add_argument("--text", metavar="TEXT", help="the merged text, saved in A")
    parser.add_argument("--note", default="", metavar="TEXT", help="a note on the verdict")
    parser.add_argument(
        "--until", default="", metavar="ISO", help="snooze until this date (default: in a week)"
    )


def merge(parser: Parser) -> None:
    parser.add_argument(
        "id", nargs="?", type=_count, metavar="ID", help="the pair's ID, from memtui duplicates list"
    )
    parser.add_argument("--text", metavar="TEXT", help="the merged text (default: both texts combined)")
    parser.add_argument(
        "--all-exact", action="store_true", help="merge all memories with exactly the same text"
    )
    parser.add_argument(
        "--yes", action="store_true", help="merge; without it, --all-exact only lists the pairs"
    )


def show(parser: Parser) -> None:
    parser.add_argument("uid", metavar="UID")


def add(parser: Parser) -> None:
    parser.add_argument("text", nargs="?", metavar="TEXT", help="the text; - reads standard input")
    parser.add_argument("--content", metavar="TEXT", help="same as TEXT")
    parser.add_argument(
        "--store", default="native", metavar="NAME", help="the store to add it to (default: native)"
    )
    _fields(parser)


def edit(parser: Parser) -> None:
    uids(parser)
    parser.add_argument("--content", metavar="TEXT", help="the text; - reads standard input")
    _fields(parser)


def _fields(parser: Parser) -> None:
    for name in ("title", "category", "key", "subject"):
        parser.add_argument(f"--{name}", metavar="TEXT")
    parser.add_argument(
        "--tag", action="append", metavar="TAG", help="TAG replaces all tags, +TAG adds one, -TAG removes one"
    )


def replace(parser: Parser) -> None:
    from memtui.memory.replacement import FIELDS

    parser.add_argument("find", metavar="FIND", help="the text to find")
    parser.add_argument("replacement", metavar="REPLACEMENT", help='the new text; "" removes FIND')
    parser.add_argument(
        "query", nargs="*", metavar="QUERY", help="only these memories (default: all live ones)"
    )
    parser.add_argument(
        "--regex",
        action="store_true",
        help=r"FIND is a regular expression (^ and $ match at each line); \1 and \g<name> are its groups",
    )
    parser.add_argument("--ignore-case", action="store_true", help="find upper and lower case")
    parser.add_argument(
        "--keep-case",
        action="store_true",
        help="write REPLACEMENT in lower case, UPPER CASE or Capitalized, like FIND",
    )
    parser.add_argument(
        "--in", dest="fields", action="append", choices=FIELDS, metavar="FIELD",
        help=f"{', '.join(FIELDS[:-1])} or {FIELDS[-1]}; repeatable (default: all)",
    )  # fmt: skip
    parser.add_argument("--yes", action="store_true", help="replace; without it, only show the matches")
    parser.epilog = (
        "Each line has the uid, store, field and match: text [old → new] text. Secrets are never matched.\n"
        'With --json: {"hits": [{"uid", "store", "field", "kept" (by memtui alone), "part" (number of the\n'
        '  tag, else 0), "start", "end", "left", "before", "after", "right"}],\n'
        '  "stores": {name: {"memories", "hits"}}, "skipped": [{"uid", "label", "code", "why"}]};\n'
        '  with --yes also "kind", "summary", "journal" and "uids".'
    )


def uids(parser: Parser) -> None:
    parser.add_argument("uids", nargs="+", metavar="UID", help="a uid; - reads uids from standard input")


def pin(parser: Parser) -> None:
    uids(parser)
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, saved with the pin")


def journal(parser: Parser) -> None:
    parser.add_argument("--limit", type=_count, default=50, metavar="N", help="show at most N (default: 50)")


def undo(parser: Parser) -> None:
    parser.add_argument(
        "id",
        nargs="?",
        type=_count,
        metavar="ID",
        help="an entry ID from memtui journal (default: your last change)",
    )


def attach(parser: Parser) -> None:
    parser.add_path("paths", nargs="+", metavar="PATH")
    parser.add_argument("--name", default="", help="name of the store, if PATH contains only one")


def named(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME")


def rename(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("new", metavar="NEW")


def lock(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--off", action="store_true", help="allow changes again")


def purge(parser: Parser) -> None:
    uids(parser)
    parser.add_argument("--yes", action="store_true", help="don't ask for confirmation")
    parser.add_argument(
        "--backups", action="store_true", help="also delete backups that contain the purged text"
    )


def doctor(parser: Parser) -> None:
    parser.add_argument("--fix", action="store_true", help="repair what can be repaired")
    parser.add_path("--salvage", metavar="NEW", help="recover what can be read into a new workspace at NEW")


def backup_list(parser: Parser) -> None:
    parser.add_argument("name", nargs="?", default="", metavar="STORE")


def backup_restore(parser: Parser) -> None:
    parser.add_argument("id", metavar="ID", help="the backup's ID, from memtui backup list")


def since(parser: Parser) -> None:
    parser.add_argument("--seen", action="store_true", help="mark these changes as seen")


def cognitive(parser: Parser) -> None:
    parser.add_argument(
        "store", nargs="?", default="", metavar="STORE", help="the store's name or path, if there are several"
    )


def decay_preview(parser: Parser) -> None:
    parser.add_argument(
        "--days", type=_days, default=30.0, metavar="N", help="how many days ahead, up to 1826 (default: 30)"
    )
    _lifecycle(parser)
    parser.add_argument("--store", default="", metavar="NAME", help="only this store")
    _now(parser)
    parser.add_argument("--limit", type=_count, default=40, metavar="N", help="show at most N (default: 40)")
    parser.epilog = (
        "To run due decay: memtui decay run --yes\n"
        'With --json: {"now", "horizon", "days", "what_if", "notes", "leaving", "memories": [each memory\n'
        "that is still in its store]}; each has\n"
        '  "uid", "store", "ref", "key", "label", "category", "status", "pinned", "lifecycle",\n'
        '  "now" and "horizon": {"at", "score", "label", "tier", "heat"}; score is 0 to 1 (999\n'
        "    in the vault), null if the format has no number; label is active, fading, dormant, archived,\n"
        "    or gone once it has left; tier and heat are null outside Base Coat,\n"
        '  "next_change": {"at", "what", "rule"} or null; one in the past is due,\n'
        '  "removal": {"at", "what", "rule"} or null: when its agent stops seeing it,\n'
        '  "frozen": pinned, or why it is not live, else null,\n'
        '  "if_pinned", "if_used", "if_confirmed" (once, now): {"score", "label" at the horizon,\n'
        '    "next_change", "removal"}.'
    )


def _lifecycle(parser: Parser) -> None:
    from memtui.memory.lifecycles import NAMES

    parser.add_argument(
        "--lifecycle", choices=NAMES, default="", metavar="L",
        help=f"try this lifecycle instead of each store's own: {', '.join(NAMES)}",
    )  # fmt: skip


def decay_run(parser: Parser) -> None:
    _now(parser)
    parser.add_argument("--yes", action="store_true", help="apply; without it, only show what is due")


def _now(parser: Parser) -> None:
    parser.add_argument(
        "--now", default="", metavar="ISO", help="use this as the current time (UTC if no zone is given)"
    )


def _days(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= _MAX_DAYS:
        raise argparse.ArgumentTypeError(wording.not_days(text, _MAX_DAYS))
    return number


def completion(parser: Parser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= _MAX_COUNT:
        raise argparse.ArgumentTypeError(wording.not_a_count(text, _MAX_COUNT))
    return number


def transfer(parser: Parser) -> None:
    parser.add_argument("uids", nargs="+", metavar="UID", help="a uid; - reads uids from standard input")
    parser.add_argument("--to", required=True, metavar="STORE", help="the target store")
    parser.add_argument("--dry-run", action="store_true", help="only show what the store can't hold")


def relation(parser: Parser) -> None:
    parser.add_argument("uid", metavar="UID", help="the memory the relation starts at")
    parser.add_argument("kind", metavar="KIND", help="the relation kind: supports, contradicts, supersedes …")
    parser.add_argument("other", metavar="OTHER", help="the memory the relation points to")


def relate(parser: Parser) -> None:
    relation(parser)
    parser.add_argument("--strength", type=float, metavar="0-1", help="strength of the relation")
    parser.add_argument("--context", default="", metavar="TEXT", help="the reason, in one line")
    parser.add_argument("--text", default="", metavar="TEXT", help="a longer text for the relation")


def update_relation(parser: Parser) -> None:
    relation(parser)
    parser.add_argument("--to", metavar="KIND", help="the new kind")
    parser.add_argument("--strength", type=float, metavar="0-1", help="the new strength")
    parser.add_argument("--context", metavar="TEXT", help='the new reason, in one line; "" removes it')
    parser.add_argument("--text", metavar="TEXT", help='the new text; "" removes it')
    parser.add_argument("--reverse", action="store_true", help="reverse the direction")


def unrelate(parser: Parser) -> None:
    relation(parser)
    parser.add_argument("--name", action="store_true", help="OTHER is a name, not a memory")
    parser.add_argument("--backwards", action="store_true", help="the relation points from OTHER to UID")


def graph(parser: Parser) -> None:
    parser.add_argument("uid", metavar="UID")
    parser.add_argument("--hops", type=int, choices=(1, 2), default=1, help="hops to follow (default: 1)")
    parser.add_argument("--near", action="store_true", help="include memories with a similar meaning")


def clusters(parser: Parser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="only these memories (default: all)")


def create(parser: Parser) -> None:
    known = "the format, such as founder-os, minions, mem-skill, base-coat, cognitive or claude-code"
    parser.add_argument("format", metavar="FORMAT", help=known)
    parser.add_path("path", metavar="PATH", help="the new store's path, or a folder to create it in")
    parser.add_argument("--name", default="", metavar="NAME", help="name of the store")
