"""The workspace's tables as peewee models; `schema/` creates them.

The models are bound to no database, since one process may have several workspaces open: queries are
built from them and run by `Database.write`, `fetch` and `first`, and statements for thousands of
rows by `Database.insert_many` and `update_many`, which compile a query once. Virtual tables (`words`)
and generated columns (`live`, `recency`) are read and maintained in SQL only.
"""

from __future__ import annotations

from peewee import (
    AutoField,
    BigIntegerField,
    BlobField,
    BooleanField,
    CompositeKey,
    Field,
    FloatField,
    IntegerField,
    Model,
    TextField,
)

from memtui.memory.memory import LISTS, MEMORY_FIELDS, TIMES
from memtui.values import FieldValue
from memtui.workspace.db import calls

JSON_COLUMNS = (*LISTS, "value", "extra")
# The fields of SPEC section 3 that are columns of `memories` under the same name.
COLUMNS = tuple(name for name in MEMORY_FIELDS if name not in ("uid", "store", "ref"))
_REALS = (*TIMES, "importance", "confidence")
_COUNTS = ("times_used", "times_confirmed", "promotion_count")


class Store(Model):
    """An attached store, or one that was (S-2a). Times are Unix seconds, `findings` is JSON."""

    id = AutoField()
    name = TextField(unique=True)
    format = TextField()
    path = TextField()
    attached_at = FloatField()
    detached_at = FloatField(null=True)
    pulled_at = FloatField(null=True)
    epoch = IntegerField(default=0)  # moves with each write and pull; a pull that overlaps one restarts
    error = TextField(default="")
    error_code = TextField(default="")
    findings = TextField(default="[]")
    stamp = TextField(default="")  # of the store as last pulled; "" matches nothing
    locked = BooleanField(default=False)
    changed_at = FloatField(null=True)

    class Meta:
        table_name = "stores"


def _column(name: str) -> Field[FieldValue]:
    if name == "pinned":
        return BooleanField(default=False)
    if name in _REALS:
        return FloatField(null=True)
    if name == "token_count":
        return IntegerField(null=True)
    if name in _COUNTS:
        return IntegerField(default=0)
    if name in ("kind", "content", "status", *JSON_COLUMNS):
        return TextField()
    return TextField(null=True)


class Memory(Model):
    """A memory as mirrored from its store; the fields of SPEC 3 come from `COLUMNS`."""

    id = AutoField()
    uid = TextField(unique=True)
    store_id = IntegerField()
    ref = TextField(null=True)  # identity inside the store; NULL while it is in none
    anchor = TextField(default="")  # the name by which the store's relations refer to it
    place = TextField(default="")
    digest = TextField(default="")  # of the record as last pulled
    unit = TextField(default="")
    hash = BigIntegerField(null=True)  # of the row's texts
    kept = TextField(default="{}")  # JSON: fields that the format cannot hold
    moved = IntegerField(null=True)  # the journal item whose plan took it out of its store
    seen_at = FloatField()
    removed_at = FloatField(null=True)  # gone from the store through another program
    shown = BooleanField(default=True)  # its store is attached
    locals().update({name: _column(name) for name in COLUMNS})

    class Meta:
        table_name = "memories"


class Unit(Model):
    """A part of a store that can be read alone, with a mark that changes with its content."""

    store_id = IntegerField()
    name = TextField()
    mark = TextField()

    class Meta:
        table_name = "units"
        primary_key = CompositeKey("store_id", "name")


class Relation(Model):
    """A relation as its store holds it, overlaid with the user's `RelationOverride`."""

    id = AutoField()
    store_id = IntegerField()
    source = TextField()
    kind = TextField()
    target = TextField()
    strength = FloatField(null=True)
    context = TextField(default="")
    unit = TextField(default="")
    body = TextField(default="")

    class Meta:
        table_name = "relations"


class RelationOverride(Model):
    """What the user set of a relation that its store cannot hold, by the names of its ends there."""

    store_id = IntegerField()
    source = TextField()
    kind = TextField()
    target = TextField()
    strength = FloatField(null=True)
    context = TextField(default="")
    body = TextField(default="")

    class Meta:
        table_name = "relation_overrides"
        primary_key = CompositeKey("store_id", "source", "kind", "target")


class LocalRelation(Model):
    """A relation that only memtui keeps; triggers derive the rows from `memories.ties`."""

    source_id = IntegerField()
    target = TextField()  # a uid
    kind = TextField()
    strength = FloatField(null=True)
    context = TextField(default="")
    body = TextField(default="")

    class Meta:
        table_name = "local_relations"
        primary_key = False


class SideRecord(Model):
    """A reinforcement, an adaptation, a line of history: shown with the memories it is about."""

    id = AutoField()
    store_id = IntegerField()
    unit = TextField()
    kind = TextField()
    about = TextField()  # a memory's anchor, or with `via` the value of that field of memories
    via = TextField(default="")
    words = TextField()
    at = FloatField(null=True)
    other = TextField(default="")  # of a contradiction: the anchor of the other memory
    settled = BooleanField(default=False)
    data = TextField(default="")  # of a policy: JSON

    class Meta:
        table_name = "side_records"


class JournalEntry(Model):
    """A change: who, when, what (S-50). Append-only by trigger."""

    id = AutoField()
    at = FloatField()
    actor = TextField()  # person, agent:NAME, rule:NAME, sync:STORE
    kind = TextField()
    summary = TextField()
    undoes = IntegerField(null=True)
    tool = TextField(default=calls.tool)  # of an agent's call
    session = TextField(default=calls.session)

    class Meta:
        table_name = "journal"


class JournalItem(Model):
    """One memory's part of an entry. Append-only by trigger; holds digests, never texts."""

    id = AutoField()
    journal_id = IntegerField()
    memory_id = IntegerField()
    uid = TextField()
    store_id = IntegerField()
    fields = TextField()  # JSON: field → [digest before, digest after]
    pair = IntegerField(null=True)  # of a move: the item of the other half

    class Meta:
        table_name = "journal_items"


class ItemBody(Model):
    """The texts of an item before and after, as JSON; NULL once purged."""

    item_id = IntegerField(primary_key=True)
    before = TextField(null=True)
    after = TextField(null=True)

    class Meta:
        table_name = "bodies"


class ItemState(Model):
    """The state of an item: it changes, the journal does not."""

    item_id = IntegerField(primary_key=True)
    state = TextField()  # intended, done, refused, failed
    why = TextField(default="")
    undone_by = IntegerField(null=True)  # a journal entry
    effective_item = IntegerField(null=True)  # whose plan is in effect: after a redo, the redo's

    class Meta:
        table_name = "item_states"


class OutboxEntry(Model):
    """A write to a foreign store, intended or settled (S-7)."""

    item_id = IntegerField(primary_key=True)
    store_id = IntegerField()
    plan = TextField(null=True)  # JSON of the format's own
    state = TextField()
    lease = TextField()  # of the process that writes
    token = TextField()  # names the temporary files of the write

    class Meta:
        table_name = "outbox"


class Checkpoint(Model):
    """How far something was read, by name ("journal": the last entry that the user saw)."""

    name = TextField(primary_key=True)
    entry_id = IntegerField()
    at = FloatField()

    class Meta:
        table_name = "checkpoints"


class ViewState(Model):
    """How the user last viewed something, by name."""

    name = TextField(primary_key=True)
    value = TextField()

    class Meta:
        table_name = "view_state"


class Checkup(Model):
    """What the doctor found in a store when it was examined last."""

    store_id = IntegerField(primary_key=True)
    at = FloatField()
    seconds = FloatField()  # how long it took
    mark = TextField()
    findings = TextField()  # JSON: code → what was found

    class Meta:
        table_name = "checkups"


class RuleRow(Model):
    """A rule: a query, and what is done with the memories that match it (S-60)."""

    id = AutoField()
    name = TextField()
    position = IntegerField()
    is_on = BooleanField(default=False)
    query = TextField()
    actions = TextField()  # JSON: a list of texts, "tag=security"
    note = TextField(default="")
    source = TextField(default="")  # the project's file that it comes from

    class Meta:
        table_name = "rules"


class RuleSetting(Model):
    """What a rule holds now of a memory: it set it, and it goes when the rule goes."""

    memory_id = IntegerField()
    action = TextField()  # its kind
    rule_id = IntegerField()
    rule = TextField()  # its name
    done = TextField()  # the whole action; "" while it is taken back
    item_id = IntegerField(null=True)  # of the journal; None where nothing had to be written
    since = IntegerField()  # the journal's last item by then

    class Meta:
        table_name = "rule_settings"
        primary_key = CompositeKey("memory_id", "action")


class RuleBase(Model):
    """What the columns that rules have set in a memory would be without them."""

    memory_id = IntegerField(primary_key=True)
    columns = TextField()  # JSON: column → [without rules, as the rules set it]; the item while it is written

    class Meta:
        table_name = "rule_bases"


class RuleException(Model):
    """What a rule does not do again with a memory."""

    memory_id = IntegerField()
    rule_id = IntegerField()
    action = TextField()
    item_id = IntegerField(null=True)  # of the journal: the act, or the change
    held = TextField(null=True)  # JSON: what was held, where it may be held again

    class Meta:
        table_name = "rule_exceptions"
        primary_key = CompositeKey("memory_id", "rule_id", "action")


class RuleQueue(Model):
    """A memory that rules are to be applied to."""

    memory_id = IntegerField(primary_key=True)
    turn = IntegerField(default=0)  # how often it changed since it is here

    class Meta:
        table_name = "rule_queue"


class PolicyRow(Model):
    """What an agent may read and write (S-61)."""

    name = TextField()  # of the agent, folded
    source = TextField(default="")  # the project's file that says it
    parts = TextField()  # JSON

    class Meta:
        table_name = "policies"
        primary_key = CompositeKey("name", "source")


class RuleFile(Model):
    """A project's file with rules and policies that a person trusted (S-63)."""

    path = TextField(primary_key=True)
    project = TextField()  # what its rules and policies are named after
    digest = TextField()
    at = FloatField()
    rules_on = TextField()  # JSON: the rules that the file has switched on itself

    class Meta:
        table_name = "rule_files"


class Connection(Model):
    """Entries of memtui in an agent's settings file, and what is known of the file as written (S-87)."""

    file = TextField(primary_key=True)
    client = TextField()
    agent = TextField()
    entries = TextField()  # JSON: {"syntax", "insertions": [[path, value]]}
    before = TextField(null=True)  # the digest of the bytes; None: there was no file
    after = TextField()
    inserted = TextField()  # JSON: {"pieces": [[at, text]], "made": [path]}
    folders = TextField()  # JSON: those that were made for the file
    at = FloatField()

    class Meta:
        table_name = "connections"


class Breach(Model):
    """What a policy refused an agent: the entry of the journal, and who and what (S-61)."""

    journal_id = IntegerField(primary_key=True)
    agent = TextField()
    policy = TextField()
    code = TextField()
    store = TextField()

    class Meta:
        table_name = "breaches"


class DecayRun(Model):
    """Up to when decay was run in a store."""

    id = AutoField()
    store_id = IntegerField()
    entry_id = IntegerField(null=True)  # NULL where nothing was due
    at = FloatField()

    class Meta:
        table_name = "decay_runs"


class Pair(Model):
    """Two memories that contradict or repeat each other, as the scan found them (SPEC 6)."""

    id = AutoField()
    a = IntegerField()  # a < b
    b = IntegerField()
    family = TextField()  # contradiction, duplicate
    kind = TextField()
    score = FloatField()
    words_a = TextField(default="")
    words_b = TextField(default="")
    reason = TextField(default="")
    topic = TextField(default="")
    digest_a = TextField()  # of the two contents when it was found
    digest_b = TextField()
    found_at = FloatField()
    is_current = BooleanField(default=True)
    clause_a = TextField(default="")
    clause_b = TextField(default="")

    class Meta:
        table_name = "pairs"


class Verdict(Model):
    """The user's verdict on a pair; it holds while both contents stay as they were."""

    id = AutoField()
    a = IntegerField()
    b = IntegerField()
    digest_a = TextField()
    digest_b = TextField()
    verdict = TextField()
    note = TextField(default="")
    at = FloatField()
    actor = TextField()
    until = FloatField(null=True)  # of "later"
    topic = TextField(default="")
    subject = TextField(default="")
    entry_id = IntegerField(null=True)

    class Meta:
        table_name = "verdicts"


class ScanQueue(Model):
    """A memory to be compared with the others; `revision` changes when it is queued again."""

    memory_id = IntegerField(primary_key=True)
    revision = IntegerField()

    class Meta:
        table_name = "scan_queue"


class SecretQueue(Model):
    """A memory whose texts are to be searched for secrets."""

    memory_id = IntegerField(primary_key=True)

    class Meta:
        table_name = "secret_queue"


class SecretFound(Model):
    """A memory with a secret; `kinds` is a JSON array with the kind of each."""

    memory_id = IntegerField(primary_key=True)
    kinds = TextField()
    found_at = FloatField()

    class Meta:
        table_name = "secrets"


class Scanned(Model):
    """A memory that was compared, with a fingerprint equal for equal texts."""

    memory_id = IntegerField(primary_key=True)
    fingerprint = IntegerField(null=True)

    class Meta:
        table_name = "scanned"


class EmbeddingModel(Model):
    """The model that made the vectors: one row, or none."""

    id = IntegerField(primary_key=True)
    name = TextField()
    dim = IntegerField()
    generation = IntegerField(default=0)  # rises with each batch, for indexes held in memory

    class Meta:
        table_name = "embedding_model"


class Vector(Model):
    """A memory's embedding: little-endian float32, of length 1."""

    memory_id = IntegerField(primary_key=True)
    vector = BlobField()

    class Meta:
        table_name = "vectors"


class VectorBits(Model):
    """One bit a dimension, for the first pass over very many vectors."""

    memory_id = IntegerField(primary_key=True)
    generation = IntegerField()
    bits = BlobField()

    class Meta:
        table_name = "vector_bits"


class EmbeddingQueue(Model):
    """A memory that waits for its vector."""

    memory_id = IntegerField(primary_key=True)
    tries = IntegerField(default=0)  # that failed
    due = FloatField(default=0)  # Unix seconds; not before
    why = TextField(default="")

    class Meta:
        table_name = "embedding_queue"


class SavedSearch(Model):
    """A search that the user saved (S-32)."""

    name = TextField(primary_key=True)
    query = TextField()
    sort = TextField(default="")
    at = FloatField()

    class Meta:
        table_name = "saved_searches"


class Recall(Model):
    """What an agent asked for, and what it was given (S-34)."""

    id = AutoField()
    at = FloatField()
    actor = TextField()
    text = TextField()
    strategy = TextField()  # keyword, semantic, hybrid
    how = TextField()
    results = TextField()  # JSON: memory ids, best first
    seconds = FloatField()
    tool = TextField(default=calls.tool)
    session = TextField(default=calls.session)

    class Meta:
        table_name = "recall_log"
