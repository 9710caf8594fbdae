"""What the help of a command says after its options; it is wrapped when it is printed."""

from __future__ import annotations

from textwrap import wrap

WIDTH = 80  # columns of a help

_LINE = "Each line has the uid, store, category, status and label; * before a label means pinned."

_GROUPS = (
    'With --group and --json: an array of {"name", "kind", "store", "newest", "contradictions", '
    '"duplicates", "memories": [as without --group]}; kind and store are null if the memories differ.'
)
SHOW = (
    'With --json: all fields of the memory, and "lineage": an array of {"kind", "uid", "label", "state"} of '
    'other memories. The kind is "superseded-by" or "supersedes", "based-on" (this memory is based on the '
    'other one) or "basis-for" (the other one is based on this one).'
)

IMPORT = (
    "Each line that isn't new is shown with the reason. same: the target store has it, or an earlier line "
    "says it; it is never imported again. near: a duplicate of another memory. contradicting: it contradicts "
    "another memory. flagged: it contains a secret. The import is one change: memtui undo takes it back. "
    "An import that was interrupted continues when it is run again.\n"
    'With --json: {"store", "counts": {verdict: n}, "ignored": {field: n}, "not_compared": n, "items": '
    '[{"source", "line", "verdict", "code", "why", "other", "label"}]} with the items that are not new; with '
    '--yes also "kind", "summary", "journal", "uids" and "skipped".'
)

EXPORT = (
    "Pinned memories and hard constraints come first, then tasks, decisions and preferences. Of exact and "
    "near duplicates one is exported; possible ones all are. A new store has the relations that its format "
    "holds."
)
SEE = (
    "Prints the exact text, and on standard error what was left out and why. --about stands for the prompt, "
    "where the text depends on it (Founder OS). Of an agent by its own name, such as scout, it is what "
    "memtui gives that agent: what its policies hide is left out."
)

MCP = (
    "For the settings of an agent's program: the command is memtui, the arguments are mcp --as AGENT. The "
    "agent reads and writes within its policies, and each change is a line of memtui journal. The server "
    "ends when its input does; with --http, on a signal. HTTP clients send the token as a bearer token."
)

REPORT = (
    "The file needs no network and runs no script; any browser shows it, and prints it. Memories that hold a "
    "secret are not quoted. It is readable by you only: look through it before you share it."
)


RULES_TEST = (
    "Nothing is changed. A memory that all parts of the query but one match is nearly matched; the part is "
    "named.\n"
    'With --json: {"total", "stores": {name: count}, "settles": how many contradictions, "memories" (1,000 '
    'at most): [{"uid", "store", "label", "changes": [{"field", "before", "after"}], "other": the rule that '
    'comes first there, or null, "pairs" that are settled: [{"uid", "label", "stays"}], "cannot": actions '
    'that do nothing there}], "near": [{"uid", "store", "label", "part"}], '
    '"overlaps": [{"rule", "action", "count", "differs", "first"}], '
    '"secret": how many have a secret that would be redacted, "only_refuses"}.'
)
RULES_IMPORT = (
    "Rules are known by their names, and take the order of the file, policies by their agents; others stay "
    "as they are. A file with a problem is not imported. The import is one change: memtui undo takes it "
    "back.\n"
    'With --json: {"items": [{"verdict": "new", "changed" or "same", '
    '"name", "on", "when", "do", "note", "before"}], "reorders", "staying": other rules, "policies": '
    '[{"verdict", "agent", …, "before"}], "policies_staying"}.'
)
RULES_TRUST = (
    "A project's file does nothing until it is trusted; then its rules come after your own. They can pin, "
    "tag, send to the Inbox, make private, and refuse what agents write; its policies only restrict. When "
    "the file changes, what you trusted keeps holding. Trusting is one change: memtui undo takes it back.\n"
    'With --json: {"file", "project", "rules": [{"verdict": "new", "changed" or "same", "name", "on", '
    '"when", "do", "note", "before", "matches": memories}], "policies": [{"verdict", "agent", …, "before", '
    '"misfits": memories that it would refuse}], "gone": '
    '{"rules", "policies"}}.'
)


def rules_add() -> str:
    """Return the actions of rules, from their table (S-60)."""
    from memtui.memory.rules.rule import ACTIONS

    lines = ["ACTION is one of:"]
    for each in ACTIONS.values():
        typed = f"{each.name}={each.example}" if each.example else each.name
        lines.append(f"  {typed:<20} {each.help}")
    lines.append("The query language: memtui list --help. Quote parts with <, > or *.")
    return "\n".join(lines)


def query_language() -> str:
    """Return the query language, from the table of its filters (S-31)."""
    from memtui.memory.query.language import FILTERS
    from memtui.memory.query.wording import FORMS

    lines = ['A query has words, "phrases" and filters; all must match. A - before a part excludes it.']
    for spec in FILTERS.values():
        values = FORMS[spec.form] if spec.form else ", ".join(spec.allowed)
        lines += wrap(
            f"{f'{spec.name}:{spec.example}':<20} {spec.help}" + (f": {values}" if values else ""),
            WIDTH, initial_indent="  ", subsequent_indent=" " * 25, break_on_hyphens=False,
        )  # fmt: skip
    lines.append("Quote parts with <, > or *, which are special to shells: 'conf:>0.8'.")
    return "\n".join(lines)


def list_() -> str:
    return f"{query_language()}\n{_LINE}\n{_GROUPS}"


def search() -> str:
    return "\n".join(
        (
            query_language(),
            _LINE,
            "The last results may only be similar to QUERY without matching it; a line before or after them "
            "says so.",
            'With --json: an array of memories as list prints them, each with "related" (true for those that '
            'are only similar) and "why": {"score", "words", "matched", "place", "cosine", "recency", '
            '"filters"}:',
            "  words: how much of QUERY the matched words cover, 0 to 1",
            "  place: rank by text, or null",
            "  cosine: similarity in meaning, null if not indexed",
            "  recency: its share of score",
            "  filters: as typed",
            "  score: with --by text or meaning, the score of that part alone",
            'With --facets: {"results": [that array], "facets": {"store" | "category" | "status" | "owner" | '
            '"tag" | "kind": {value: count}}}, counted over all results, regardless of the limit.',
        )
    )


SPLIT = (
    "The memory keeps the first part, with its pin and history; the others become new memories in the same "
    "store, with the same kind, subject, category, tags, owner, dates and confidence.\n"
    "TEXT must occur exactly once after the previous cut. If it occurs three times, give it three times to "
    "cut before each.\n"
    "Parts from standard input may be reworded. If a part has several paragraphs, separate the parts with a "
    "line ---8<--- instead of a blank line.\n"
    'With --json: as for all changes, plus "parts": an array of {"uid", "text"}; with --dry-run {"parts", '
    '"where", "keys", "relations": their number, "reworded": true if the words differ from the memory\'s}.'
)
EDIT_RELATION = "Its former name, retie, is accepted until memtui 1.0."
EVAL_RETRIEVAL = (
    "Each group is a separate store. Your workspace isn't opened or written. The model is the one in your "
    "settings.\n"
    'With --json: {"n", "modes": {"lexical" | "vector" | "hybrid": {"recall@5", "recall@10", "hit@5", '
    '"mrr@10", "interval": {measure: [low, high]}, "by_category": {name: {…, "n"}}}}}.'
)
EVAL_CONTRADICTIONS = (
    "A line may also include a key or subject shared by both. No workspace is opened and no model is "
    "loaded.\n"
    'With --json: {"n", "precision", "recall", "f1", "by_category": {name: {"n", "precision", "recall", '
    '"f1", "accuracy"}}, "contradictions_offered_as_duplicates": 0 to 1}.'
)
PAIRS = (
    "With --json: an array of\n"
    '  {"id", "family", "kind", "score", "reason", "topic", "state", "escalated", "found_at",\n'
    '  "a" and "b": {"uid", "store", "label", "words"},\n'
    '  "said": {"verdict", "at", "actor", "note", "until", "journal"} or null}.'
)
DECAY_PREVIEW = (
    "To run due decay: memtui decay run --yes\n"
    'With --json: {"now", "horizon", "days", "what_if", "notes", "leaving", "memories": [each memory that is '
    "still in its store]}; each has\n"
    '  "uid", "store", "ref", "key", "label", "category", "status", "pinned", "lifecycle",\n'
    '  "now" and "horizon": {"at", "score", "label", "tier", "heat"}; score is 0 to 1 (999 in the vault), '
    "null if the format has no number; label is active, fading, dormant, archived, or gone once it has left; "
    "tier and heat are null outside Base Coat,\n"
    '  "next_change": {"at", "what", "rule"} or null; one in the past is due,\n'
    '  "removal": {"at", "what", "rule"} or null: when its agent stops seeing it,\n'
    '  "frozen": pinned, or why it is not live, else null,\n'
    '  "if_pinned", "if_used", "if_confirmed" (once, now): {"score", "label" at the horizon, "next_change", '
    '"removal"}.'
)

POLICY = (
    "Values are separated by commas, or the option is given again: --read private,fleet.\n"
    'Parts that are not given stay; --most "" and --sensitive "" clear theirs.'
)

CONNECT = (
    "The exact change is shown first. Only memtui's own entry is inserted; everything else in the file stays "
    "as it is, and no copy of it is kept. memtui disconnect and memtui undo take it out again. Connecting "
    "with another AGENT changes the entry. An entry named memtui that runs another command is never "
    "touched.\n"
    'With --json: {"client", "file", "files", "agent", "diff": [lines]}.'
)
DISCONNECT = (
    "Takes out exactly what memtui connect put in, even if the client has rewritten the file since. A file "
    "or folder that was made for it goes if nothing else is in it.\n"
    'With --json: {"client", "file", "files", "diff": [lines]}.'
)
HOOK = (
    "For the settings of an agent's program, as memtui connect writes them: it gives the event as JSON on "
    "standard input, and reads what the agent is to know on standard output. memtui hook ends within 300 ms "
    "and always as a success; where it has no answer it prints memory_status unavailable. What it stores "
    "meets the agent's policies, and each change is a line of memtui journal."
)
