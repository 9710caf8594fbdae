"""The text of the detail pane: its sections, their order, and what is left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len

from memtui.memory.detail import Consequence, Detail, Problem
from memtui.memory.journal import Event
from memtui.memory.lifecycles import by_name
from memtui.memory.lifecycles.base import inputs_of
from memtui.memory.lifecycles.forecast import forecast
from memtui.memory.relations import Lineage, RelatedRecord, Relation
from memtui.memory.results import MatchReason
from memtui.tui.memory.detail.memory_text import memory_text
from memtui.tui.text.pieces import assembled
from tests.support.app_driver import app_on, drive
from tests.support.fake_workspace import DAY, NOW, FakeWorkspace, memory, sample

BIDI = "\u202e"


def detail_of(**fields: Any) -> Detail:
    """Return a detail with these fields of Detail and Memory; the others are empty."""
    more = {name: fields.pop(name) for name in list(fields) if name in Detail.__dataclass_fields__}
    content = fields.pop("content", "The staging host is db-2.")
    consequences = {
        "pin": Consequence("is kept in memtui", "kept in memtui", local=True),
        "edit": Consequence("changes its file", "changes its file"),
    }
    plain = Detail(1, memory(1, content, **fields), "notes.md, line 3", "/nowhere", None, consequences, {})
    return replace(plain, **more)


def shown(
    detail: Detail,
    width: int = 76,
    *,
    compact: bool = False,
    why: MatchReason | None = None,
    unfolded: bool = False,
) -> list[str]:
    """Return the lines of the pane."""
    text = memory_text(
        detail, NOW, width, lambda name: name[7:8], compact=compact, why=why, unfolded=unfolded
    )
    return assembled(text).plain.splitlines()


def full() -> Detail:
    """Return a detail in which every section has something."""
    changed = Event(
        7, NOW - DAY, "person", "edited", "Edited 1 memory",
        before={"content": "It runs on Monday."}, after={"content": "It runs on Friday."},
    )  # fmt: skip
    return detail_of(
        title="Deploys", content="It runs on Friday.", source_type="chat", source_ref="turn 4",
        source_excerpt="make it Friday", times_confirmed=2, times_used=3, promotion_count=1,
        last_confirmed_at=NOW - 60 * DAY, key="deploys", tags=("a", "b"), value={"day": "Friday"},
        note="Ask Bo.", extra={"mood": "calm"},
        relations=(Relation("me", "leads_to", "x", 0.5, "since May", 1, 2, label="Releases"),),
        lineage=(
            Lineage("superseded-by", "u5", "Deploys happen weekly", 5, "dismissed"),
            Lineage("supersedes", "u6", "Deploys happen daily", 6, "superseded"),
            Lineage("based-on", "u7", "The team voted", 7),
        ),
        related_records=(
            RelatedRecord("reinforcement", "0.50 → 0.70, by ana: seen again", NOW - 60 * DAY),
            RelatedRecord("policy", "may use private", None),
        ),
        problems=(
            Problem("contradiction", "Contradicts “Never on Friday” (likely). Opposites.", 8, "u8"),
            Problem("secret", "Possible secret: AWS key."),
        ),
        history=(changed,),
    )  # fmt: skip


HEADINGS = ["Findings", "Match", "Relations", "Provenance", "Decay", "Related records", "Keys", "History"]
FOLDED = "▸ ids and fields · f shows them"


def test_the_sections_come_in_a_fixed_order() -> None:
    fading = memory(1, "It runs on Friday.", confidence=0.5)
    ahead = forecast(by_name("memtui"), inputs_of(fading, NOW), NOW, 90)
    why = MatchReason(score=0.5, terms=("friday",), rank=1)
    lines = shown(replace(full(), forecast=ahead), why=why)
    assert lines[:2] == ["Deploys", "It runs on Friday."]
    assert [line for line in lines if line in HEADINGS] == HEADINGS
    assert lines[-1] == FOLDED


def test_identifiers_and_raw_fields_are_folded_away() -> None:
    session = "0d5f6c1e-7a51-4a0c-9a34-5d2b8f0c9a11"
    detail = detail_of(
        uid="k6x135hscn47", ref="r-77", key="deploy_day", value={"day": ["Fri"]}, session_id=session,
        superseded_by="zz9", store="base-coat", extra={"mood": {"is": "calm"}},
        lineage=(Lineage("superseded-by", "zz9", "zz9"),),
    )  # fmt: skip
    folded, unfolded = shown(detail), shown(detail, unfolded=True)
    fold = folded.index(FOLDED)
    assert unfolded[:fold] == folded[:fold]
    assert unfolded[fold] == "▾ ids and fields · f hides them"
    raw = ["k6x135hscn47", "r-77", "deploy_day", session, "zz9", '{"day": ["Fri"]}', '{"is": "calm"}']
    text = "\n".join(folded)
    assert [each for each in raw if each in text] == []
    rows = dict(line.strip().split(":", 1) for line in unfolded[fold + 1 :])
    assert [value for value in raw if value not in [row.strip() for row in rows.values()]] == []
    assert rows.keys() == {"uid", "ref", "session_id", "superseded_by", "key", "value", "mood"}


def test_why_it_is_believed_lists_source_confidence_and_confirmations() -> None:
    lines = shown(full())
    start = lines.index("Provenance")
    assert [" ".join(line.split()) for line in lines[start + 1 : lines.index("", start)]] == [
        "store native",
        "place notes.md, line 3",
        "created 19 Nov 22:26",
        "updated 20 Nov 22:26",
        "source chat",  # what it is based on is listed by label below
        "excerpt “make it Friday”",
        "confidence 0.80",
        "confirmed 2 times, last 22 Sep 22:26",
        "used 3 times",
        "promoted once",
        "reinforced 22 Sep 22:26: 0.50 → 0.70, by ana: seen again",
        "tags a, b",
        "note Ask Bo.",
    ]
    assert "  policy  may use private" in lines


def test_relations_are_listed_by_label() -> None:
    lines = shown(full())
    start = lines.index("Relations")
    assert lines[start + 1 : start + 5] == [
        "  » replaced by ›Deploys happen weekly (dismissed)",
        "  » replaces ›Deploys happen daily",
        "  ∴ based on ›The team voted",
        "  → leads_to ›Releases  0.50 — since May",
    ]


def test_supersession_known_from_two_sources_is_listed_once_with_its_reason() -> None:
    detail = detail_of(
        lineage=(Lineage("superseded-by", "u2", "The newer one", 2),),
        relations=(Relation("b", "supersedes", "a", None, "measured again", 2, 1),),
    )
    lines = shown(detail)
    assert "  » replaced by ›The newer one — measured again" in lines
    assert not any("←" in line for line in lines)


def test_dangling_relations_are_marked() -> None:
    lines = shown(
        detail_of(
            lineage=(Lineage("superseded-by", "gone0", "gone0"),),
            relations=(
                Relation("me", "knows", "Nobody", source_id=1),
                Relation("Ghost", "haunts", "me", target_id=1),
            ),
        )
    )
    assert "  » replaced by ›a memory that no longer exists" in lines
    assert "  → knows ›Nobody  (not in this store)" in lines
    assert "  ← haunts ›Ghost  (not in this store)" in lines


def test_empty_sections_and_rows_are_left_out() -> None:
    lines = shown(detail_of(confidence=None))
    assert [line for line in lines if line in HEADINGS] == ["Provenance", "Keys"]
    rows = lines[lines.index("Provenance") + 1 : lines.index("Keys") - 1]
    assert all(len(row.split(None, 1)) == 2 for row in rows)


def test_a_procedure_shows_numbered_steps_between_its_conditions() -> None:
    lines = shown(
        detail_of(
            kind="procedure",
            steps=("Stop it.", "Start it."),
            preconditions=("You may.",),
            postconditions=("It runs.",),
        )
    )
    start = lines.index("Preconditions")
    assert lines[start : start + 9] == [
        *("Preconditions", "  · You may.", "", "Steps", "  1. Stop it.", "  2. Start it.", ""),
        *("Postconditions", "  · It runs."),
    ]


def test_a_summary_shows_key_facts_tone_and_length() -> None:
    lines = shown(detail_of(kind="summary", key_facts=("Bo left.",), tone="calm", token_count=412))
    start = lines.index("Key facts")
    assert lines[start : start + 4] == ["Key facts", "  · Bo left.", "", "tone: calm · 412 tokens"]


def test_unknown_fields_take_one_line_each() -> None:
    extra = {"mood": "calm", "a_name_that_goes_on_for_ever": "x" * 500, "empty": "", "nested": {"a": 1}}
    lines = shown(detail_of(extra=extra), 40, unfolded=True)
    assert "calm" in next(line for line in lines if line.startswith("  mood: "))
    assert any(line.startswith("  a_name_that_goes… ") for line in lines)
    assert "x" * 201 not in "".join(line.strip() for line in lines)
    assert not any("empty" in line for line in lines)
    many = shown(detail_of(extra={f"field{n}": n for n in range(100)}), unfolded=True)
    assert any("and 60 more fields unknown to memtui" in line for line in many)


def test_a_change_in_the_history_shows_removed_and_added_words() -> None:
    lines = shown(full())
    start = lines.index("History")
    assert lines[start + 1].endswith("you: Edited 1 memory")
    assert lines[start + 2 : -2] == ["    − It runs on Monday.", "    + It runs on Friday."]
    text = assembled(memory_text(full(), NOW, 76, str, compact=False))
    marked = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert (marked["Monday"], marked["Friday"]) == ("$warning strike", "bold underline")


def test_a_refused_change_shows_its_reason_and_no_words() -> None:
    (event,) = full().history
    lines = shown(replace(full(), history=(replace(event, state="refused", reason="The store is away."),)))
    assert lines[-3].endswith("Edited 1 memory (refused): The store is away.")


def test_each_finding_names_the_key_that_acts_on_it() -> None:
    problems = (
        Problem("contradiction", "Contradicts “Never on Friday” (likely).", 8, "u8", "“Never on Friday”"),
        Problem("secret", "Possible secret: AWS key."),
        Problem("removed", "No longer in its store."),
        Problem("yaml", "Front matter is not valid YAML."),
    )  # fmt: skip
    keys = {"memory.pairs": "c", "memory.edit": "e", "memory.restore": "R", "screen.stores": "8"}

    def lines(blocked: dict[str, str]) -> list[str]:
        detail = detail_of(problems=problems, blocked=blocked)
        text = memory_text(detail, NOW, 76, lambda name: keys.get(name, ""), compact=False)
        found = assembled(text).plain.splitlines()
        return found[found.index("Findings") + 1 :][:4]

    assert lines({}) == [
        "  ≠ Contradicts ›“Never on Friday” (likely).  c compares",
        "  ! Possible secret: AWS key.  e edits it",
        "  ! No longer in its store.  R restores it",
        "  ! Front matter is not valid YAML.  8 shows its store",
    ]
    assert lines({"edit": "It is read-only."})[1] == "  ! Possible secret: AWS key."
    keys.clear()  # on a screen that has none of these commands
    assert lines({})[0] == "  ≠ Contradicts ›“Never on Friday” (likely)."


@pytest.mark.parametrize("width", [12, 24, 40, 76])
def test_no_line_of_the_history_is_wider_than_the_pane(width: int) -> None:
    before, after = {"content": "漢字 " * 300}, {"content": "仮名 and more words " * 300}
    event = Event(7, NOW - 400 * DAY, "agent:x", "edited", "Edited 1 memory", before=before, after=after)
    lines = shown(detail_of(history=(event,)), width)
    assert all(cell_len(line) <= max(width, 32) for line in lines[lines.index("History") :])


def test_compact_the_text_is_followed_by_the_first_finding_and_one_line_of_counts() -> None:
    lines = shown(full(), compact=True)
    assert lines[:3] == [
        "Deploys",
        "It runs on Friday.",
        "≠ Contradicts “Never on Friday” (likely). Opposites.  p compares",
    ]
    assert lines[3] == "≠ 1   ! 1   » 1   » 1   ∴ 1   ↔ 1"
    wide = shown(full(), 120, compact=True)
    assert wide[3] == (
        "≠ 1 contradiction   ! 1 other finding   » replaced   » replaces 1   ∴ based on 1   ↔ 1 relation"
    )
    assert lines[4:6] == ["", "Findings"]
    assert shown(full(), 30, compact=True)[2] == "≠ Contradicts “Never on Frida…"


def test_what_is_based_on_a_memory_is_told_from_how_often_it_was_used() -> None:
    bases = (Lineage("basis-for", "u8", "Weekly plan", 8), Lineage("basis-for", "u9", "Roster", 9))
    memory = detail_of(content="It runs on Friday.", times_used=7, lineage=bases)
    assert "∴ basis for 2" in shown(memory, 120, compact=True)[1]
    full_text = shown(memory)
    assert "  ∴ basis for ›Weekly plan" in full_text
    assert not any("used by" in line for line in full_text)


@pytest.mark.parametrize(
    ("fields", "line"), [({}, "in 64 d: active → fading"), ({"pinned": True}, "pinned: no decay")]
)
def test_compact_it_shows_the_next_decay_event(fields: dict[str, Any], line: str) -> None:
    fading = memory(1, "The staging host is db-2.", confidence=0.5, **fields)
    ahead = forecast(by_name("memtui"), inputs_of(fading, NOW), NOW, 90)
    lines = shown(replace(detail_of(), memory=fading, forecast=ahead), compact=True)
    assert lines[:3] == ["The staging host is db-2.", line, ""]


def test_compact_without_counts_there_is_no_line_for_them() -> None:
    lines = shown(detail_of(confidence=None), compact=True)
    assert lines[:3] == ["The staging host is db-2.", "", "Provenance"]


def test_stored_text_is_never_shown_raw() -> None:
    evil = f"\x1b[2J{BIDI}[@click=app.quit]x[/]"
    detail = detail_of(
        content=evil, title=evil, source_ref=evil, source_excerpt=evil, extra={evil: evil}, tone=evil,
        note=evil,
        relations=(Relation(evil, evil, evil, 0.5, evil, 1, None),),
        lineage=(Lineage("based-on", evil, evil, 3, evil),),
        problems=(Problem(evil, evil),),
        related_records=(RelatedRecord("reinforcement", evil, NOW), RelatedRecord(evil, evil, NOW)),
        history=(
            Event(1, NOW, evil, "edited", evil, "failed", evil),
            Event(2, NOW, "person", "edited", "", before={"content": evil}, after={"content": f"new {evil}"}),
        ),
    )  # fmt: skip
    for compact in (False, True):
        text = "\n".join(shown(detail, compact=compact, unfolded=True))
        assert "\x1b" not in text
        assert BIDI not in text
        assert "[@click=app.quit]x" in text


def test_a_title_is_not_repeated_above_a_text_that_begins_with_it() -> None:
    assert shown(detail_of(title="Freeze", content="# Freeze\n\nNo deploys."))[:3] == [
        "Freeze",
        "",
        "No deploys.",
    ]
    assert shown(detail_of(title="Freeze", content="No deploys."))[:2] == ["Freeze", "No deploys."]


def test_an_edit_appears_in_the_history_on_browse() -> None:
    work = sample()

    def edit(app: Any) -> None:
        work.edit([4], {"content": "CI takes 9 minutes on the slow runner"})

    seen = drive(app_on(work), edit, "G", "k", "k", "k", "enter", "G")
    assert "− CI takes 14 minutes on the slow runner" in seen
    assert "+ CI takes 9 minutes on the slow runner" in seen


def test_on_a_small_screen_the_counts_come_below_the_text() -> None:
    work = FakeWorkspace([memory(1, "Bo is allergic to nuts.")], clock=sample().clock)
    work.relations[1] = (Relation("Bo", "works_at", "Larkfield", None, "", 1, None),)
    seen = drive(app_on(work), size=(80, 24)).splitlines()
    at = next(n for n, line in enumerate(seen) if "│ Bo is allergic to nuts." in line)
    assert "↔ 1 relation" in seen[at + 1]
