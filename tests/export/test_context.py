"""The texts for agents: their form, what their limits leave out, and that this is said (S-70)."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from memtui.export.exporter import Exporter
from memtui.export.pack import Pack, pack
from memtui.export.registry import by_name
from memtui.memory.memory import Memory
from memtui.memory.selection.budget import Reason
from memtui.memory.selection.candidate import Candidate
from memtui.memory.tokens import CharacterCounter
from tests.export.entries import DAY, NOW, candidate, entry


def exporter(name: str) -> Exporter:
    found = by_name(name)
    assert found is not None
    return found


def packed(name: str, *candidates: Candidate, budget: int | None = None) -> Pack:
    return pack(exporter(name), candidates, budget, CharacterCounter(), NOW)


def limits(pack: Pack) -> dict[str, str]:
    """Return what a limit of the format left out, with that limit."""
    return {each.uid: each.other for each in pack.left_out if each.reason is Reason.FORMAT_LIMIT}


def test_founder_os_gets_five_confirmed_memories() -> None:
    memories = [candidate(f"m{n}", f"Fact {n}.", category="fact", confidence=0.5 + n / 100) for n in range(6)]
    memories.append(candidate("new", status="candidate", confidence=1.0))
    found = packed("founder-os", *memories)
    assert found.text.splitlines()[:2] == ["## Relevant Memories", "- [fact] Fact 5. (confidence: 55)"]
    assert len(found.text.splitlines()) == 6
    assert limits(found) == {"m0": "at most 5 memories", "new": "candidate, not confirmed or applied"}
    assert packed("founder-os").text == ""
    # What the format refuses takes no room of a budget.
    assert "Fact 5." in packed("founder-os", *memories, budget=60).text


def test_xml_says_what_a_memory_is_and_what_contradicts_it() -> None:
    text = (
        exporter("xml")
        .render(
            [
                entry("a", "Net 30 & more", category="fact", pinned=True),
                entry("b", "Net 14", contradicts=("a",)),
            ]
        )
        .text
    )
    assert '<memory category="fact" pinned="true">Net 30 &amp; more</memory>' in text
    assert '<memory uid="b" contradicted-by="a">Net 14</memory>' in text
    assert [each.text for each in ElementTree.fromstring(text)] == ["Net 30 & more", "Net 14"]


def test_markdown_is_a_list_with_origins() -> None:
    text = exporter("markdown").render([entry("a", "One\ntwo", category="fact", confidence=0.5)]).text
    assert text == "- One\n  two\n  \n  *fact · native · 50%*\n"


@pytest.mark.parametrize("name", ["prompt", "xml", "markdown"])
def test_what_is_on_one_subject_stands_together_and_pinned_stays_first(name: str) -> None:
    person: dict[str, Any] = {"category": "person"}
    ann, bob = {"subject": "Ann", **person}, {"subject": "Bob", **person}
    entries = [
        entry("p", "pinned", **ann, pinned=True),
        entry("a", "first", **ann),
        entry("b", "second", **bob),
        entry("n", "third", category="person"),
        entry("c", "fourth", subject=" ann", category="person"),
        entry("m", "fifth", category="person"),
        entry("d", "sixth", **bob),
    ]
    text = exporter(name).render(entries).text
    words = ("pinned", "first", "fourth", "second", "sixth", "third", "fifth")
    places = [text.index(each) for each in words]
    assert places == sorted(places)


def profile_of(*candidates: Candidate) -> Any:
    return json.loads(packed("profile", *candidates).text)


def test_the_profile_has_its_six_keys_and_never_spells_out_what_is_sensitive() -> None:
    memories = [
        candidate("a", "Utrecht", category="identity", key="home_city", confidence=0.9, updated_at=NOW),
        candidate("b", "Never call before ten.", category="hard_preference", key="calls", pinned=True),
        candidate("c", "Tea", category="preference", key="drink"),
        candidate("d", "Coffee in summer", category="preference", key="drink"),
        candidate("e", "Plan the fair", category="task_context"),
        candidate("f", "The office moved.", category="fact", updated_at=NOW - DAY),
        candidate("g", "Old fact", category="fact", updated_at=NOW - 30 * DAY),
        candidate("h", "Is allergic to nuts", category="health", key="nuts"),
        candidate("i", "Earns 3,000", category="other", key="salary"),
        candidate("j", "X1234", category="identity", key="passport_number"),
        candidate("k", "Was diagnosed with zibble", category="fact"),
        candidate("l", "Ended", category="preference", valid_to=NOW - 1),
        candidate("m", "Maybe", category="preference", status="pending"),
    ]
    hidden = [
        candidate("n", "Since March.", category="preference", title="Diagnosed with borgle"),
        candidate("o", "See the vault.", category="preference", key="gate AKI" + "A" + "IOSFODNN7ABCDEFG"),
        candidate("p", "Has dia\u200bbetes of the quimby kind", category="preference"),
    ]
    found = packed("profile", *memories, *hidden)
    profile = json.loads(found.text)
    assert list(profile) == [
        *("identity", "hard_preferences", "soft_preferences"),
        *("current_tasks", "recent_changes", "sensitive_topics"),
    ]
    home = {"value": "Utrecht", "confidence": 0.9, "updated_at": "2026-09-21T14:13:20Z"}
    assert profile["identity"] == {"home_city": home}
    assert profile["hard_preferences"]["calls"]["value"] == "Never call before ten."
    assert {each["value"] for each in profile["soft_preferences"].values()} == {"Tea", "Coffee in summer"}
    assert set(profile["soft_preferences"]) == {"drink", "drink_2"}
    assert [each["value"] for each in profile["current_tasks"]] == ["Plan the fair"]
    assert [each["value"] for each in profile["recent_changes"]] == ["The office moved."]
    assert profile["sensitive_topics"] == ["finance", "health", "identity papers", "secrets"]
    for spelled in ("nuts", "3,000", "X1234", "zibble", "borgle", "AKIA", "quimby", "Ended", "Maybe"):
        assert spelled not in found.text
    named = limits(found)
    assert set(named) == {"g", "h", "i", "j", "k", "m", "n", "o", "p"}
    assert named["h"] == "sensitive: named as the topic health only"
    assert json.loads(packed("profile").text)["identity"] == {}


def test_core_has_its_sections_then_others_within_its_limits() -> None:
    memories = [candidate(f"s{n:02}", category="solution", title=f"Solution {n:02}", strength=1 - n / 100)
                for n in range(17)]  # fmt: skip
    memories += [
        candidate("weak", category="fix", strength=0.1),
        candidate(
            "pinned", category="fix", title="Keep", strength=0.1, pinned=True, tags=("a", "b", "c", "d")
        ),
        candidate("own", category="contact", strength=0.5, updated_at=NOW),
        candidate("none", strength=0.5),
        candidate("long", "x" * 12_000, category="decision", strength=0.9),
    ]
    found = packed("core", *memories)
    headings = [line for line in found.text.splitlines() if line.startswith("## ")]
    assert headings == ["## Critical Solutions", "## Key Fixes", "## Contact", "## Other memories"]
    assert "> Last updated: 2026-09-21 |" in found.text
    assert "- Keep (a, b, c)\n" in found.text
    assert found.text.count("- Solution") == 15
    assert limits(found) == {
        "s15": "at most 15 in a section",
        "s16": "at most 15 in a section",
        "weak": "score 0.10 is below 0.2",
        "long": "at most 12,000 characters",
    }
    full = packed("core", *(candidate(f"f{n}", "y" * 900, category=f"c{n}") for n in range(30)))
    assert len(full.text) <= 12_000
    assert len(full.included) + len(full.left_out) == 30


def test_reflection_names_themes_use_and_insights() -> None:
    tagged = [candidate(f"t{n}", title=f"Tagged {n}", tags=("deploy", "staging")) for n in range(4)]
    found = packed(
        "reflection", *tagged,
        candidate("used", title="Often read", times_used=7),
        candidate("idea", "Less is more.", title="Idea", category="insight", created_at=NOW),
    )  # fmt: skip
    assert "**deploy + staging**: 4 memories" in found.text
    assert "1. Often read - 7 accesses" in found.text
    assert "- Idea - Less is more." in found.text
    assert "> Last updated: 2026-09-21" in found.text
    assert limits(found) == {"t3": "counted, but not named in a summary"}


def test_data_has_every_memory_unless_there_is_a_budget() -> None:
    same = [candidate("a", "The same."), candidate("b", "The same."), candidate("c", valid_to=NOW - 1)]
    whole = packed("jsonl", *same)
    assert [each.uid for each in whole.included] == ["a", "b", "c"]
    assert (whole.left_out, whole.tokens) == ((), None)
    cut = packed("jsonl", *same, budget=2_000)
    assert {each.reason for each in cut.left_out} == {Reason.DUPLICATE, Reason.NOT_VALID}
    assert 0 < (cut.tokens or 0) <= 2_000


def test_without_a_budget_only_the_whole_text_is_counted() -> None:
    class Counting(CharacterCounter):
        texts = 0

        def count(self, texts: Any) -> list[int]:
            self.texts += len(texts)
            return super().count(texts)

    counter = Counting()
    memories = [candidate(f"m{n}") for n in range(50)]
    found = pack(exporter("prompt"), memories, None, counter, NOW)
    assert (len(found.included), counter.texts) == (50, 1)
    assert found.tokens == len(found.text)


def test_every_exporter_says_what_it_is() -> None:
    memory = Memory(uid="a", store="native", ref="r", content="Text.")
    for name in ("core", "csv", "founder-os", "json", "jsonl", "markdown", "profile", "prompt", "xml"):
        found = exporter(name)
        assert found.title
        assert found.suffix.startswith(".")
        assert "/" in found.media_type
        assert found.refuse(Candidate(memory)) == ""


def test_data_without_a_budget_lacks_only_what_was_taken_out() -> None:
    same = [candidate("a", "The same."), candidate("b", "The same."), candidate("c")]
    found = pack(exporter("jsonl"), same, None, CharacterCounter(), NOW, overrides={"c": False, "a": True})
    assert [each.uid for each in found.included] == ["a", "b"]
    assert [(each.uid, each.reason) for each in found.left_out] == [("c", Reason.TAKEN_OUT)]


def test_a_budget_is_used_although_memories_share_headings() -> None:
    memories = [candidate(f"m{n}", f"Fact {n}.", category="a long name of a category") for n in range(20)]
    for budget in range(60, 200, 12):
        found = packed("prompt", *memories, budget=budget)
        assert found.left_out
        assert budget - 24 <= (found.tokens or 0) <= budget
