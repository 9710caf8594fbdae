"""Facts of which only one can be true, in many wordings (S-40)."""

from __future__ import annotations

import time

import pytest

from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory, read
from memtui.memory.contradictions.facts import FAMILIES
from memtui.memory.contradictions.judgement import judge

# A subject, and two statements about it.
CONTRADICTIONS = [
    ("Mara", "Smokes a pack a day.", "Gave up cigarettes in spring."),
    ("Mara", "Has been vegan since 2019.", "Eats beef twice a week."),
    ("Mara", "Is an only child.", "Her older brother lives in Oslo."),
    ("Harbour study", "The study is on hold.", "Fieldwork has resumed and is in full swing."),
    ("K7", "Still waiting for approval.", "Was approved in March."),
    ("", "Never push to the main branch.", "Pushing to the main branch is fine."),
    ("", "Ask before you delete branches.", "You may delete branches without asking."),
    ("Choir", "Rehearses weekly.", "Rehearses every other week."),
    ("Orchard Ltd", "Employs 12 people.", "The staff of 40 people sits in Leeds."),
    ("Orchard Ltd", "Invoices are paid within 30 days.", "Pays its invoices after 60 days."),
    ("Tool", "Costs 12 euros per seat.", "The price is 19 euros a seat."),
    ("Lantern", "Lantern is written in Rust.", "Lantern is a Go service."),
    ("Lantern", "Licence: MIT", "Lantern is released under the GPL."),
    ("Regatta", "The regatta starts on 14 April.", "The regatta was put off to 3 June."),
    ("Lease", "The lease ends in 2027.", "The lease runs until 2029."),
    ("Atlas", "Atlas is led by Wendy.", "Bram leads Atlas."),
    ("Mara", "Can't stand olives.", "Has come round to olives."),
    ("Mara", "Is best reached by phone.", "Prefers e-mail."),
    ("Shop", "Runs on Node 18.", "Runs on Node 22."),
    ("Ida", "Goes to kindergarten.", "Attends primary school."),
    ("Camp", "Cabins are heated and have running water", "There is no heating and no running water"),
    (
        "Lena",
        "Joins us as designer on 1 October",
        "Is not coming to us after all, she took an offer in Zurich",
    ),
    ("Orla", "Two espressos every morning", "Off coffee entirely since January"),
    ("Ridgeway", "On the free trial, hasn't paid anything yet", "Paying customer, Pro plan, card on file"),
    ("pricing-api", "Owner: Maria Lindqvist", "Tom Okafor is the owner of pricing-api and signs it off."),
    ("OPS-415", "Assignee: Priya Raman", "Jonas Weber is assigned to this ticket."),
    ("OPS-412", "State: open", "Closed as fixed on 14 May after the heap limit was raised."),
    ("checkout-api", "State: live in production", "checkout-api was switched off on 3 March."),
    ("Sandpiper", "Led by Cosima Treadwell", "Ignatius took the project over from Cosima"),
    ("Biscuit", "Is allowed on the sofa", "Must stay off the sofa"),
    ("Chess club", "Meets in the library basement", "Meets at the Methodist hall now"),
]
# Pairs that may both be true: about different things, times, parts or amounts.
COMPATIBLE = [
    ("Mara", "Her brother smokes.", "Never smoked."),
    ("Mara", "Used to smoke.", "Doesn't smoke."),
    ("K7", "The report is done.", "The invoice is pending."),
    ("Lantern", "The preview was shut down.", "Lantern is in production."),
    ("", "Never push to shared branches.", "Pushing to feature branches is fine."),
    ("", "The launch may be in May.", "Never launch on Fridays."),
    ("Choir", "Rehearses weekly.", "The board meets once a quarter."),
    ("Orchard Ltd", "Employs 12 people.", "Three people joined in May."),
    ("Tool", "Costs 12 euros per seat.", "Costs 120 euros a year."),
    ("Lantern", "Lantern is written in Rust.", "The tests of Lantern are a Python script."),
    ("Mara", "Lives in Scotland.", "Lives in Dundee."),
    ("Regatta", "The regatta starts on 14 April.", "Registration ends on 3 June."),
    ("Regatta", "The regatta starts on 14 April.", "The regatta begins in April."),
    ("Mara", "Loves olives.", "Dislikes capers."),
    ("Mara", "Is best reached by phone.", "Orders are sent by e-mail."),
    ("Shop", "Runs on Node 18.", "Supports Node 16 or later."),
    ("Shop", "Runs on Node 18.", "Runs on Node 18.2."),
    ("Larch", "Comes from Van der Meulen, cut to 20 millimetres.", "Is cut in Drachten."),
    ("Oriel", "The Bergen office has a canteen", "There is no canteen at the Leeds office"),
    ("Maria", "Role: Engineering manager, Storefront", "Joined as a developer, became manager in 2022."),
    ("Maria", "Member of: board, incident rota", "Joined as a developer, became manager in 2022."),
    ("OPS-416", "Assignee: Jonas Weber", "First assigned to Priya Raman, handed to Jonas on 20 April."),
    ("billing-db", "Version: PostgreSQL 15.6", "Upgraded from PostgreSQL 13 to 15 on 9 November 2025."),
    ("orders.json", "Version: 12", "Version 11 is still accepted until 1 September 2026."),
    ("Samuel", "Looks after: Nordlys, Van Dalen Logistics", "Handed Castellan Group to Ruth in March 2026."),
    ("Ruth", "Looks after: Castellan Group, Olivar Foods", "Took over Castellan Group from Samuel."),
    ("Budget round", "Day: 9 October 2026", "Planned for 2 October at first, then shifted by a week."),
    ("", "Changes in cart may run with the deploy.", "Changes in pricing must not run with the deploy."),
    ("Joinery", "Supplier: Haller for oak", "Supplier: Nordwood for pine"),
    ("Web shop", "Depends on: redis", "Depends on: postgres"),
    ("Quill", "Migrated from MySQL to Postgres", "Switched its database to Postgres, MySQL is gone"),
    ("Lucan", "Team lead until the end of 2021", "Architect since January 2022"),
    ("Singers", "Concert on 14 December in the chapel", "Concert on 21 June in Lammas Park"),
    ("Noor", "Was promoted in May and leads hiring now.", "Has led hiring since May."),
    ("Shop", "The shop moves to Shopify in the autumn.", "Will run on Shopify from September on."),
    ("Shop", "The shop runs on WooCommerce.", "The shop moves from WooCommerce to Shopify in May."),
]


def parse(text: str, subject: str) -> ParsedMemory:
    return read(text, subject=subject or None)


@pytest.mark.parametrize(("subject", "first", "second"), CONTRADICTIONS)
def test_contradicting_facts_are_found_in_both_directions(subject: str, first: str, second: str) -> None:
    found = judge(parse(first, subject), parse(second, subject))
    assert found.conflicts
    reversed_ = judge(parse(second, subject), parse(first, subject))
    assert reversed_.conflicts[0].words == found.conflicts[0].words[::-1]


@pytest.mark.parametrize(
    "addition", [", Petra said on the phone", " because the first plan failed", "; see the binder"]
)
def test_additions_to_a_sentence_do_not_hide_contradictions(addition: str) -> None:
    """Most real texts have such additions; each of these pairs is found without one."""
    missed = [
        (first, second)
        for subject, *statements in CONTRADICTIONS
        for first, second in [
            sorted(statements, key=lambda text: ":" in text)
        ]  # the addition follows a sentence
        if not judge(parse(f"{first.rstrip('.')}{addition}.", subject), parse(second, subject)).conflicts
    ]
    assert len(missed) <= len(CONTRADICTIONS) // 10, missed


@pytest.mark.parametrize(("subject", "first", "second"), COMPATIBLE)
def test_compatible_facts_are_no_contradiction(subject: str, first: str, second: str) -> None:
    assert judge(parse(first, subject), parse(second, subject)).conflicts == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [pair[1:] for pair in CONTRADICTIONS if pair[0] and pair[0] not in f"{pair[1]} {pair[2]}"],
)
def test_facts_about_two_entities_do_not_contradict(first: str, second: str) -> None:
    assert judge(parse(first, "North"), parse(second, "South")).conflicts == ()


def test_facts_of_separate_periods_do_not_contradict() -> None:
    early = read("Smokes a pack a day.", subject="Mara", valid_to=100.0)
    late = read("Does not smoke.", subject="Mara", valid_from=100.0)
    assert judge(early, late).conflicts == ()


def test_multi_valued_topics_are_no_facts() -> None:
    a, b = parse("Lives in Oslo.", "Ana"), parse("Lives in Rome.", "Ana")
    assert judge(a, b, multi_valued=frozenset({("lives in", "ana")})).conflicts == ()


@pytest.mark.parametrize(
    "text", ["never " * 400, "a " * 2_000, "12 euros per " * 300, "x" * 4_000, "(\\|[" * 500]
)
def test_any_text_is_read_quickly(text: str) -> None:
    start = time.process_time()
    for family in FAMILIES.values():
        list(family.read(text))
    judge(parse(text, "Mara"), parse(f"{text} not", "Mara"))
    assert time.process_time() - start < 5
