"""Judgements of two memories: contradictions and duplicates (S-40, S-41)."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest

from memtui.memory.contradictions.comparison.parsed_memory import read
from memtui.memory.contradictions.judgement import DETECTORS, judge
from memtui.memory.contradictions.language.attributes import ATTRIBUTES, attribute_of
from memtui.memory.contradictions.language.lexicon import WordRelation, lexicon
from memtui.memory.contradictions.language.vocabulary import FRAMES
from memtui.memory.contradictions.pairs import EXACT, MAYBE, NEAR, Judgement
from memtui.memory.contradictions.reasons import conflict_reason
from tests.support.sizes import sample_cases

PAIRS = Path(__file__).parents[3] / "benchmarks" / "pairs"


def judge_texts(a: str, b: str, key: str | None = None) -> Judgement:
    return judge(read(a, key=key), read(b, key=key))


CONTRADICTIONS = [
    ("polarity", "User is allergic to peanuts.", "User is not allergic to peanuts."),
    ("polarity", "There is no man playing a guitar", "A man is playing a guitar"),
    ("polarity", "Nobody is riding the bicycle", "A boy is riding the bicycle"),
    ("polarity", "User drinks coffee every morning.", "User never drinks coffee."),
    ("polarity", "Deploys happen every Friday.", "Never deploy on Fridays."),
    ("polarity", "The user quit smoking in 2019.", "The user smokes a pack a day."),
    ("polarity", "The importer handles files with a BOM.", "The importer fails to handle files with a BOM."),
    ("polarity", "The job needs VPN access.", "The job runs without VPN access."),
    ("polarity", "You may read production data.", "Reading production data is prohibited."),
    ("polarity", "Use pnpm in this repo, never npm.", "Use npm for the docs."),
    ("opposite", "Feature flags are enabled in production.", "Feature flags are disabled in production."),
    ("opposite", "User prefers dark mode in all apps.", "User prefers light mode in all apps."),
    ("opposite", "Writes are synchronous.", "Writes happen asynchronously."),
    ("opposite", "The lift is going up", "The lift is going down"),
    ("order", "User prefers tabs over spaces.", "User prefers spaces over tabs."),
    ("class", "User's favorite color is blue.", "User's favorite color is green."),
    ("class", "The API is written in Go.", "The API is written in Rust."),
    ("class", "CI runs on Jenkins.", "CI runs on GitHub Actions."),
    ("class", "A waiter in a white shirt pours wine", "A waiter in a white shirt pours beer"),
    ("number", "The API listens on port 8080.", "The API listens on port 9090."),
    ("number", "The worker gets 512 MiB of memory.", "The worker gets 4 GiB of memory."),
    ("number", "Ana's deadline is 12 Dec.", "Ana's deadline is 5 January."),
    ("number", "The commute takes 20 minutes.", "The commute takes 90 minutes."),
    ("number", "User wakes up at 6am.", "User wakes up at 9:30."),
    ("number", "The project targets Java 17.", "Java 21 is the target of the project."),
    ("value", "Ana works at Globex.", "Ana is employed by Initech."),
    ("value", "User's dog is named Max.", "User's dog is named Bella."),
    ("value", "deploy_target: fly.io", "deploy_target: render"),
    ("value", "Alice is the team lead.", "Bob is the team lead."),
    ("value", "Ravi owns the payments service.", "Helena owns the payments service."),
    ("change", "We moved from Slack to Discord.", "We use Slack."),
]


@pytest.mark.parametrize(("kind", "a", "b"), CONTRADICTIONS)
def test_contradictions_are_found_in_both_directions(kind: str, a: str, b: str) -> None:
    for first, second in ((a, b), (b, a)):
        found = judge_texts(first, second)
        assert kind in {each.kind for each in found.conflicts}, found
        assert not found.is_mergeable
        for conflict in found.conflicts:
            assert 0 < conflict.score <= 1
            assert conflict.reason.endswith(".")
            assert "\n" not in conflict.reason


COMPATIBLE = [
    ("User likes hiking.", "User likes swimming."),
    ("User knows Python.", "User knows Rust."),
    ("User has visited Japan.", "User has visited Italy."),
    ("Ana's deadline is 12 Dec.", "Ana's birthday is 19 Dec."),
    ("The staging API listens on port 8080.", "The production API listens on port 9090."),
    ("HTTPS port: 443", "SSH port: 22"),
    ("In 2023 the team had five members.", "In 2025 the team had nine members."),
    ("For tests we use SQLite.", "In production we use Postgres."),
    ("User lives in Germany.", "User lives in Berlin."),
    ("About 20 people use it.", "At least 12 people use it."),
    ("User doesn't eat meat.", "User eats fish."),
    ("A man is slicing an onion", "A man is slicing a potato"),
    ("A girl is lying in the hay", "A boy is lying in the hay"),
    ("Two dogs are running", "Three cats are sleeping"),
    ("A man is not playing the guitar", "A man is cooking pasta"),
    ("User's sister lives in Paris.", "User's brother lives in London."),
    ("Sven was born in Malmö.", "Sven works in Rotterdam."),
    ("Hosting costs $25 a month.", "Hosting costs $300 per year."),
    ("The notice period is 90 minutes.", "The notice period is 1.5 hours."),
    ("The commute takes 20 minutes.", "The commute takes 20 min."),
    ("The link is open.", "The link is not closed."),
    ("CI: prod", "CI: production"),
    ("Engine data is sent every 15 minutes.", "Engine data is kept for two years."),
    ("The option accepts auto, always and never.", "The option accepts text and json."),
    ("We were on Heroku until 2021.", "Since 2021 we are on Render."),
    ("After 30 seconds the lock is released.", "The lock is released after 30 seconds."),
    ("Gareth hired his first employee in May.", "Gareth hired a second employee in December."),
]


@pytest.mark.parametrize(("a", "b"), COMPATIBLE)
def test_compatible_statements_are_no_contradiction(a: str, b: str) -> None:
    assert judge_texts(a, b).conflicts == ()
    assert judge_texts(b, a).conflicts == ()


# Cases that depend on context: two texts, the kinds of conflicts, and the kind of duplicate.
CONTEXT_CASES: dict[str, tuple[str, str, list[str], str]] = {
    "what was replaced by something else": (
        *("Cypress was replaced with Playwright for all tests.", "All tests use Cypress."),
        *(["change"], ""),
    ),
    "a clause that continues with the same subject": (
        *("Bo works at Globex but lives in Rome.", "Bo lives in Oslo."),
        *(["class", "value", "value"], ""),
    ),
    "one object at two places": (
        *("The spare key is at the neighbour's.", "The spare key is in the garage."),
        *(["value"], ""),
    ),
    "used to": ("User used to live in Prague.", "User lives in Prague.", ["polarity"], ""),
    "dropped, which is no negation here": (
        *("Prices for bread have dropped again since the summer.",),
        *("Prices for bread have risen again since the summer.", ["opposite"], ""),
    ),
    "cancelled": ("The subscription is cancelled.", "The subscription is active.", ["opposite", "value"], ""),
    "an abbreviation": ("He works as a PM.", "He works as a product manager.", [], ""),
    "other people at the same": (
        *("A woman is whispering to a friend", "Four men are whispering to a friend"),
        *([], ""),
    ),
    "each with details of its own": (
        *("Pearl finished her first comic, a story about a detective snail.",),
        *("Pearl's detective snail has reached its fifth issue.", [], ""),
    ),
    "a relation expressed by another verb": (
        "Rent is 1,150 a month.",
        "Monthly rent comes to 1,400.",
        [],
        "",
    ),
    "a bound below one key": (
        *("Alert: CPU above 90 % on node-3", "Alert: memory above 95 % on node-5"),
        *([], ""),
    ),
    "one key and one size in two units": ("Upload limit: 1 GB", "Upload limit: 1000 MB", [], NEAR),
    "an owner of something unnamed": (
        *("The pipeline is owned by the insights squad.", "The insights squad owns it all."),
        *([], ""),
    ),
    "some and none": (
        *("Several cars are parked along the street", "The street has no cars"),
        *([], ""),
    ),
    "without an action": (
        *("Always ask before running migrations.", "Run migrations without asking."),
        *(["polarity"], ""),
    ),
    "without an object that another memory needs": (
        *("The job runs every night on staging without a token.", "The job needs a token."),
        *([], ""),
    ),
    "without an object that another memory prints": (
        *("The job runs every night on staging without a token.", "The job prints a token."),
        *([], ""),
    ),
    "what was replaced is used for something else": (
        *("We moved from Slack to Discord.", "For incidents we use Slack."),
        *([], ""),
    ),
    "or later": ("The project targets Java 21.", "The project targets Java 17 or later.", [], ""),
    "between two numbers": (
        *("The commute takes between 20 minutes and half an hour.", "The commute takes 25 minutes."),
        *([], ""),
    ),
    "one hour on two clocks": ("Standup starts at 3 pm.", "Standup starts at 15:00.", [], NEAR),
    "two hours": ("Standup starts at 3 pm.", "Standup starts at 4 pm.", ["number", "value"], ""),
    "a dozen": ("A dozen servers", "12 servers", [], NEAR),
    "a number that is tied to its unit": (
        *("Yusuf runs a 10-kilometre race.", "Yusuf runs a 5-kilometre race."),
        *(["number"], ""),
    ),
    "hours and minutes are one time": (
        *("The drive takes 2 h 5 min.", "The drive takes 125 minutes."),
        *([], NEAR),
    ),
    "hours and minutes and another time": (
        *("The drive takes 2 h 5 min.", "The drive takes 3 hours."),
        *(["number"], ""),
    ),
    "one relation at two places of a sentence": (
        *("Emeka met a painter called Ottoline who lives on a boat named Kittiwake.",),
        *("Saoirse trains a midwife called Bethan.", [], ""),
    ),
    "a lifestyle and a food without a person": ("Halal only", "Eats pork", [], ""),
    "a lifestyle, and a food that is not eaten": ("Ana is vegan.", "Ana sells cheese.", [], ""),
    "a lifestyle, and a food that is eaten": ("Ana is vegan.", "Ana likes steak.", ["way"], ""),
}


@pytest.mark.parametrize(("a", "b", "kinds", "duplicate_kind"), CONTEXT_CASES.values(), ids=CONTEXT_CASES)
def test_context_decides_between_contradiction_and_duplicate(
    a: str, b: str, kinds: list[str], duplicate_kind: str
) -> None:
    for first, second in ((a, b), (b, a)):
        found = judge_texts(first, second)
        assert sorted(each.kind for each in found.conflicts) == sorted(kinds)
        assert (found.duplicate_kind, found.is_mergeable) == (duplicate_kind, duplicate_kind == NEAR)


@pytest.mark.parametrize(
    ("a", "b", "duplicate_kind"),
    [
        ("Ana leads hiring.", "  ana leads HIRING", EXACT),
        ("The bill is due on 3 May.", "The bill is due on May 3rd.", NEAR),
        ("Tests run with pytest in CI.", "The tests run with pytest in CI", NEAR),
        ("We use Postgres for billing.", "We use PostgreSQL for billing.", NEAR),
        ("User drinks coffee.", "User rarely drinks coffee.", MAYBE),
        ("Deploy the site on Fridays.", "Deploy the site only on Fridays.", MAYBE),
        ("Port 8080 is for the API.", "Port 8081 is for the API.", ""),
        ("A swimmer is at the bottom of the water", "A swimmer is at the surface of the water", MAYBE),
        ("The list is sorted.", "Bo plays chess.", ""),
    ],
)
def test_only_equal_statements_are_mergeable(a: str, b: str, duplicate_kind: str) -> None:
    assert judge_texts(a, b).duplicate_kind == duplicate_kind
    assert judge_texts(a, b).is_mergeable is (duplicate_kind in (EXACT, NEAR))


def test_two_values_of_one_key_contradict_unless_they_mean_the_same() -> None:
    assert (
        judge_texts("Renders on fly.io", "Hetzner box in Falkenstein", key="deploy").conflicts[0].kind
        == "key"
    )
    assert (
        judge_texts(
            "Tests are executed with pytest.", "We run the tests with pytest.", key="runner"
        ).conflicts
        == ()
    )
    assert judge_texts("Berlin", "Berlin, Kreuzberg", key="city").conflicts == ()
    second = judge(read("Berlin", key="city", owner="ana"), read("Munich", key="city", owner="bo"))
    assert second.conflicts == ()


def test_values_contradict_only_if_their_validity_overlaps() -> None:
    early = read("Lives on Dock Street", key="home", valid_from=0.0, valid_to=100.0)
    late = read("Lives in Utrecht", key="home", valid_from=100.0)
    both = read("Lives in Utrecht", key="home", valid_from=50.0)
    assert judge(early, late).conflicts == ()
    assert "validity" in {each.kind for each in judge(early, both).conflicts}


def test_topics_marked_as_multi_valued_do_not_contradict() -> None:
    a, b = read("Ana lives in Oslo.", subject="Ana"), read("Ana lives in Rome.", subject="Ana")
    (topic,) = {each.topic for each in judge(a, b).conflicts}
    assert topic == "lives in"
    assert judge(a, b, multi_valued=frozenset({(topic, "ana")})).conflicts == ()
    assert judge(a, b, multi_valued=frozenset({(topic, "")})).conflicts == ()
    assert judge(a, b, multi_valued=frozenset({(topic, "bo")})).conflicts
    bo = read("Bo lives in Oslo."), read("Bo lives in Rome.")
    assert judge(*bo, multi_valued=frozenset({(topic, "ana")})).conflicts


def test_statements_about_two_entities_neither_contradict_nor_repeat() -> None:
    for first, second in (
        ("Role: engineer", "Role: designer"),
        ("Lives in Berlin", "Lives in Paris"),
        ("Port: 8080", "Port: 9090"),
        ("Lives in Berlin", "Lives in Berlin"),
        ("likes green tea in the morning", "likes green tea in the morning"),
    ):
        found = judge(read(first, subject="Alice"), read(second, subject="Bob"))
        assert (found.conflicts, found.duplicate_kind) == ((), ""), (first, second)
        assert judge(read(first, subject="Alice"), read(second, subject="alice")) != found
    # If only one has a subject, the other must name it.
    with_subject = read("The staging host is db-1", subject="Ops")
    assert judge(with_subject, read("The ops staging host is db-2")).conflicts
    assert judge(with_subject, read("The staging host is db-2")).conflicts == ()
    assert judge(with_subject, read("The staging host is db-2", subject="Deploys")).conflicts == ()


@pytest.mark.parametrize("second", ["payments api", "Payments_API", "PAYMENTS-API", "paymentsApi"])
def test_subjects_are_compared_without_spelling_variants(second: str) -> None:
    """S-40: case, blanks, "-" and "_" do not matter."""
    a, b = read("State: open", subject="payments-api"), read("State: done", subject=second)
    assert judge(a, b).conflicts
    assert judge(a, read("State: done", subject="payments-api-v2")).conflicts == ()


def test_a_contradiction_marked_by_the_store_is_a_conflict() -> None:
    found = judge(read("Ana leads hiring."), read("Parcels go to Dock Street."), marked=True)
    assert [each.kind for each in found.conflicts] == ["mark"]
    duplicate_kind = judge(read("Ana leads hiring."), read("Ana leads hiring."), marked=True)
    assert duplicate_kind.conflicts
    assert not duplicate_kind.is_mergeable


def test_one_clause_of_a_long_memory_is_enough() -> None:
    a = "Project Heron books dentists. The backend is written in Elixir. The first customer is in June."
    b = "Project Heron is for dentists. The backend is written in Ruby. We meet on Mondays."
    assert "value" in {each.kind for each in judge_texts(a, b).conflicts} or "class" in {
        e.kind for e in judge_texts(a, b).conflicts
    }
    assert (
        judge_texts("# Atlas\n- owner: Ravi\n- port: 80", "# Kite\n- owner: Helena\n- port: 81").conflicts
        == ()
    )


HOSTILE = [
    *(
        "",
        "   ",
        "a",
        "\u202eabc \u05d0\u05d1\u05d2",
        "\x00\x1b[31mred",
        "🎉" * 300,
        "½ ² ١٢٣ Ⅻ 三",
        "٣ ديسمبر",
    ),
    *(
        "x" * 300_000,
        "word " * 60_000,
        "not " * 800,
        "- " * 3_000,
        "?!.,;:" * 400,
        "Don't " * 400,
        "\n" * 3_000,
    ),
    "\n".join(f"- item {i}: value {i}" for i in range(20_000)),
    json.dumps({f"k{i}": [i, {"not": "x"}] for i in range(3_000)}),
    json.dumps({"a": {"b": [1, 2, {"c": "never"}]}}, indent=1),
    "```python\nassert not x\n```\nUse tabs.",
    "https://example.com/a?b=c#d https://example.com/" + "a/" * 3_000,
    "key: " * 1_500,
    "1e400 requests, " + "9" * 30 + " days, 99/99/9999 12:99 " + "12-" * 200,
]


def test_hostile_texts_are_judged_and_equal_to_themselves() -> None:
    statement = read("The API listens on port 8080.")
    sides = [read(text) for text in HOSTILE]
    for text, side in zip(HOSTILE, sides, strict=True):
        assert judge(side, statement).duplicate_kind == ""
        itself = judge(side, read(text))
        assert itself.conflicts == ()
        assert itself.duplicate_kind == (EXACT if text.strip() else "")


def test_long_runs_of_blanks_are_judged_quickly() -> None:
    started = time.process_time()
    judge_texts(
        "We replaced" + " " * 3_000 + "Gradle with Bazel.", "Ana moved instead" + "\t" * 3_000 + "of Bo.", "k"
    )
    assert time.process_time() - started < 2


def test_random_texts_are_judged_the_same_in_both_directions() -> None:
    words = (
        "not never no user uses port 8080 5 kb $5 may 12 dec first to from moved switched without with "
        "before , . : ; - don't api prefers over than a the is was in on lives Berlin Munich 3pm 12:30 "
        "v1.2 ` \" ' \n"
    ).split(" ")
    chance = random.Random(7)
    for _ in range(400):
        a, b = (" ".join(chance.choices(words, k=chance.randrange(20))) for _ in range(2))
        first, second = judge_texts(a, b), judge_texts(b, a)
        assert all(each.reason for each in first.conflicts)
        assert first.is_mergeable == second.is_mergeable


@pytest.mark.parametrize(
    ("name", "min_f1"), [("agent_memories", 0.78), ("scenes", 0.88), ("swaps", 0.97), ("swaps_held", 0.92)]
)
def test_labelled_pairs_reach_the_documented_f1(name: str, min_f1: float) -> None:
    right = flagged = contradict = 0
    with (PAIRS / f"{name}.jsonl").open(encoding="utf-8") as file:
        for pair in sample_cases(map(json.loads, file), 400):
            found = judge_texts(pair["a"], pair["b"])
            is_contradiction = pair["label"] == "contradiction"
            assert not (is_contradiction and found.is_mergeable), pair
            contradict += is_contradiction
            flagged += bool(found.conflicts)
            right += is_contradiction and bool(found.conflicts)
    assert 2 * right / (flagged + contradict) >= min_f1


def test_facts_of_conversations_cause_few_false_positives() -> None:
    texts: dict[str, list[str]] = {}
    with (PAIRS / "conversation_facts.jsonl").open(encoding="utf-8") as file:
        for line in map(json.loads, file):
            texts.setdefault(line["group"], []).append(line["text"])
    groups = [sample_cases(group, 30) for group in sample_cases(texts.values(), 3)]
    flags = 0
    for group in groups:
        sides = [read(text) for text in group]
        for index, first in enumerate(sides):
            flags += sum(bool(judge(second, first).conflicts) for second in sides[:index])
    assert flags <= 5 * sum(map(len, groups)) / 1_000


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("couch", "sofa", WordRelation.SAME),
        ("postgresql", "postgres", WordRelation.SAME),
        ("guitar", "violin", WordRelation.EXCLUSIVE),
        ("neovim", "emacs", WordRelation.EXCLUSIVE),
        ("man", "person", WordRelation.BROADER),
        ("dog", "poodle", WordRelation.NARROWER),
        ("big", "small", WordRelation.OPPOSITE),
        ("gracefully", "clumsily", WordRelation.OPPOSITE),
        ("agree", "agreement", WordRelation.SAME),
        ("walnut", "tuesday", WordRelation.NONE),
    ],
)
def test_the_lexicon_knows_relations_of_words(first: str, second: str, relation: WordRelation) -> None:
    assert lexicon().relation(first, second)[0] is relation


@pytest.mark.parametrize(
    ("form", "base"),
    [*(("running", "run"), ("men", "man"), ("women", "woman"), ("riding", "ride"), ("cars", "car")),
     *(("uses", "use"), ("left", "left"), ("taught", "teach"), ("deployed", "deploy"), ("classes", "class"))],
)  # fmt: skip
def test_word_forms_are_reduced_to_their_lemma(form: str, base: str) -> None:
    assert lexicon().lemma_of(form) == base


def test_detectors_are_distinct_documented_functions() -> None:
    assert len(set(DETECTORS)) == len(DETECTORS)
    assert all(each.__doc__ or each.__name__ == "find" for each in DETECTORS)


@pytest.mark.parametrize(
    ("a", "b", "attribute"),
    [
        ("The larch feeder costs 39 euros.", "The larch feeder costs 42 euros.", "price"),
        ("The parser is at version 3.", "The parser is at version 4.", "version"),
        ("version: 3", "version: 4", "version"),
        ("Ana lives in Porto.", "Ana lives in Lisbon.", "home"),
        ("Ana works at Acme.", "Ana works at Globex.", "employer"),
        ("Ana works as a nurse.", "Ana works as a plumber.", "role"),
        ("The report is due on Monday.", "The report is due on Friday.", "due date"),
        ("Ana's timezone is CET.", "Ana's timezone is PST.", "time zone"),
        ("The cat has 3 kittens.", "The cat has 4 kittens.", ""),
    ],
)
def test_the_reason_names_the_attribute_by_a_noun_if_there_is_one(a: str, b: str, attribute: str) -> None:
    (conflict, *_) = judge_texts(a, b).conflicts
    named = f" for “{attribute}”" if attribute else ""
    assert conflict_reason(conflict).startswith(f"Conflicting values{named}: ")


@pytest.mark.parametrize(
    ("topic", "attribute"),
    [
        *(("costs", "price"), ("default", "default"), ("named", "name"), ("owned by", "owner")),
        *(("has", ""), ("owns", ""), ("uses", ""), ("", "")),
        *(("meets on", "start"), ("deploys to", "host"), ("staging host", "staging host")),
    ],
)
def test_a_topic_is_called_by_the_noun_of_its_frame_or_by_its_own_words(topic: str, attribute: str) -> None:
    assert attribute_of(topic) == attribute


def test_every_frame_has_its_noun_or_none() -> None:
    assert ATTRIBUTES.keys() == FRAMES


def test_the_reason_names_a_key() -> None:
    (conflict, *_) = judge_texts("staging host: db-1", "staging host: db-2").conflicts
    assert conflict_reason(conflict).startswith("Conflicting values for “")
