"""`memtui decay preview` and `memtui decay run` (S-26, S-27, S-82, S-92)."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memtui.memory.lifecycles import NAMES
from tests.support.command_line import Cli, CommandResult, run_program
from tests.support.hostile import texts as hostile
from tests.support.lifecycle_stores import (
    COAT,
    COGNITIVE,
    FOUNDER,
    MINIONS,
    ROWS,
    SKILL,
    LifecycleStores,
    attach_all,
    coat,
    copy_stores,
    iso_day,
    item,
    make_base_coat,
    make_founder_os,
    make_mem_skill,
    make_minions,
    row,
)
from tests.support.sizes import FULL
from tests.support.stores import Agent, founder_os, mem_skill, minions
from tests.support.stores.databases import query

DAY_TEN = "2026-10-02T08:00:00Z"  # ten days after the stores were attached
KEYS = {
    *("uid", "store", "ref", "key", "label", "category", "status", "pinned", "lifecycle"),
    *("now", "horizon", "next_change", "removal", "frozen", "if_pinned", "if_used", "if_confirmed"),
}
EVENT_KEYS = {"at", "what", "rule"}
STATE_KEYS = {"at", "score", "label", "tier", "heat"}
OUTCOME_KEYS = {"score", "label", "next_change", "removal"}
LABELS = {"active", "fading", "dormant", "archived", "gone", None}


@pytest.fixture
def stores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LifecycleStores:
    stores = LifecycleStores(tmp_path / "ageing")
    monkeypatch.setenv("MEMTUI_WORKSPACE", str(stores.path))
    return stores


@pytest.fixture(scope="module")
def stores_template(tmp_path_factory: pytest.TempPathFactory) -> LifecycleStores:
    return attach_all(LifecycleStores(tmp_path_factory.mktemp("ageing_template")))


@pytest.fixture
def cli(bare: Cli, stores_template: LifecycleStores, stores: LifecycleStores) -> Cli:
    """Runs commands on stores of all kinds, in which memories are about to leave."""
    copy_stores(stores_template, stores.folder)
    return bare


@pytest.fixture(scope="module")
def two_stores(tmp_path_factory: pytest.TempPathFactory) -> LifecycleStores:
    stores = LifecycleStores(tmp_path_factory.mktemp("two"))
    make_founder_os(stores, ROWS[0])
    make_minions(stores, item(1, "faint", 0.25, -81))
    with stores.opened() as workspace:
        workspace.attach(stores.founder, FOUNDER)
        workspace.attach(stores.minions, MINIONS)
    return stores


@pytest.fixture
def pair(bare: Cli, two_stores: LifecycleStores, stores: LifecycleStores) -> Cli:
    """Runs commands on two stores with one memory due in each."""
    copy_stores(two_stores, stores.folder)
    return bare


def strict_json(result: CommandResult) -> Any:
    """Parse the output as strict JSON: no NaN, no Infinity, ASCII only."""

    def reject(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    assert result.out.isascii()
    return json.loads(result.out, parse_constant=reject)


def run_json(cli: Cli, *words: str) -> Any:
    result = cli("--json", *words)
    assert result.code == 0, result.out + result.err
    return strict_json(result)


def weekly_confidence(stores: LifecycleStores) -> int:
    return int(query(stores.founder, "SELECT confidence FROM memories WHERE key = 'weekly'")[0][0])


# -- preview


def test_the_preview_has_the_shape_that_the_help_documents(cli: Cli) -> None:
    help = cli("decay", "preview", "--help").out
    for key in sorted(KEYS | STATE_KEYS | OUTCOME_KEYS | EVENT_KEYS):
        assert f'"{key}"' in help, key
    preview = run_json(cli, "decay", "preview", "--days", "60", "--now", DAY_TEN)
    assert set(preview) == {"now", "horizon", "days", "what_if", "notes", "leaving", "memories"}
    assert (preview["now"], preview["horizon"]) == (DAY_TEN, "2026-12-01T08:00:00Z")
    assert (preview["days"], preview["what_if"]) == (60, None)
    assert any("weekly" in note for note in preview["notes"])
    assert any("decay rate" in note for note in preview["notes"])
    assert len(preview["memories"]) > 30
    for memory in preview["memories"]:
        assert set(memory) == KEYS
        assert set(memory["now"]) == set(memory["horizon"]) == STATE_KEYS
        assert (memory["now"]["at"], memory["horizon"]["at"]) == (preview["now"], preview["horizon"])
        for outcome in ("if_pinned", "if_used", "if_confirmed"):
            assert set(memory[outcome]) == OUTCOME_KEYS
        for outcome in (memory, memory["if_pinned"], memory["if_used"], memory["if_confirmed"]):
            for event in (outcome["next_change"], outcome["removal"]):
                assert event is None or set(event) == EVENT_KEYS
        for state in (memory["now"], memory["horizon"]):
            assert state["score"] is None or 0 <= state["score"] <= 1 or state["score"] == 999
            assert state["label"] in LABELS
    gone = [memory for memory in preview["memories"] if memory["horizon"]["label"] == "gone"]
    assert preview["leaving"] == len(gone) > 5
    assert {memory["store"] for memory in preview["memories"]} == {
        *("native", FOUNDER, MINIONS, SKILL, COAT, COGNITIVE)
    }


def test_the_preview_follows_the_rules_of_the_lifecycle(cli: Cli) -> None:
    found = run_json(
        cli, "decay", "preview", "--days", "28", "--now", "2026-09-22T08:00:00Z", "--store", FOUNDER
    )
    by_key = {memory["key"]: memory for memory in found["memories"]}
    assert by_key.keys() == {"weekly", "weak", "dismissed", "keeper", "brief", "fresh"}
    weekly = by_key["weekly"]
    assert (weekly["now"]["score"], weekly["horizon"]["score"]) == (0.5, 0.3)  # days 2, 9, 16 and 23
    rule = "−5 per week unused beyond 30 days"
    assert weekly["next_change"] == {"at": iso_day(2), "what": "0.50 → 0.45", "rule": rule}
    assert weekly["removal"] == {"at": iso_day(58), "what": "deleted", "rule": f"below 10 ({rule})"}
    assert weekly["if_pinned"]["score"] == 0.5
    assert (weekly["if_pinned"]["next_change"], weekly["if_pinned"]["removal"]) == (None, None)
    assert weekly["if_used"]["next_change"]["at"] == iso_day(37)
    assert weekly["if_confirmed"]["score"] == 0.45
    assert (by_key["keeper"]["frozen"], by_key["dismissed"]["frozen"]) == ("pinned", "dismissed")
    assert by_key["weak"]["removal"]["at"] == iso_day(2)
    assert by_key["brief"]["removal"] == {"at": iso_day(3), "what": "deleted", "rule": "past its expiry date"}
    assert found["leaving"] == 2


def test_the_preview_agrees_with_a_run(cli: Cli) -> None:
    predicted = run_json(cli, "decay", "preview", "--days", "0", "--now", DAY_TEN)["memories"]
    due = run_json(cli, "decay", "run", "--now", DAY_TEN)["due"]
    changes = {
        memory["uid"]: memory
        for memory in predicted
        if memory["next_change"] is not None and memory["next_change"]["at"] <= DAY_TEN
    }
    assert {each["uid"] for each in due} == changes.keys()
    for each in due:
        memory = changes[each["uid"]]
        assert each["leaves"] == (memory["horizon"]["label"] == "gone")
        event = memory["removal"] if each["leaves"] else memory["next_change"]
        assert (each["rule"], each["at"]) == (event["rule"], event["at"])
        if "→ 0." in each["what"]:
            assert each["what"].endswith(f"→ {memory['horizon']['score']:.2f}")


@pytest.mark.parametrize("name", NAMES)
def test_any_lifecycle_can_be_tried_in_a_preview(cli: Cli, name: str) -> None:
    with np.errstate(divide="raise", invalid="raise", over="raise"):
        preview = run_json(
            cli, "decay", "preview", "--days", "1826", "--lifecycle", name, "--now", "2027-01-01"
        )
    assert preview["what_if"] == name
    assert {memory["lifecycle"] for memory in preview["memories"]} == {name}
    result = cli("decay", "preview", "--days", "1826", "--lifecycle", name, "--now", "2027-01-01")
    assert result.code == 0
    assert "Nothing was changed." in result.err


def test_the_preview_as_text(cli: Cli, stores: LifecycleStores) -> None:
    before, result = stores.snapshot(), cli("decay", "preview", "--days", "30", "--now", DAY_TEN)
    assert result.code == 0
    rows = [line.split("\t") for line in result.out.splitlines()]
    (row,) = [cells for cells in rows if cells[-1] == "Founder weekly."]
    assert row[1:] == [
        *(FOUNDER, "due (2026-09-24)", "0.50", "0.50 → 0.45"),
        *("−5 per week unused beyond 30 days", "Founder weekly."),
    ]
    labels = [cells[-1] for cells in rows]
    assert labels.index("Founder weekly.") < labels.index("Founder fresh.")
    assert "Within 30 days: 9 memories leave their stores, 13 change in total. By category: " in result.err
    assert "weekly decay" in result.err
    assert "Nothing was changed. To run due decay (once a day): memtui decay run --yes" in result.err
    assert stores.snapshot() == before
    short = cli("decay", "preview", "--days", "30", "--now", DAY_TEN, "--limit", "3")
    assert short.out.splitlines() == result.out.splitlines()[:3]
    assert f"And {len(rows) - 3} more; --limit {len(rows)} shows all." in short.err


def test_a_preview_of_one_store(cli: Cli, stores: LifecycleStores) -> None:
    for name in (FOUNDER, "acme", str(stores.founder)):
        preview = run_json(cli, "decay", "preview", "--store", name, "--now", DAY_TEN)
        assert {memory["store"] for memory in preview["memories"]} == {FOUNDER}, name


def test_now_takes_dates_and_time_zones(cli: Cli) -> None:
    for text, expected in (
        ("2026-12-01", "2026-12-01T00:00:00Z"),
        ("2026-12-01T08:00", "2026-12-01T08:00:00Z"),
        ("2026-12-01 08:00:00+02:00", "2026-12-01T06:00:00Z"),
        ("2026-12-01T08:00:00.5Z", "2026-12-01T08:00:00.500Z"),
    ):
        assert run_json(cli, "decay", "preview", "--now", text)["now"] == expected
        assert run_json(cli, "decay", "run", "--now", text)["now"] == expected
    assert cli("decay", "preview").code == cli("decay", "run").code == 0


# -- wrong use


USAGE_ERRORS = [
    (["preview", "--now", "soon"], "invalid --now 'soon'"),
    (["preview", "--now", "2026-13-01"], "use an ISO date or time"),
    (["preview", "--now"], "--now"),
    (["run", "--now", "1e9"], "use an ISO date or time"),
    (["run", "--yes", "--now", "yesterday"], "invalid --now 'yesterday'"),
    (["preview", "--days", "9999"], "'9999' is not a number of days from 0 to 1826"),
    (["preview", "--days", "-1"], "not a number of days"),
    (["preview", "--days", "nan"], "not a number of days"),
    (["preview", "--days", "inf"], "not a number of days"),
    (["preview", "--days", "many"], "not a number of days"),
    (["preview", "--lifecycle", "goldfish"], "goldfish"),
    (["preview", "--limit", "0"], "'0' is not a whole number"),
    (["preview", "--yes"], "unknown option '--yes'"),
    (["run", "--days", "3"], "unknown option '--days'"),
    (["fly"], "decay fly"),
]


@pytest.mark.parametrize(
    ("words", "message"), USAGE_ERRORS, ids=lambda each: " ".join(each) if isinstance(each, list) else ""
)
def test_usage_errors(pair: Cli, stores: LifecycleStores, words: list[str], message: str) -> None:
    before = stores.snapshot()
    result = pair("decay", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    result = pair("--json", "decay", *words)
    assert (result.code, result.err, result.error["code"]) == (2, "", "usage")
    assert message in result.error["message"]
    assert stores.snapshot() == before


def test_an_unknown_store_is_refused(cli: Cli) -> None:
    result = cli("decay", "preview", "--store", "nowhere")
    assert (result.code, result.out) == (1, "")
    assert "No store named nowhere is attached." in result.err
    result = cli("--json", "decay", "preview", "--store", "nowhere")
    assert (result.code, result.error["code"]) == (1, "no-store")


# -- run


def test_without_yes_a_run_changes_nothing(cli: Cli, stores: LifecycleStores) -> None:
    before, journal = stores.snapshot(), run_json(cli, "journal")
    result = cli("decay", "run", "--now", DAY_TEN)
    assert result.code == 0
    lines = result.out.splitlines()
    index = next(index for index, line in enumerate(lines) if line.endswith("\tFounder weak."))
    assert lines[index].split("\t")[1:] == [
        FOUNDER,
        "deleted",
        "below 10 (−5 per week unused beyond 30 days)",
        "Founder weak.",
    ]
    assert lines[index + 1] == "    deletes its row from memory.db and reverts its adaptations"
    assert result.err == "11 changes due. Nothing was changed; add --yes to apply (can be undone).\n"
    found = run_json(cli, "decay", "run", "--now", DAY_TEN)
    assert found["now"] == DAY_TEN
    assert len(found["due"]) == 11
    for each in found["due"]:
        assert set(each) == {"uid", "store", "label", "what", "rule", "at", "leaves", "where"}
        assert each["where"]
    assert (stores.snapshot(), run_json(cli, "journal")) == (before, journal)
    assert (
        cli("decay", "run", "--now", "2026-09-22T09:00").err
        == "Nothing is due. Decay runs once a day for each store.\n"
    )


def test_a_run_is_done_once_a_day_and_undone_by_one_undo(cli: Cli, stores: LifecycleStores) -> None:
    before = stores.snapshot()
    result = cli("decay", "run", "--yes", "--now", DAY_TEN)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("Decay in ")
    assert ": 1 weakened, 2 moved between tiers, 8 left the store." in result.out
    assert "To undo: memtui undo " in result.out
    assert weekly_confidence(stores) == 40
    after, journal = stores.snapshot(), run_json(cli, "journal")
    again = cli("decay", "run", "--yes", "--now", "2026-10-02T20:00:00Z")
    assert (again.code, again.out) == (
        0,
        "Nothing is due, or decay already ran today. Nothing was changed.\n",
    )
    assert (stores.snapshot(), run_json(cli, "journal")) == (after, journal)
    assert cli("undo").code == 0
    assert stores.snapshot() == before
    assert cli("redo").code == 0
    assert stores.snapshot() == after


def test_a_run_as_json(cli: Cli, stores: LifecycleStores) -> None:
    due = run_json(cli, "decay", "run", "--now", DAY_TEN)["due"]
    done = run_json(cli, "decay", "run", "--yes", "--now", DAY_TEN)
    assert set(done) == {"kind", "summary", "journal", "uids", "skipped", "due", "agents"}
    assert (done["kind"], done["skipped"], done["due"]) == ("decayed", [], due)
    assert sorted(done["uids"]) == sorted(each["uid"] for each in due)
    assert isinstance(done["journal"], int)
    nothing = run_json(cli, "decay", "run", "--yes", "--now", DAY_TEN)
    assert nothing == {
        "kind": "decayed",
        "summary": "Nothing was changed.",
        "journal": None,
        "uids": [],
        "skipped": [],
        "due": [],
    }
    assert cli("undo", str(done["journal"])).code == 0
    assert weekly_confidence(stores) == 50


def test_a_run_as_a_program(cli: Cli, stores: LifecycleStores) -> None:
    result = run_program("decay", "run", "--yes", "--now", DAY_TEN, "--json")
    assert (result.returncode, result.stderr) == (0, b"")
    assert len(json.loads(result.stdout)["uids"]) == 11
    assert weekly_confidence(stores) == 40


def test_a_busy_store_is_skipped_and_reported(pair: Cli, stores: LifecycleStores) -> None:
    with Agent(stores.founder) as agent:
        agent.execute("BEGIN EXCLUSIVE")
        result = pair("decay", "run", "--yes", "--now", DAY_TEN)
    assert result.code == 0  # in part
    assert result.out.startswith("Decay in minions:scout: 1 weakened (1 of 2).")
    left = [line for line in result.err.splitlines() if line.startswith("Not changed: ")]
    assert len(left) == 1
    assert "Founder weekly.: " in left[0]
    assert "Skipped memories are still due. Run decay again later." in result.err
    assert (weekly_confidence(stores), minions.read_minion(stores.minions, 1)["fields"]["confidence"]) == (
        50,
        0.15,
    )
    result = pair("decay", "run", "--yes", "--now", DAY_TEN)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("Decay in founder-os:acme: 1 weakened.")
    assert (weekly_confidence(stores), minions.read_minion(stores.minions, 1)["fields"]["confidence"]) == (
        40,
        0.15,
    )


def test_a_read_only_store_is_skipped_without_failure(pair: Cli, stores: LifecycleStores) -> None:
    before = stores.snapshot()
    for name in (FOUNDER, MINIONS):
        assert pair("stores", "read-only", name).code == 0
    result = pair("decay", "run", "--yes", "--now", DAY_TEN)
    assert (result.code, result.out) == (0, "Nothing was changed.\n")  # as the user wants it: no failure
    assert result.err.count("Not changed: ") == 2
    assert "is read-only (set by you)" in result.err
    result = pair("--json", "decay", "run", "--yes", "--now", DAY_TEN)
    found = strict_json(result)
    assert (result.code, found["journal"], found["uids"]) == (0, None, [])
    assert {each["code"] for each in found["skipped"]} == {"read-only"}
    assert pair("--read-only", "decay", "run", "--yes", "--now", DAY_TEN).code == 1
    assert pair("--read-only", "decay", "run", "--now", DAY_TEN).code == 0
    assert stores.snapshot() == before
    assert pair("stores", "read-only", FOUNDER, "--off").code == 0
    assert pair("decay", "run", "--yes", "--now", DAY_TEN).code == 0
    assert weekly_confidence(stores) == 40


def test_a_run_pulls_first(pair: Cli, stores: LifecycleStores) -> None:
    with Agent(stores.founder) as agent:
        agent.execute("UPDATE memories SET confidence = 80")
    assert pair("decay", "run", "--yes", "--now", DAY_TEN).err == ""
    assert weekly_confidence(stores) == 70


def test_settings_for_founder_os_and_half_lives(pair: Cli, stores: LifecycleStores, here: Path) -> None:
    settings = 'model = "off"\nfounder_os_decay = "daily"\n[half_lives]\nepisode = 1\n'
    (here.parent / "settings.toml").write_text(settings, "utf-8")
    preview = run_json(pair, "decay", "preview", "--now", DAY_TEN, "--store", FOUNDER)
    assert [memory["lifecycle"] for memory in preview["memories"]] == ["founder-os-daily"]
    assert any("daily" in note for note in preview["notes"])
    assert "daily" in pair("decay", "preview", "--now", DAY_TEN).err


# -- hostile texts and times


@pytest.fixture
def hostile_cli(bare: Cli, stores: LifecycleStores) -> Cli:
    """Runs commands on memories that are due, with every hostile text as content, key and title."""
    texts = {name: text for name, text in hostile.TEXTS.items() if name not in ("surrogates", "nul")}
    rows = [
        row(f"evil-{number}", 50, last=-35, content=text, category=text, company_id=text, key=text)
        for number, text in enumerate(texts.values())
    ]
    founder_os.make(stores.founder, rows, columns=founder_os.UNTYPED_COLUMNS)
    items = [item(n, text, 0.25, -81, title=text) for n, text in enumerate(texts.values(), 1)]
    make_minions(stores, *items)
    make_base_coat(
        stores, *(coat(text, last=-88, tier="l1", content=text) for text in texts.values()), relations=()
    )
    with stores.opened() as workspace:
        workspace.attach(stores.founder, FOUNDER)
        workspace.attach(stores.minions, MINIONS)
        workspace.attach(stores.coat, COAT)
    return bare


def test_hostile_texts_are_printed_safely(hostile_cli: Cli, stores: LifecycleStores) -> None:
    with Agent(stores.founder) as agent:
        commands = (
            ("decay", "preview", "--now", DAY_TEN, "--limit", "1000"),
            ("decay", "run", "--now", DAY_TEN),
            ("decay", "run", "--yes", "--now", DAY_TEN),
        )
        agent.execute("BEGIN EXCLUSIVE")  # so that some are skipped
        for words in commands:
            result = hostile_cli(*words)
            assert result.code == 0
            assert hostile.MARK in result.out + result.err
            assert hostile.unsafe_characters(result.out + result.err) == set(), words
    for words in commands:
        result = hostile_cli("--json", *words)
        strict_json(result)
        assert hostile.unsafe_characters(result.out + result.err) == set(), words


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
def cli_with_times(bare: Cli, stores: LifecycleStores, request: pytest.FixtureRequest) -> Iterator[Cli]:
    """Runs commands on stores with each of the times in every field that takes one."""
    rows: list[dict[str, Any]] = []
    items: list[dict[str, Any]] = []
    facts: list[dict[str, Any]] = []
    coats: list[dict[str, Any]] = []
    for index, time in enumerate(request.param):
        for name in ("created_at", "updated_at", "last_used_at", "expires_at"):
            rows.append(row("one", 50, last=-35, **{name: time}) | {"key": f"{name}{index}"})
        rows.append(
            row("one", 50, last=0, last_used_at=None, created_at=time, times_used=-5, key=f"n{index}")
        )
        items += [
            item(3 * index + 1, "used", 0.25, 0, lastAccessedAt=time),
            item(3 * index + 2, "ends", 0.25, -81, expiresAt=time),
            item(3 * index + 3, "old", 0.25, -81, lastReinforcedAt=time, createdAt=time),
        ]
        for name in ("valid_from", "valid_to"):
            facts.append(mem_skill.fact(f"f-{name}{index}", f"{name}{index}", "Fact.", **{name: str(time)}))
        for name in ("created_at", "last_accessed", "expires_at"):
            coats.append(coat(f"{name}{index}", last=-88, tier="l1", **{name: time}))
    rows = [each | {"id": f"{number:032x}"} for number, each in enumerate(rows)]
    founder_os.make(stores.founder, rows, columns=founder_os.UNTYPED_COLUMNS)
    make_minions(stores, *items)
    make_mem_skill(stores, *facts)
    make_base_coat(stores, *coats, relations=())
    with stores.opened() as workspace:
        for path in (stores.founder, stores.minions, stores.skill, stores.coat):
            workspace.attach(path)
    with warnings.catch_warnings(), np.errstate(divide="raise", invalid="raise", over="raise"):
        warnings.simplefilter("error")
        yield bare


RUN_TIMES = (DAY_TEN, "1970-01-01", "9999-12-31T23:59:59Z", "0001-01-01")


SINGLE_TIMES = [[time] for time in TIMES]


def _id(times: list[Any]) -> str:
    return "all at once" if len(times) > 1 else repr(times[0])


@pytest.mark.parametrize("cli_with_times", [TIMES, *(SINGLE_TIMES if FULL else ())], indirect=True, ids=_id)
def test_unusual_times_are_accepted(cli_with_times: Cli, stores: LifecycleStores) -> None:
    for now in RUN_TIMES:
        words = ("decay", "preview", "--now", now, "--days", "1826")
        assert cli_with_times(*words).code == 0, words
        run_json(cli_with_times, *words)
        assert cli_with_times("decay", "run", "--now", now).code == 0
    before = stores.snapshot()
    result = cli_with_times("--json", "decay", "run", "--yes", "--now", DAY_TEN)
    assert (result.code, strict_json(result)["skipped"]) == (0, [])
    assert cli_with_times("decay", "run", "--yes", "--now", DAY_TEN).out.startswith("Nothing is due")
    assert cli_with_times("undo").code == 0
    assert stores.snapshot() == before


@pytest.mark.parametrize(
    "now", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59Z", "0001-01-01"]
)
def test_extreme_times_are_accepted_or_refused(pair: Cli, stores: LifecycleStores, now: str) -> None:
    before = stores.snapshot()
    for words in (("preview", "--days", "1826"), ("run",), ("run", "--yes")):
        for json_option in ((), ("--json",)):
            result = pair(*json_option, "decay", *words, "--now", now)
            assert result.code in (0, 1, 2)
            assert "Unexpected error" not in result.out + result.err, (words, now)
            if json_option:
                strict_json(result)
    while pair("undo").code == 0:
        pass
    assert stores.snapshot() == before
