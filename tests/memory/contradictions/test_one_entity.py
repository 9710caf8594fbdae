"""The observations of one entity mostly agree (S-40): pairs that share a word are usually about two aspects
of it, a part and the whole, other entities, or other times."""

from __future__ import annotations

import pytest

from memtui.memory.contradictions.comparison.parsed_memory import read
from memtui.memory.contradictions.judgement import judge

COMPATIBLE: dict[str, tuple[str, ...]] = {
    "place prepositions inside other words": (
        "Lives in Zagreb",
        "Relies on Redis",
        "Replies on Slack within the hour",
        "Loves olives on pizza",
        "Visits her mother at Easter",
    ),
    "“in” something that is no place": (
        "Hosted in Frankfurt",
        "Is on a diet",
        "Is under stress",
        "Is behind a proxy",
        "Is in maintenance mode",
        "The rewrite is under way",
    ),
    "habits with different frequencies": (
        "Reads a novel every week",
        "Goes to the gym three times a week",
        "Visits her mother every month",
        "Runs 10 km every Sunday",
        "1:1 with Kenji every second Monday",
        "1:1 with her own manager, Amina, weekly",
        "Takes aspirin daily",
    ),
    "actions on one thing with different frequencies": (
        "Backups run nightly",
        "Backups are verified weekly",
        "Hourly snapshots are kept for two days",
        "Daily snapshots are kept for 60 days",
    ),
    "relatives": (
        "Has two sons, Luka and Ivan",
        "Is married to Marko",
        "Her sister Petra has no children",
        "Her sister got divorced",
    ),
    "a part and the whole": (
        "Written in Rust",
        "The CLI is written in Python",
        "The frontend is written in TypeScript",
        "Requires Node 18",
        "Frontend uses Node 20",
    ),
    "amounts for different things": (
        "Rent is 1,200 euros a month",
        "Salary is 72,000 euros a year",
        "Calligraphy course on the first Thursday of the month, 25 euros",
    ),
    "people counted in different groups": (
        "Team of 7 people",
        "Company has 240 employees",
        "Manages 3 engineers directly",
    ),
    "a number and some of it": (
        "Seats: 140",
        "Twelve of the seats belong to outside contractors",
        "Six assignments in total",
        "Three assignments are in Go",
        "The other three assignments are pen and paper",
    ),
    "a measure and that of a variant": (
        "Hydration: 74 percent",
        "Pizza dough hydration is 65 percent",
        "Idle power: 14 W",
        "Peak power is about 35 W",
        "Rate limit is 100 requests per minute",
        "Rate limit for admins is 1000 requests per minute",
    ),
    "rules that are compatible": (
        "Never push to main",
        "Push feature branches early",
        "Never run migrations by hand",
        "Run migrations with make migrate",
        "Deploys every Friday",
        "Never deploy on Fridays without approval",
    ),
    "recurring events end nothing": (
        "Shoes for long runs: Saucony Endorphin",
        "Shoes are replaced after 700 km",
        "Raw files land in a GCS bucket",
        "Raw files are deleted after 90 days",
        "The exam is closed book",
        "Final exam counts 35 percent",
    ),
    "something else has ended": (
        "Starter is called Fermín",
        "Aunt Pilar's own starter died last summer",
        "Publishes to Kafka topic ledger.entries.v2",
        "Topic ledger.entries.v1 was retired in November 2023",
        "Yearly rent 310 euros including water",
        "Water main is switched off from November to March",
    ),
    "tastes about a part": (
        "Likes olives",
        "Dislikes olives on pizza",
        "Hates long meetings",
        "Likes short meetings",
    ),
    "milestones": (
        "Started on 6 October 2025",
        "Planned end: 30 September 2026",
        "Date: Saturday 12 September 2026",
        "Honeymoon in Japan in November",
    ),
    "people in different roles": (
        "Contact: Hannah Whitlock",
        "Deputy contact is Imran Sheikh",
        "Maintained by Ana",
        "Owned by the Platform team",
    ),
    "successive stops of a journey": (
        "First five nights in Tokyo, Asakusa",
        "Five nights in Kyoto, machiya near Nijo",
        "Last nights in Osaka",
    ),
    "measurements on two dates, and a target": (
        "HbA1c 6.9 in March 2024",
        "HbA1c 7.4 in September 2023",
        "Target for HbA1c below 7.0",
    ),
    "keys with several values": (
        "Container: Jellyfin",
        "Container: Pi-hole",
        "Indent: 4 spaces in Python",
        "Indent: 2 spaces in YAML",
    ),
    "places of similar things": (
        "Documents are in Notion",
        "Contracts are kept in SharePoint",
        "Garden faces south-west",
        "Street side faces north-east",
        "Gets along with Miso through the window",
        "Sleeps in the hallway",
        "No treats from the table",
        "Not allowed on the bed",
    ),
    "a change of something else than the value of a key": (
        "Commander: Priya Raman",
        "Scribe: Hye-jin Park",
        "The cause turned out to be lost keys after the failover",
        "Redis failed over at 06:31 UTC",
        "Intervals: Thursday 19:00",
        "The long run is on Sunday mornings at 09:00 now",
        "Columns: 17",
        "Key column: trip_id",
        "2025-02-21: Nadia fixed swapped columns for line 60",
        "2025-03-02: scrub finished with no errors",
    ),
    "a word that is also a key": (
        "Landlord: Familie Meier",
        "Call the caretaker for the lift and never the landlord",
        "Write to the landlord in German",
        "Time zone of stamps: UTC",
        "Join the weather on planned_at, never on the arrival stamp",
    ),
    "roles in a part": (
        "Lead: Mei-Lin Zhao",
        "The Porto lead is Beatriz Nogueira",
        "Start date: 2021-06-14",
        "Birthday: 3 November",
    ),
    "numbers that are names, and prices of parts": (
        "Rows: 4.1 million",
        "Lines 1, 2 and D are complete",
        "Annual fee: 85 EUR",
        "The club rents lockers for 20 euros a year",
        "Deposit: 3,500 EUR",
        "Monthly rent is 1,245 euros since the index adjustment",
    ),
}
CONTRADICTIONS: list[tuple[str, str]] = [
    ("Status: actively maintained", "Status: archived by the author, no further releases"),
    ("Answer language: German", "Answer language: English"),
    ("Backups run nightly", "Backups run weekly now"),
    ("Lives in Zagreb", "Lives in Split"),
    ("Written in Rust", "Written in Go"),
    ("Never push to main", "Always push to main"),
    ("Manager: Henrik Solberg", "Reports to Aisha Bello now"),
    ("Head: Mei-Lin Zhao", "Astrid Lunde leads the team since September"),
    ("Teacher: Marta Queiroz", "Duarte Lopes teaches the group since Easter"),
    ("On-call: Daniela Ruiz", "Kofi Mensah carries the pager for it now"),
    ("Plan: Standard", "Upgraded to the Enterprise plan in June"),
    ("Status: active", "On hold since the reorganisation"),
    ("Rows: 4.1 million", "The table holds 6.3 million rows after the backfill"),
    ("Its API is still experimental", "API declared stable in the autumn"),
    ("Ramipril 5 mg in the morning", "Ramipril stopped because of the cough"),
]


@pytest.mark.parametrize("name", COMPATIBLE)
def test_compatible_observations_are_no_contradiction(name: str) -> None:
    sides = [read(text, subject="Ingrid") for text in COMPATIBLE[name]]
    conflicting = [
        (first.text, second.text)
        for index, first in enumerate(sides)
        for second in sides[index + 1 :]
        if judge(first, second).conflicts or judge(first, second).duplicate_kind
    ]
    assert conflicting == []


def test_statements_about_two_people_of_one_entity_do_not_contradict() -> None:
    first = read("Zainab loves maths, hates PE", subject="Emeka and Zainab (pupils)")
    second = read("Emeka loves PE, fine with maths", subject="Emeka and Zainab (pupils)")
    assert judge(first, second).conflicts == ()


@pytest.mark.parametrize(("first", "second"), CONTRADICTIONS)
def test_contradicting_observations_are_found(first: str, second: str) -> None:
    assert judge(read(first, subject="Ingrid"), read(second, subject="Ingrid")).conflicts


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Use C#", "Use C"),
        ("-18 degrees", "18 degrees"),
        ("The wifi password is aBc7", "The wifi password is abc7"),
        ("Path is /A/b", "Path is /a/B"),
        ("Allowed?", "Allowed!"),
        (">5 items", "5 items"),
        ("[x] call Bo", "[ ] call Bo"),
        ("Ana ≠ Bo", "Ana = Bo"),
        ("We always rebase branches before merging", "We usually rebase branches before merging"),
        (
            "Marko reviews all changes to the billing service",
            "Mirko reviews all changes to the billing service",
        ),
        ("Alice reports to Bob in the payments team", "Bob reports to Alice in the payments team"),
        ("Integration tests hit a real database, no mocks", "Integration tests hit a real database, mocks"),
        ("The customer must sign before the start", "The customer may sign before the start"),
    ],
)
def test_texts_that_differ_in_a_sign_a_name_or_a_small_word_are_no_duplicates(
    first: str, second: str
) -> None:
    assert judge(read(first), read(second)).duplicate_kind == ""
    assert judge(read(first, subject="Ingrid"), read(second, subject="Ingrid")).duplicate_kind == ""


@pytest.mark.parametrize(
    "second",
    [
        "- Use the staging queue.",
        "use  the staging queue",
        '"Use the staging queue"',
        "USE THE STAGING QUEUE!",
    ],
)
def test_punctuation_blanks_and_case_do_not_matter_for_duplicates(second: str) -> None:
    assert judge(read("Use the staging queue."), read(second)).duplicate_kind == "exact"
