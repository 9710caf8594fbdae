"""`memtui decay preview` and `memtui decay run`: what is told, what is done, and what is refused (S-26,
S-27, S-82, S-92)."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memtui.memory.lifecycles import NAMES
from tests.support.command_line import Cli, DecayRun, program
from tests.support.hostile import texts as hostile
from tests.support.lifecycle_stores import (
    COAT,
    COGNITIVE,
    FOUNDER,
    MINIONS,
    ROWS,
    SKILL,
    LifecycleStores,
    coat,
    coated,
    copied,
    founder,
    item,
    row,
    said,
    scouted,
    skilled,
    stocked,
)
from tests.support.sizes import FULL
from tests.support.stores import Agent, founder_os, mem_skill, minions
from tests.support.stores.databases import asked

DAY_TEN = "2026-10-02T08:00:00Z"  # ten days after the stores were attached
KEYS = {
    *("uid", "store", "ref", "key", "label", "category", "status", "pinned", "lifecycle"),
    *("now", "horizon", "next_change", "removal", "frozen", "if_pinned", "if_used", "if_confirmed"),
}
MOMENT = {"at", "what", "rule"}
STANDING = {"at", "score", "label", "tier", "heat"}
OUTCOME = {"score", "label", "next_change", "removal"}
LABELS = {"active", "fading", "dormant", "archived", "gone", None}


@pytest.fixture
def ageing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LifecycleStores:
    ageing = LifecycleStores(tmp_path / "ageing")
    monkeypatch.setenv("MEMTUI_WORKSPACE", str(ageing.path))
    return ageing


@pytest.fixture(scope="module")
def ageing_template(tmp_path_factory: pytest.TempPathFactory) -> LifecycleStores:
    return stocked(LifecycleStores(tmp_path_factory.mktemp("ageing_template")))


@pytest.fixture
def cli(bare: Cli, ageing_template: LifecycleStores, ageing: LifecycleStores) -> Cli:
    """Runs a command on stores of all kinds in which something is near its end."""
    copied(ageing_template, ageing.folder)
    return bare


@pytest.fixture(scope="module")
def two_stores(tmp_path_factory: pytest.TempPathFactory) -> LifecycleStores:
    ageing = LifecycleStores(tmp_path_factory.mktemp("two"))
    founder(ageing, ROWS[0])
    scouted(ageing, item(1, "faint", 0.25, -81))
    with ageing.opened() as workspace:
        workspace.attach(ageing.founder, FOUNDER)
        workspace.attach(ageing.minions, MINIONS)
    return ageing


@pytest.fixture
def pair(bare: Cli, two_stores: LifecycleStores, ageing: LifecycleStores) -> Cli:
    """Two stores in which something is due."""
    copied(two_stores, ageing.folder)
    return bare


def strict(ran: DecayRun) -> Any:
    """What was printed, as JSON that every reader takes: no NaN, no Infinity, nothing but ASCII."""

    def never(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    assert ran.out.isascii()
    return json.loads(ran.out, parse_constant=never)


def told(cli: Cli, *words: str) -> Any:
    ran = cli("--json", *words)
    assert ran.code == 0, ran.out + ran.err
    return strict(ran)


def weekly(ageing: LifecycleStores) -> int:
    return int(asked(ageing.founder, "SELECT confidence FROM memories WHERE key = 'weekly'")[0][0])


# -- preview


def test_a_preview_has_the_shape_that_its_help_tells(cli: Cli) -> None:
    help = cli("decay", "preview", "--help").out
    for key in sorted(KEYS | STANDING | OUTCOME | MOMENT):
        assert f'"{key}"' in help, key
    whole = told(cli, "decay", "preview", "--days", "60", "--now", DAY_TEN)
    assert set(whole) == {"now", "horizon", "days", "what_if", "notes", "leaving", "memories"}
    assert (whole["now"], whole["horizon"]) == (DAY_TEN, "2026-12-01T08:00:00Z")
    assert (whole["days"], whole["what_if"]) == (60, None)
    assert any("weekly" in note for note in whole["notes"])
    assert any("rate of decay" in note for note in whole["notes"])
    assert len(whole["memories"]) > 30
    for memory in whole["memories"]:
        assert set(memory) == KEYS
        assert set(memory["now"]) == set(memory["horizon"]) == STANDING
        assert (memory["now"]["at"], memory["horizon"]["at"]) == (whole["now"], whole["horizon"])
        for outcome in ("if_pinned", "if_used", "if_confirmed"):
            assert set(memory[outcome]) == OUTCOME
        for outcome in (memory, memory["if_pinned"], memory["if_used"], memory["if_confirmed"]):
            for moment in (outcome["next_change"], outcome["removal"]):
                assert moment is None or set(moment) == MOMENT
        for standing in (memory["now"], memory["horizon"]):
            assert standing["score"] is None or 0 <= standing["score"] <= 1 or standing["score"] == 999
            assert standing["label"] in LABELS
    gone = [memory for memory in whole["memories"] if memory["horizon"]["label"] == "gone"]
    assert whole["leaving"] == len(gone) > 5
    assert {memory["store"] for memory in whole["memories"]} == {
        *("native", FOUNDER, MINIONS, SKILL, COAT, COGNITIVE)
    }


def test_a_preview_tells_the_numbers_of_the_rules(cli: Cli) -> None:
    found = told(cli, "decay", "preview", "--days", "28", "--now", "2026-09-22T08:00:00Z", "--store", FOUNDER)
    by_key = {memory["key"]: memory for memory in found["memories"]}
    assert by_key.keys() == {"weekly", "weak", "dismissed", "keeper", "brief", "fresh"}
    one = by_key["weekly"]
    assert (one["now"]["score"], one["horizon"]["score"]) == (0.5, 0.3)  # days 2, 9, 16 and 23
    rule = "−5 a week unused beyond 30 days"
    assert one["next_change"] == {"at": said(2), "what": "0.50 → 0.45", "rule": rule}
    assert one["removal"] == {"at": said(58), "what": "deleted", "rule": f"below 10, by {rule}"}
    assert one["if_pinned"]["score"] == 0.5
    assert (one["if_pinned"]["next_change"], one["if_pinned"]["removal"]) == (None, None)
    assert one["if_used"]["next_change"]["at"] == said(37)
    assert one["if_confirmed"]["score"] == 0.45
    assert (by_key["keeper"]["frozen"], by_key["dismissed"]["frozen"]) == ("pinned", "dismissed")
    assert by_key["weak"]["removal"]["at"] == said(2)
    assert by_key["brief"]["removal"] == {"at": said(3), "what": "deleted", "rule": "past its expiry"}
    assert found["leaving"] == 2


def test_a_preview_agrees_with_what_a_run_then_tells(cli: Cli) -> None:
    foretold = told(cli, "decay", "preview", "--days", "0", "--now", DAY_TEN)["memories"]
    due = told(cli, "decay", "run", "--now", DAY_TEN)["due"]
    happening = {
        memory["uid"]: memory
        for memory in foretold
        if memory["next_change"] is not None and memory["next_change"]["at"] <= DAY_TEN
    }
    assert {each["uid"] for each in due} == happening.keys()
    for each in due:
        memory = happening[each["uid"]]
        assert each["leaves"] == (memory["horizon"]["label"] == "gone")
        moment = memory["removal"] if each["leaves"] else memory["next_change"]
        assert (each["rule"], each["at"]) == (moment["rule"], moment["at"])
        if "→ 0." in each["what"]:
            assert each["what"].endswith(f"→ {memory['horizon']['score']:.2f}")


@pytest.mark.parametrize("name", NAMES)
def test_any_lifecycle_can_be_tried_on_any_store(cli: Cli, name: str) -> None:
    with np.errstate(divide="raise", invalid="raise", over="raise"):
        whole = told(cli, "decay", "preview", "--days", "1826", "--lifecycle", name, "--now", "2027-01-01")
    assert whole["what_if"] == name
    assert {memory["lifecycle"] for memory in whole["memories"]} == {name}
    ran = cli("decay", "preview", "--days", "1826", "--lifecycle", name, "--now", "2027-01-01")
    assert ran.code == 0
    assert "Nothing was changed." in ran.err


def test_a_preview_for_a_person(cli: Cli, ageing: LifecycleStores) -> None:
    before, ran = ageing.stands(), cli("decay", "preview", "--days", "30", "--now", DAY_TEN)
    assert ran.code == 0
    lines = [line.split("\t") for line in ran.out.splitlines()]
    (line,) = [each for each in lines if each[-1] == "Founder weekly."]
    assert line[1:] == [
        *(FOUNDER, "due (2026-09-24)", "0.50", "0.50 → 0.45"),
        *("−5 a week unused beyond 30 days", "Founder weekly."),
    ]
    assert [each[-1] for each in lines].index("Founder weekly.") < [each[-1] for each in lines].index(
        "Founder fresh."
    )
    assert "Within 30 days: 9 leave, 13 change in all. By category: " in ran.err
    assert "weekly reading" in ran.err
    assert "Nothing was changed. What is due is done, once a day, by: memtui decay run --yes" in ran.err
    assert ageing.stands() == before
    short = cli("decay", "preview", "--days", "30", "--now", DAY_TEN, "--limit", "3")
    assert short.out.splitlines() == ran.out.splitlines()[:3]
    assert f"And {len(lines) - 3} more; --limit {len(lines)} shows all." in short.err


def test_a_preview_of_one_store(cli: Cli, ageing: LifecycleStores) -> None:
    for name in (FOUNDER, "acme", str(ageing.founder)):
        whole = told(cli, "decay", "preview", "--store", name, "--now", DAY_TEN)
        assert {memory["store"] for memory in whole["memories"]} == {FOUNDER}, name


def test_an_instant_may_be_a_day_and_may_have_a_zone(cli: Cli) -> None:
    for text, read in (
        ("2026-12-01", "2026-12-01T00:00:00Z"),
        ("2026-12-01T08:00", "2026-12-01T08:00:00Z"),
        ("2026-12-01 08:00:00+02:00", "2026-12-01T06:00:00Z"),
        ("2026-12-01T08:00:00.5Z", "2026-12-01T08:00:00.500Z"),
    ):
        assert told(cli, "decay", "preview", "--now", text)["now"] == read
        assert told(cli, "decay", "run", "--now", text)["now"] == read
    assert cli("decay", "preview").code == cli("decay", "run").code == 0


# -- wrong use


WRONG = [
    (["preview", "--now", "soon"], "--now soon is no ISO time"),
    (["preview", "--now", "2026-13-01"], "is no ISO time"),
    (["preview", "--now"], "--now"),
    (["run", "--now", "1e9"], "is no ISO time"),
    (["run", "--yes", "--now", "yesterday"], "--now yesterday is no ISO time"),
    (["preview", "--days", "9999"], "9999 is no number of days from 0 to 1826"),
    (["preview", "--days", "-1"], "no number of days"),
    (["preview", "--days", "nan"], "no number of days"),
    (["preview", "--days", "inf"], "no number of days"),
    (["preview", "--days", "many"], "no number of days"),
    (["preview", "--lifecycle", "goldfish"], "goldfish"),
    (["preview", "--limit", "0"], "0 is no number"),
    (["preview", "--yes"], "there is no option --yes"),
    (["run", "--days", "3"], "there is no option --days"),
    (["fly"], "decay fly"),
]


@pytest.mark.parametrize(
    ("words", "why"), WRONG, ids=lambda each: " ".join(each) if isinstance(each, list) else ""
)
def test_wrong_use_is_told_in_a_sentence(
    pair: Cli, ageing: LifecycleStores, words: list[str], why: str
) -> None:
    before = ageing.stands()
    ran = pair("decay", *words)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    ran = pair("--json", "decay", *words)
    assert (ran.code, ran.err, ran.error["code"]) == (2, "", "usage")
    assert why in ran.error["message"]
    assert ageing.stands() == before


def test_a_store_that_there_is_not(cli: Cli) -> None:
    ran = cli("decay", "preview", "--store", "nowhere")
    assert (ran.code, ran.out) == (1, "")
    assert "No store named nowhere is attached." in ran.err
    ran = cli("--json", "decay", "preview", "--store", "nowhere")
    assert (ran.code, ran.error["code"]) == (1, "no-store")


# -- run


def test_without_yes_a_run_only_tells(cli: Cli, ageing: LifecycleStores) -> None:
    before, lines = ageing.stands(), told(cli, "journal")
    ran = cli("decay", "run", "--now", DAY_TEN)
    assert ran.code == 0
    rows = ran.out.splitlines()
    at = next(number for number, line in enumerate(rows) if line.endswith("\tFounder weak."))
    assert rows[at].split("\t")[1:] == [
        FOUNDER,
        "deleted",
        "below 10, by −5 a week unused beyond 30 days",
        "Founder weak.",
    ]
    assert rows[at + 1] == "    deletes its row in memory.db and reverts its adaptations"
    assert ran.err == "11 due. Nothing was changed; --yes does it, and memtui undo takes it back.\n"
    found = told(cli, "decay", "run", "--now", DAY_TEN)
    assert found["now"] == DAY_TEN
    assert len(found["due"]) == 11
    for each in found["due"]:
        assert set(each) == {"uid", "store", "label", "what", "rule", "at", "leaves", "where"}
        assert each["where"]
    assert (ageing.stands(), told(cli, "journal")) == (before, lines)
    assert (
        cli("decay", "run", "--now", "2026-09-22T09:00").err == "Nothing is due; a store is run once a day.\n"
    )


def test_with_yes_it_is_done_once_and_one_undo_takes_it_back(cli: Cli, ageing: LifecycleStores) -> None:
    before = ageing.stands()
    ran = cli("decay", "run", "--yes", "--now", DAY_TEN)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Decay: 1 lowered, 2 moved between tiers, 8 left in ")
    assert "Take it back: memtui undo " in ran.out
    assert weekly(ageing) == 40
    after, lines = ageing.stands(), told(cli, "journal")
    again = cli("decay", "run", "--yes", "--now", "2026-10-02T20:00:00Z")
    assert (again.code, again.out) == (0, "Nothing is due, or it was done today: nothing was changed.\n")
    assert (ageing.stands(), told(cli, "journal")) == (after, lines)
    assert cli("undo").code == 0
    assert ageing.stands() == before
    assert cli("redo").code == 0
    assert ageing.stands() == after


def test_what_a_run_did_as_json(cli: Cli, ageing: LifecycleStores) -> None:
    due = told(cli, "decay", "run", "--now", DAY_TEN)["due"]
    done = told(cli, "decay", "run", "--yes", "--now", DAY_TEN)
    assert set(done) == {"kind", "summary", "journal", "uids", "skipped", "due"}
    assert (done["kind"], done["skipped"], done["due"]) == ("decayed", [], due)
    assert sorted(done["uids"]) == sorted(each["uid"] for each in due)
    assert isinstance(done["journal"], int)
    nothing = told(cli, "decay", "run", "--yes", "--now", DAY_TEN)
    assert nothing == {
        "kind": "decayed",
        "summary": "Nothing was changed.",
        "journal": None,
        "uids": [],
        "skipped": [],
        "due": [],
    }
    assert cli("undo", str(done["journal"])).code == 0
    assert weekly(ageing) == 50


def test_a_scheduler_runs_it_as_a_program(cli: Cli, ageing: LifecycleStores) -> None:
    ran = program("decay", "run", "--yes", "--now", DAY_TEN, "--json")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert len(json.loads(ran.stdout)["uids"]) == 11
    assert weekly(ageing) == 40


def test_what_a_busy_store_holds_is_left_and_told(pair: Cli, ageing: LifecycleStores) -> None:
    with Agent(ageing.founder) as agent:
        agent.do("BEGIN EXCLUSIVE")
        ran = pair("decay", "run", "--yes", "--now", DAY_TEN)
    assert ran.code == 0  # in part
    assert ran.out.startswith("Decay: 1 lowered in minions:scout (1 of 2).")
    left = [line for line in ran.err.splitlines() if line.startswith("Left as it was: ")]
    assert len(left) == 1
    assert "Founder weekly.: " in left[0]
    assert "What was left is still due: run it again later." in ran.err
    assert (weekly(ageing), minions.told(ageing.minions, 1)["fields"]["confidence"]) == (50, 0.15)
    ran = pair("decay", "run", "--yes", "--now", DAY_TEN)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Decay: 1 lowered in founder-os:acme.")
    assert (weekly(ageing), minions.told(ageing.minions, 1)["fields"]["confidence"]) == (40, 0.15)


def test_what_a_person_made_read_only_is_told_and_no_failure(pair: Cli, ageing: LifecycleStores) -> None:
    before = ageing.stands()
    for name in (FOUNDER, MINIONS):
        assert pair("stores", "read-only", name).code == 0
    ran = pair("decay", "run", "--yes", "--now", DAY_TEN)
    assert (ran.code, ran.out) == (0, "Nothing was changed.\n")  # as a person wants it: no failure
    assert ran.err.count("Left as it was: ") == 2
    assert "is read-only by your word" in ran.err
    ran = pair("--json", "decay", "run", "--yes", "--now", DAY_TEN)
    found = strict(ran)
    assert (ran.code, found["journal"], found["uids"]) == (0, None, [])
    assert {each["code"] for each in found["skipped"]} == {"read-only"}
    assert pair("--read-only", "decay", "run", "--yes", "--now", DAY_TEN).code == 1
    assert pair("--read-only", "decay", "run", "--now", DAY_TEN).code == 0
    assert ageing.stands() == before
    assert pair("stores", "read-only", FOUNDER, "--off").code == 0
    assert pair("decay", "run", "--yes", "--now", DAY_TEN).code == 0
    assert weekly(ageing) == 40


def test_what_an_agent_did_before_is_taken_in_first(pair: Cli, ageing: LifecycleStores) -> None:
    with Agent(ageing.founder) as agent:
        agent.do("UPDATE memories SET confidence = 80")
    assert pair("decay", "run", "--yes", "--now", DAY_TEN).err == ""
    assert weekly(ageing) == 70


def test_a_person_says_how_founder_os_and_half_lives_are_read(
    pair: Cli, ageing: LifecycleStores, here: Path
) -> None:
    settings = 'model = "off"\nfounder_os_decay = "daily"\n[half_lives]\nepisode = 1\n'
    (here.parent / "settings.toml").write_text(settings, "utf-8")
    whole = told(pair, "decay", "preview", "--now", DAY_TEN, "--store", FOUNDER)
    assert [memory["lifecycle"] for memory in whole["memories"]] == ["founder-os-daily"]
    assert any("daily" in note for note in whole["notes"])
    assert "daily" in pair("decay", "preview", "--now", DAY_TEN).err


# -- texts and times that mean no good


@pytest.fixture
def evil(bare: Cli, ageing: LifecycleStores) -> Cli:
    """Every hostile text as the content, key and title of something that is due."""
    texts = {name: text for name, text in hostile.TEXTS.items() if name not in ("halves", "nul")}
    rows = [
        row(f"evil-{number}", 50, last=-35, content=text, category=text, company_id=text, key=text)
        for number, text in enumerate(texts.values())
    ]
    founder_os.make(ageing.founder, rows, columns=founder_os.ODD_COLUMNS)
    items = [item(n, text, 0.25, -81, title=text) for n, text in enumerate(texts.values(), 1)]
    scouted(ageing, *items)
    coated(ageing, *(coat(text, last=-88, tier="l1", content=text) for text in texts.values()), relations=())
    with ageing.opened() as workspace:
        workspace.attach(ageing.founder, FOUNDER)
        workspace.attach(ageing.minions, MINIONS)
        workspace.attach(ageing.coat, COAT)
    return bare


def test_no_stored_text_reaches_the_terminal_raw(evil: Cli, ageing: LifecycleStores) -> None:
    with Agent(ageing.founder) as agent:
        commands = (
            ("decay", "preview", "--now", DAY_TEN, "--limit", "1000"),
            ("decay", "run", "--now", DAY_TEN),
            ("decay", "run", "--yes", "--now", DAY_TEN),
        )
        agent.do("BEGIN EXCLUSIVE")  # so that some are left
        for words in commands:
            ran = evil(*words)
            assert ran.code == 0
            assert hostile.MARK in ran.out + ran.err
            assert hostile.acts(ran.out + ran.err) == set(), words
    for words in commands:
        ran = evil("--json", *words)
        strict(ran)
        assert hostile.acts(ran.out + ran.err) == set(), words


TIMES: list[Any] = [
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "1969-12-31T23:59:59Z",
    253_402_300_799,
    -1,
    -62_135_596_801,
    -90_000_000_000,
    99_999_999_999,
    10**15,
    -(10**15),
    10**18,
    0,
    0.5,
    "",
    "soon",
]


@pytest.fixture
def timed(bare: Cli, ageing: LifecycleStores, request: pytest.FixtureRequest) -> Iterator[Cli]:
    """Stores in which each of these times stands wherever one can stand."""
    rows: list[dict[str, Any]] = []
    items: list[dict[str, Any]] = []
    facts: list[dict[str, Any]] = []
    coats: list[dict[str, Any]] = []
    for place, time in enumerate(request.param):
        for name in ("created_at", "updated_at", "last_used_at", "expires_at"):
            rows.append(row("one", 50, last=-35, **{name: time}) | {"key": f"{name}{place}"})
        rows.append(
            row("one", 50, last=0, last_used_at=None, created_at=time, times_used=-5, key=f"n{place}")
        )
        items += [
            item(3 * place + 1, "used", 0.25, 0, lastAccessedAt=time),
            item(3 * place + 2, "ends", 0.25, -81, expiresAt=time),
            item(3 * place + 3, "old", 0.25, -81, lastReinforcedAt=time, createdAt=time),
        ]
        for name in ("valid_from", "valid_to"):
            facts.append(mem_skill.fact(f"f-{name}{place}", f"{name}{place}", "Fact.", **{name: str(time)}))
        for name in ("created_at", "last_accessed", "expires_at"):
            coats.append(coat(f"{name}{place}", last=-88, tier="l1", **{name: time}))
    rows = [each | {"id": f"{number:032x}"} for number, each in enumerate(rows)]
    founder_os.make(ageing.founder, rows, columns=founder_os.ODD_COLUMNS)
    scouted(ageing, *items)
    skilled(ageing, *facts)
    coated(ageing, *coats, relations=())
    with ageing.opened() as workspace:
        for path in (ageing.founder, ageing.minions, ageing.skill, ageing.coat):
            workspace.attach(path)
    with warnings.catch_warnings(), np.errstate(divide="raise", invalid="raise", over="raise"):
        warnings.simplefilter("error")
        yield bare


NOWS = (DAY_TEN, "1970-01-01", "9999-12-31T23:59:59Z", "0001-01-01")


ALONE = [[time] for time in TIMES]


def _named(times: list[Any]) -> str:
    return "all at once" if len(times) > 1 else repr(times[0])


@pytest.mark.parametrize("timed", [TIMES, *(ALONE if FULL else ())], indirect=True, ids=_named)
def test_no_time_that_stands_somewhere_is_too_odd(timed: Cli, ageing: LifecycleStores) -> None:
    for now in NOWS:
        words = ("decay", "preview", "--now", now, "--days", "1826")
        assert timed(*words).code == 0, words
        told(timed, *words)
        assert timed("decay", "run", "--now", now).code == 0
    before = ageing.stands()
    ran = timed("--json", "decay", "run", "--yes", "--now", DAY_TEN)
    assert (ran.code, strict(ran)["skipped"]) == (0, [])
    assert timed("decay", "run", "--yes", "--now", DAY_TEN).out.startswith("Nothing is due")
    assert timed("undo").code == 0
    assert ageing.stands() == before


@pytest.mark.parametrize(
    "now", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59Z", "0001-01-01"]
)
def test_an_instant_at_the_end_of_all_days_is_told_or_refused(
    pair: Cli, ageing: LifecycleStores, now: str
) -> None:
    before = ageing.stands()
    for words in (("preview", "--days", "1826"), ("run",), ("run", "--yes")):
        for json_too in ((), ("--json",)):
            ran = pair(*json_too, "decay", *words, "--now", now)
            assert ran.code in (0, 1)
            assert "did not foresee" not in ran.out + ran.err, (words, now)
            if json_too:
                strict(ran)
    while pair("undo").code == 0:
        pass
    assert ageing.stands() == before
