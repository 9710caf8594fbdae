"""The options and operands of each command, with their help."""

from __future__ import annotations

import argparse

from memtui.cli.parser import wording, wording_epilogs
from memtui.cli.parser.counts import count
from memtui.cli.parser.parser import Parser
from memtui.memory.groups import GROUPINGS

SORTS = ("relevance", "newest", "oldest", "confidence", "used", "expiry", "title", "store")
BY = ("text", "meaning", "both")
_MAX_DAYS = 1_826  # 5 years


def none(parser: Parser) -> None:
    """Add nothing, for a command without arguments."""


def list_(parser: Parser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="only memories that match (default: all)")
    parser.add_argument("--limit", type=count, metavar="N", help="show at most N")
    _sort(parser, "default: best match if QUERY has words, otherwise newest")
    parser.add_argument(
        "--group", choices=GROUPINGS, metavar="BY", help="list by entity, folder, category or store"
    )
    reveal(parser)
    parser.epilog = wording_epilogs.list_()


def reveal(parser: Parser) -> None:
    parser.add_argument(
        "--reveal",
        action="store_true",
        help="show secrets, which are masked otherwise; a terminal asks first",
    )


def search(parser: Parser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="what to look for, in the query language")
    parser.add_argument("--saved", metavar="NAME", help="run this saved search")
    parser.add_argument("--limit", type=count, default=20, metavar="N", help="show at most N (default: 20)")
    parser.add_argument(
        "--by", type=_by, choices=BY, default="both", metavar="HOW",
        help="text, meaning or both (default: both); without a model, text",
    )  # fmt: skip
    _sort(parser, "default: best match if QUERY has words, otherwise newest")
    parser.add_argument(
        "--all", action="store_true", help="include memories that are not live, except removed ones"
    )
    parser.add_argument(
        "--facets", action="store_true", help="count results by store, category, status, owner, tag and kind"
    )
    parser.add_argument("--explain", action="store_true", help="show why each memory matches")
    reveal(parser)
    parser.epilog = wording_epilogs.search()


def _by(text: str) -> str:
    """Return what to search by; `words` is the former name of text."""
    return "text" if text == "words" else text


def _sort(parser: Parser, otherwise: str) -> None:
    parser.add_argument(
        "--sort", choices=SORTS, default="", metavar="ORDER",
        help=f"{', '.join(SORTS[:-1])} or {SORTS[-1]}; {otherwise}",
    )  # fmt: skip


def saved_add(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="the name to save it under")
    parser.add_argument(
        "query", nargs="+", metavar="QUERY", help="the query; memtui list --help describes the language"
    )
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
    parser.epilog = wording_epilogs.EVAL_RETRIEVAL


def eval_contradictions(parser: Parser) -> None:
    parser.add_path(
        "pairs", metavar="PAIRS",
        help='JSONL: {"a", "b", "label": "contradiction" | "neutral" | "entailment", "category"?}',
    )  # fmt: skip
    parser.epilog = wording_epilogs.EVAL_CONTRADICTIONS


def pair_list(parser: Parser) -> None:
    parser.add_store("--store", default="", metavar="NAME", help="only pairs with a memory in this store")
    parser.add_argument("--kind", default="", metavar="KIND", help="only pairs of this kind")
    parser.add_argument("--all", action="store_true", help="include resolved, snoozed and outdated pairs")
    parser.epilog = wording_epilogs.PAIRS


def pair(parser: Parser) -> None:
    parser.add_argument("id", type=count, metavar="ID", help="the pair's ID, from the list commands")


def resolve(parser: Parser) -> None:
    from memtui.cli.parser.verdicts import NAMES, documented

    pair(parser)
    parser.add_argument(
        "verdict", type=documented, choices=NAMES, metavar="VERDICT", help=wording.any_of(NAMES)
    )
    parser.add_argument("--text", metavar="TEXT", help="the merged text, saved in A")
    parser.add_argument("--note", default="", metavar="TEXT", help="a note on the verdict")
    parser.add_argument(
        "--until", default="", metavar="ISO", help="snooze until this date (default: in a week)"
    )


def merge(parser: Parser) -> None:
    parser.add_argument(
        "id", nargs="?", type=count, metavar="ID", help="the pair's ID, from memtui duplicates list"
    )
    parser.add_argument("--text", metavar="TEXT", help="the merged text (default: both texts combined)")
    parser.add_argument(
        "--all-exact", action="store_true", help="merge all memories with exactly the same text"
    )
    parser.add_argument(
        "--yes", action="store_true", help="merge; without it, --all-exact only lists the pairs"
    )


def show(parser: Parser) -> None:
    parser.add_argument("uid", metavar="UID", help="the memory's uid, or its first characters")
    reveal(parser)
    parser.epilog = wording_epilogs.SHOW


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
    parser.add_argument("--ignore-case", action="store_true", help="ignore case when matching FIND")
    parser.add_argument(
        "--keep-case",
        action="store_true",
        help="keep the case of each match: lower, UPPER or Capitalized",
    )
    parser.add_argument(
        "--in", dest="fields", action="append", choices=FIELDS, metavar="FIELD",
        help=f"{', '.join(FIELDS[:-1])} or {FIELDS[-1]}; repeatable (default: all)",
    )  # fmt: skip
    parser.add_argument("--yes", action="store_true", help="replace; without it, only show the matches")
    parser.epilog = (
        "Each line has the uid, store, field and match: text [old → new] text. Secrets are never matched.\n"
        'With --json: {"hits": [{"uid", "store", "field", "kept" (only in memtui), "part" (index of the\n'
        '  tag, else 0), "start", "end", "left", "before", "after", "right"}],\n'
        '  "stores": {name: {"memories", "hits"}}, "skipped": [{"uid", "label", "code", "why"}]};\n'
        '  with --yes also "kind", "summary", "journal" and "uids".'
    )


def uids(parser: Parser) -> None:
    parser.add_argument("uids", nargs="+", metavar="UID", help="a uid; - reads uids from standard input")


def dry_run(parser: Parser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="only show what would change, and where")


def journal(parser: Parser) -> None:
    parser.add_argument("--as", dest="agent", metavar="AGENT", help="only what this agent did")
    parser.add_argument(
        "--session", default="", metavar="ID", help="only of an agent's session, by its beginning"
    )
    parser.add_argument("--limit", type=count, default=50, metavar="N", help="show at most N (default: 50)")


def stats(parser: Parser) -> None:
    parser.add_argument("--as", dest="agent", metavar="AGENT", help="only what this agent did and was given")


def undo(parser: Parser) -> None:
    parser.add_argument(
        "id",
        nargs="?",
        type=count,
        metavar="ID",
        help="an entry ID from memtui journal (default: your last change)",
    )


def attach(parser: Parser) -> None:
    parser.add_path("paths", nargs="+", metavar="PATH", help="a store, or a folder that contains stores")
    parser.add_argument(
        "--name", default="", metavar="NAME", help="name of the store, if PATH contains only one"
    )


def detach(parser: Parser) -> None:
    parser.add_store("name", metavar="NAME", help="the store's name, from memtui stores list")


def forget(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="the saved search's name, from memtui saved list")


def rename(parser: Parser) -> None:
    parser.add_store("name", metavar="NAME", help="the store's name, from memtui stores list")
    parser.add_argument("new", metavar="NEW", help="its new name")


def lock(parser: Parser) -> None:
    parser.add_store("name", metavar="NAME", help="the store's name, from memtui stores list")
    parser.add_argument("--off", action="store_true", help="allow changes again")


def purge(parser: Parser) -> None:
    uids(parser)
    parser.add_argument("--yes", action="store_true", help="don't ask for confirmation")
    parser.add_argument("--backups", action="store_true", help="also delete backups that contain the text")


def redact(parser: Parser) -> None:
    uids(parser)
    parser.add_argument("--yes", action="store_true", help="don't ask for confirmation")
    parser.add_argument("--backups", action="store_true", help="also delete backups that have a secret")


def doctor(parser: Parser) -> None:
    parser.add_argument("--fix", action="store_true", help="repair what can be repaired")
    parser.add_path("--salvage", metavar="NEW", help="recover what can be read into a new workspace at NEW")


def backup_list(parser: Parser) -> None:
    parser.add_store(
        "name", nargs="?", default="", metavar="STORE", help="only backups of this store (default: all)"
    )


def backup_restore(parser: Parser) -> None:
    parser.add_argument("id", metavar="ID", help="the backup's ID, from memtui backup list")


def since(parser: Parser) -> None:
    parser.add_argument("--seen", action="store_true", help="mark these changes as seen")


def cognitive(parser: Parser) -> None:
    parser.add_store(
        "store", nargs="?", default="", metavar="STORE", help="the store's name or path, if there are several"
    )


def decay_preview(parser: Parser) -> None:
    parser.add_argument(
        "--days", type=_days, default=30.0, metavar="N", help="how many days ahead, up to 1826 (default: 30)"
    )
    _lifecycle(parser)
    parser.add_store("--store", default="", metavar="NAME", help="only this store")
    _now(parser)
    parser.add_argument("--limit", type=count, default=40, metavar="N", help="show at most N (default: 40)")
    parser.epilog = wording_epilogs.DECAY_PREVIEW


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


def transfer(parser: Parser) -> None:
    parser.add_argument("uids", nargs="+", metavar="UID", help="a uid; - reads uids from standard input")
    parser.add_store("--to", required=True, metavar="STORE", help="the target store")
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
    parser.epilog = wording_epilogs.EDIT_RELATION


def unrelate(parser: Parser) -> None:
    relation(parser)
    parser.add_argument("--name", action="store_true", help="OTHER is a name, not a memory")
    parser.add_argument("--backwards", action="store_true", help="the relation points from OTHER to UID")


def graph(parser: Parser) -> None:
    parser.add_argument("uid", metavar="UID", help="the memory to start at")
    parser.add_argument("--hops", type=int, choices=(1, 2), default=1, help="hops to follow (default: 1)")
    parser.add_argument("--near", action="store_true", help="include memories with a similar meaning")


def clusters(parser: Parser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="only these memories (default: all)")


def create(parser: Parser) -> None:
    from memtui.formats.registry import formats

    names = parser.values["format"] = [each.format for each in formats()]
    parser.add_argument("format", metavar="FORMAT", help=wording.formats(names))
    parser.add_path(
        "path", metavar="PATH",
        help="the new store's file or folder; it must be empty or not exist yet (with a trailing /, the "
        "store is created inside that folder)",
    )  # fmt: skip
    parser.add_argument("--name", default="", metavar="NAME", help="name of the store")
