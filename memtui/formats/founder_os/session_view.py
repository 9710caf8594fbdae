"""The block of memories that Founder OS puts before a task (FORMATS 1, S-72).

Of what is confirmed or applied it asks for what fits the task (5), what is about its company (3) and what its
own plugin wrote (2). What was found more than once comes first, then the surest; at most five are given.
Company and plugin are those that the text of the task names. Without a task, the surest five stand in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from memtui.formats.contract.records import Record
from memtui.formats.contract.session_view import Cut, Passage, SessionView, Task

CLIENT = "founder-os"
MAX_ITEMS, FOR_TASK, FOR_COMPANY, FOR_PLUGIN = 5, 5, 3, 2
_GIVEN = ("confirmed", "applied")
_HEADING = "## Relevant Memories"
_WORD = re.compile(r"[\w.-]+")


def session_view(records: Iterable[Record], now: float, task: Task) -> SessionView:
    """Return the block at `now`, without text if no memory is to be given."""
    present = [each for each in records if each.removed_at is None]
    expired = [each for each in present if _is_expired(each, now)]
    living = [
        each for each in present if not _is_expired(each, now) and each.fields.get("status") != "dismissed"
    ]
    given = sorted((each for each in living if each.fields.get("status") in _GIVEN), key=_surest)
    found = Counter(each.ref for query in _queries(given, task) for each in query)
    ranked = sorted(
        (each for each in given if each.ref in found), key=lambda each: (-found[each.ref], *_surest(each))
    )
    text, passages = _block(ranked[:MAX_ITEMS])
    reasons = {
        "over-items": ranked[MAX_ITEMS:],
        "not-asked": [each for each in given if each.ref not in found],
        "unconfirmed": [each for each in living if each.fields.get("status") not in _GIVEN],
        "expired": expired,
    }
    cut = tuple(Cut(code, tuple(each.ref for each in left)) for code, left in reasons.items() if left)
    limits = {"items": MAX_ITEMS, "for_task": FOR_TASK, "for_company": FOR_COMPANY, "for_plugin": FOR_PLUGIN}
    return SessionView(CLIENT, text, limits, passages, cut)


def _is_expired(record: Record, now: float) -> bool:
    expires: float | None = record.fields.get("expires_at")
    return expires is not None and expires < now


def _queries(given: Sequence[Record], task: Task) -> list[Sequence[Record]]:
    """Return what each query finds among what may be given, surest first."""
    if not task.text:
        return [given[:MAX_ITEMS]]
    by_ref = {each.ref: each for each in given}
    names = {word.casefold() for word in _WORD.findall(task.text)}
    fitting = [by_ref[ref] for ref in task.answers if ref in by_ref]
    company = [each for each in given if str(each.fields.get("company_id") or "").casefold() in names]
    plugin = [each for each in given if str(each.fields.get("source_ref") or "").casefold() in names]
    return [fitting[:FOR_TASK], company[:FOR_COMPANY], plugin[:FOR_PLUGIN]]


def _surest(record: Record) -> tuple[float, float, str]:
    fields = record.fields
    return -float(fields.get("confidence") or 0), -float(fields.get("updated_at") or 0), record.ref


def _block(records: Sequence[Record]) -> tuple[str, tuple[Passage, ...]]:
    text, passages = _HEADING, []
    for record in records:
        fields = record.fields
        confidence = round(float(fields.get("confidence") or 0) * 100)
        line = f"- [{fields.get('category') or ''}] {fields.get('content') or ''} (confidence: {confidence})"
        passages.append(Passage(record.ref, len(text) + 1, len(text) + 1 + len(line)))
        text = f"{text}\n{line}"
    return (text, tuple(passages)) if passages else ("", ())
