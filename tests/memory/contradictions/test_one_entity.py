"""What is told of one entity in thirty observations agrees, but for the few that do not (S-40): most pairs
that share a word are of two sides of it, of a part and the whole, of others, of other times."""

from __future__ import annotations

import pytest

from memtui.memory.contradictions import judge, read

BOTH: dict[str, tuple[str, ...]] = {
    "the words of a place inside other words": (
        "Lives in Zagreb",
        "Relies on Redis",
        "Replies on Slack within the hour",
        "Loves olives on pizza",
        "Visits her mother at Easter",
    ),
    "to be in something that is no place": (
        "Hosted in Frankfurt",
        "Is on a diet",
        "Is under stress",
        "Is behind a proxy",
        "Is in maintenance mode",
        "The rewrite is under way",
    ),
    "habits of other paces": (
        "Reads a novel every week",
        "Goes to the gym three times a week",
        "Visits her mother every month",
        "Runs 10 km every Sunday",
        "1:1 with Kenji every second Monday",
        "1:1 with her own manager, Amina, weekly",
        "Takes aspirin daily",
    ),
    "what is done to one thing at other paces": (
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
    "sums for other things": (
        "Rent is 1,200 euros a month",
        "Salary is 72,000 euros a year",
        "Calligraphy course on the first Thursday of the month, 25 euros",
    ),
    "people counted in other groups": (
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
    "a measure and that of a kind": (
        "Hydration: 74 percent",
        "Pizza dough hydration is 65 percent",
        "Idle power: 14 W",
        "Peak power is about 35 W",
        "Rate limit is 100 requests per minute",
        "Rate limit for admins is 1000 requests per minute",
    ),
    "rules that leave room for each other": (
        "Never push to main",
        "Push feature branches early",
        "Never run migrations by hand",
        "Run migrations with make migrate",
        "Deploys every Friday",
        "Never deploy on Fridays without approval",
    ),
    "what happens again and again ends nothing": (
        "Shoes for long runs: Saucony Endorphin",
        "Shoes are replaced after 700 km",
        "Raw files land in a GCS bucket",
        "Raw files are deleted after 90 days",
        "The exam is closed book",
        "Final exam counts 35 percent",
    ),
    "what ended was another's": (
        "Starter is called Fermín",
        "Aunt Pilar's own starter died last summer",
        "Publishes to Kafka topic ledger.entries.v2",
        "Topic ledger.entries.v1 was retired in November 2023",
        "Yearly rent 310 euros including water",
        "Water main is switched off from November to March",
    ),
    "tastes of some of it": (
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
    "people in posts beside each other": (
        "Contact: Hannah Whitlock",
        "Deputy contact is Imran Sheikh",
        "Maintained by Ana",
        "Owned by the Platform team",
    ),
    "one after the other on a journey": (
        "First five nights in Tokyo, Asakusa",
        "Five nights in Kyoto, machiya near Nijo",
        "Last nights in Osaka",
    ),
    "measured on two dates, and what was aimed at": (
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
    "where things are that only look alike": (
        "Documents are in Notion",
        "Contracts are kept in SharePoint",
        "Garden faces south-west",
        "Street side faces north-east",
        "Gets along with Miso through the window",
        "Sleeps in the hallway",
        "No treats from the table",
        "Not allowed on the bed",
    ),
    "a change of something else than what a key tells": (
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
    "a word that is only the key of a value": (
        "Landlord: Familie Meier",
        "Call the caretaker for the lift and never the landlord",
        "Write to the landlord in German",
        "Time zone of stamps: UTC",
        "Join the weather on planned_at, never on the arrival stamp",
    ),
    "posts of a part": (
        "Lead: Mei-Lin Zhao",
        "The Porto lead is Beatriz Nogueira",
        "Start date: 2021-06-14",
        "Birthday: 3 November",
    ),
    "numbers that are names, and the price of a part": (
        "Rows: 4.1 million",
        "Lines 1, 2 and D are complete",
        "Annual fee: 85 EUR",
        "The club rents lockers for 20 euros a year",
        "Deposit: 3,500 EUR",
        "Monthly rent is 1,245 euros since the index adjustment",
    ),
}
ONE: list[tuple[str, str]] = [
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


@pytest.mark.parametrize("name", BOTH)
def test_all_of_it_may_be_so(name: str) -> None:
    sides = [read(text, subject="Ingrid") for text in BOTH[name]]
    wrong = [
        (one.text, other.text)
        for at, one in enumerate(sides)
        for other in sides[at + 1 :]
        if judge(one, other).conflicts or judge(one, other).duplicate_kind
    ]
    assert wrong == []


def test_of_two_people_in_one_entity_each_tells_of_one() -> None:
    one = read("Zainab loves maths, hates PE", subject="Emeka and Zainab (pupils)")
    other = read("Emeka loves PE, fine with maths", subject="Emeka and Zainab (pupils)")
    assert judge(one, other).conflicts == ()


@pytest.mark.parametrize(("one", "other"), ONE)
def test_of_one_side_only_one_can_be_so(one: str, other: str) -> None:
    assert judge(read(one, subject="Ingrid"), read(other, subject="Ingrid")).conflicts


@pytest.mark.parametrize(
    ("one", "other"),
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
def test_what_differs_in_a_sign_a_name_or_a_small_word_is_never_the_same(one: str, other: str) -> None:
    assert judge(read(one), read(other)).duplicate_kind == ""
    assert judge(read(one, subject="Ingrid"), read(other, subject="Ingrid")).duplicate_kind == ""


@pytest.mark.parametrize(
    "other",
    [
        "- Use the staging queue.",
        "use  the staging queue",
        '"Use the staging queue"',
        "USE THE STAGING QUEUE!",
    ],
)
def test_marks_blanks_and_capitals_tell_nothing_apart(other: str) -> None:
    assert judge(read("Use the staging queue."), read(other)).duplicate_kind == "exact"
