"""The options and operands of each command, with their help."""

from __future__ import annotations

import argparse
from typing import NoReturn

from memtui.errors import UsageError

SORTS = ("relevance", "newest", "oldest", "confidence", "used", "expiry", "title", "store")
_MAX_COUNT = 1_000_000_000  # more than any list or journal has
_HELP_WIDTH = 96  # columns of a help text of several lines


class Parser(argparse.ArgumentParser):
    """The options of one command; errors are raised, not printed."""

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


_LINE = "A line is the uid, store, category, status and label; * before a label means pinned."


def list_(parser: Parser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY")
    parser.add_argument("--limit", type=_count, metavar="N", help="at most N")
    _sort(parser, "else relevance with words, newest without")
    parser.epilog = f"{_filters()}\nFor instance: memtui list category:preference -tag:work coffee\n{_LINE}"


def search(parser: Parser) -> None:
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
        f"{_LINE}\nThose under “related” do not answer QUERY and are only near to it.\n"
        'With --json an array of memories as list prints them, each with "related", true for these, and\n'
        '  "why": {"score", "words", "matched", "place", "cosine", "recency", "filters"}:\n'
        "  words is 0 to 1, how much of what is telling in QUERY the memory says, by the words matched;\n"
        "  place its rank by words alone or null; cosine how near in meaning, null without a vector;\n"
        "  recency its part of score; filters as they were typed; score by one of both alone is its part.\n"
        'With --facets {"results": [that array], "facets": {"store" | "category" | "status" | "owner" |\n'
        '  "tag" | "kind": {value: count}}}, counted over all answers, whatever the limit.'
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

    lines = ['A query: words, "phrases" and filters, which all must match; a - before a part takes it out.']
    for spec in FILTERS.values():
        values = FORMS[spec.form] if spec.form else ", ".join(spec.allowed)
        lines += wrap(
            f"{f'{spec.name}:{spec.example}':<20} {spec.help}" + (f": {values}" if values else ""),
            _HELP_WIDTH, initial_indent="  ", subsequent_indent=" " * 25, break_on_hyphens=False,
        )  # fmt: skip
    lines.append("A shell takes < and > for files, and * for names: put such a part in quotes, 'conf:>0.8'.")
    return "\n".join(lines)


def saved_add(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("query", nargs="+", metavar="QUERY")
    _sort(parser, "kept with it")


def eval_retrieval(parser: Parser) -> None:
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


def eval_contradictions(parser: Parser) -> None:
    parser.add_argument(
        "pairs", metavar="PAIRS",
        help='JSONL: {"a", "b", "label": "contradiction" | "neutral" | "entailment", "category"?}',
    )  # fmt: skip
    parser.epilog = (
        "A line may have the key or the subject of both, too. Nothing of yours is opened, no model loaded.\n"
        'With --json: {"n", "precision", "recall", "f1", "by_category": {name: {"n", "precision", "recall",\n'
        '  "f1", "accuracy"}}, "contradictions_offered_as_duplicates": 0 to 1}.'
    )


def pair_list(parser: Parser) -> None:
    parser.add_argument("--store", default="", metavar="NAME", help="with a memory of this store")
    parser.add_argument("--kind", default="", metavar="KIND", help="of this kind only")
    parser.add_argument("--all", action="store_true", help="settled, snoozed and past ones, too")
    parser.epilog = (
        "With --json an array of\n"
        '  {"id", "family", "kind", "score", "reason", "topic", "state", "escalated", "found_at",\n'
        '  "a" and "b": {"uid", "store", "label", "words"},\n'
        '  "said": {"verdict", "at", "actor", "note", "until", "journal"} or null}.'
    )


def pair(parser: Parser) -> None:
    parser.add_argument("id", type=_count, metavar="ID", help="as the lists print it")


def resolve(parser: Parser) -> None:
    from memtui.memory.contradictions.pairs import VERDICTS

    pair(parser)
    parser.add_argument(
        "verdict", choices=(*VERDICTS, "not-a-contradiction"), metavar="VERDICT", help=", ".join(VERDICTS)
    )
    parser.add_argument("--text", metavar="TEXT", help="what a merge says; A stays and takes it")
    parser.add_argument("--note", default="", metavar="TEXT", help="kept with the verdict")
    parser.add_argument("--until", default="", metavar="ISO", help="the end of later; else a week from now")


def merge(parser: Parser) -> None:
    parser.add_argument("id", nargs="?", type=_count, metavar="ID", help="as memtui duplicates prints it")
    parser.add_argument("--text", metavar="TEXT", help="what stays then says; else all that both say")
    parser.add_argument("--all-exact", action="store_true", help="all that say the same word for word")
    parser.add_argument("--yes", action="store_true", help="do it; without, --all-exact only tells")


def show(parser: Parser) -> None:
    parser.add_argument("uid", metavar="UID")


def add(parser: Parser) -> None:
    parser.add_argument("text", nargs="?", metavar="TEXT", help="its text; - reads standard input")
    parser.add_argument("--content", metavar="TEXT", help="the same")
    parser.add_argument("--store", default="native", metavar="NAME", help="native unless named")
    _fields(parser)


def edit(parser: Parser) -> None:
    uids(parser)
    parser.add_argument("--content", metavar="TEXT", help="its text; - reads standard input")
    _fields(parser)


def _fields(parser: Parser) -> None:
    for name in ("title", "category", "key", "subject"):
        parser.add_argument(f"--{name}", metavar="TEXT")
    parser.add_argument(
        "--tag", action="append", metavar="TAG", help="TAG replaces the tags, +TAG adds one, -TAG removes one"
    )


def uids(parser: Parser) -> None:
    parser.add_argument("uids", nargs="+", metavar="UID", help="or - to read them from standard input")


def pin(parser: Parser) -> None:
    uids(parser)
    parser.add_argument("--why", default="", metavar="TEXT", help="the reason, kept with the pin")


def journal(parser: Parser) -> None:
    parser.add_argument("--limit", type=_count, default=50, metavar="N", help="at most N (50)")


def undo(parser: Parser) -> None:
    parser.add_argument("id", nargs="?", type=_count, metavar="ID", help="a line of memtui journal")


def attach(parser: Parser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--name", default="", help="what to call it (one store only)")


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
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--backups", action="store_true", help="delete the backups that hold it, too")


def doctor(parser: Parser) -> None:
    parser.add_argument("--fix", action="store_true", help="mend what can be mended")
    parser.add_argument("--salvage", metavar="NEW", help="save what can be read into a new workspace at NEW")


def backup_list(parser: Parser) -> None:
    parser.add_argument("name", nargs="?", default="", metavar="STORE")


def backup_restore(parser: Parser) -> None:
    parser.add_argument("id", metavar="ID", help="as memtui backup list prints it")


def since(parser: Parser) -> None:
    parser.add_argument("--seen", action="store_true", help="begin anew from here afterwards")


def cognitive(parser: Parser) -> None:
    parser.add_argument(
        "store", nargs="?", default="", metavar="STORE", help="its name or path, where there are several"
    )


def decay_preview(parser: Parser) -> None:
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


def _lifecycle(parser: Parser) -> None:
    from memtui.memory.lifecycles import NAMES

    parser.add_argument(
        "--lifecycle", choices=NAMES, default="", metavar="L",
        help=f"try another than each store's own: {', '.join(NAMES)}",
    )  # fmt: skip


def decay_run(parser: Parser) -> None:
    _now(parser)
    parser.add_argument("--yes", action="store_true", help="do it; without, only tell what is due")


def _now(parser: Parser) -> None:
    parser.add_argument("--now", default="", metavar="ISO", help="as if it were then, UTC unless it says")


def _days(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1_826:
        raise argparse.ArgumentTypeError(f"{text} is no number of days from 0 to 1826")
    return number


def completion(parser: Parser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= _MAX_COUNT:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 to {_MAX_COUNT:,}")
    return number


def transfer(parser: Parser) -> None:
    parser.add_argument("uids", nargs="+", metavar="UID", help="uids, or - to read them")
    parser.add_argument("--to", required=True, metavar="STORE", help="the store that gets them")
    parser.add_argument("--dry-run", action="store_true", help="only tell what the store cannot hold")


def relation(parser: Parser) -> None:
    parser.add_argument("uid", metavar="UID", help="the memory that it leads from")
    parser.add_argument("kind", metavar="KIND", help="what it is: supports, contradicts, supersedes …")
    parser.add_argument("other", metavar="OTHER", help="the memory that it leads to")


def relate(parser: Parser) -> None:
    relation(parser)
    parser.add_argument("--strength", type=float, metavar="0-1", help="how strong it is")
    parser.add_argument("--context", default="", metavar="TEXT", help="why, in a line")
    parser.add_argument("--text", default="", metavar="TEXT", help="a text of its own")


def update_relation(parser: Parser) -> None:
    relation(parser)
    parser.add_argument("--to", metavar="KIND", help="another kind")
    parser.add_argument("--strength", type=float, metavar="0-1", help="another strength")
    parser.add_argument("--context", metavar="TEXT", help='why, in a line; "" for nothing')
    parser.add_argument("--text", metavar="TEXT", help='a text of its own; "" for none')
    parser.add_argument("--reverse", action="store_true", help="let it lead the other way")


def unrelate(parser: Parser) -> None:
    relation(parser)
    parser.add_argument("--name", action="store_true", help="OTHER is a name behind which no memory stands")
    parser.add_argument("--backwards", action="store_true", help="it leads from OTHER to UID")


def graph(parser: Parser) -> None:
    parser.add_argument("uid", metavar="UID")
    parser.add_argument("--hops", type=int, choices=(1, 2), default=1, help="how far")
    parser.add_argument("--near", action="store_true", help="what is near in meaning, too")


def clusters(parser: Parser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="of these memories; else of all")


def create(parser: Parser) -> None:
    known = "founder-os, minions, mem-skill, base-coat, cognitive, claude-code …"
    parser.add_argument("format", metavar="FORMAT", help=known)
    parser.add_argument("path", metavar="PATH", help="where, or in which folder")
    parser.add_argument("--name", default="", metavar="NAME", help="what to call it")
