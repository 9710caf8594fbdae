"""search, saved, embed, stats: by words and meaning, and what is said where one is missing (S-30 … S-35)."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from memtui.embedding.base import ModelMissing
from memtui.embedding.hashed import HashEmbedder
from memtui.embedding.opening import opener
from memtui.text import is_clean
from memtui.workspace.search.recall import Caller
from memtui.workspace.search.retrieval import BOTH, MEANING
from memtui.workspace.workspace import Workspace
from tests.cli.conftest import fill
from tests.cli.test_reading import KEYS
from tests.support.command_line import FOUNDER, MCP, ROOT, Cli, program

WHY = {"score", "words", "matched", "place", "cosine", "recency", "filters"}
FACETS = {"store", "category", "status", "owner", "tag", "kind"}
NET = "Brightwater pays invoices net 30; reminders go to Ines in accounts."


@pytest.fixture
def read(cli: Cli, hashes: None) -> Cli:
    """The office with a vector for each memory."""
    assert cli("embed").code == 0
    return cli


# -- search


def test_words_and_meaning_answer_together(read: Cli) -> None:
    ran = read("search", "brightwater invoices")
    assert (ran.code, ran.err) == (0, "The last one is only related to the query.\n")
    assert [m["related"] for m in read.json("search", "brightwater invoices")][-2:] == [False, True]
    uid, store, category, status, label = ran.out.splitlines()[0].split("\t")
    assert (store, category, status, label) == (FOUNDER, "fact", "applied", NET)
    both = {m["content"] for m in read.json("search", "brightwater invoices")}
    assert "Wants invoices as PDF, never as a link" in both
    assert uid == read.json("search", "brightwater invoices")[0]["uid"]


def test_a_question_need_not_say_every_word_of_an_answer(read: Cli) -> None:
    question = "which reminders go to accounts for brightwater invoices nowadays"
    assert read.json("list", question) == []
    for by in ("both", "words", "meaning"):
        assert read.json("search", question, "--by", by)[0]["content"] == NET


def test_json_has_all_keys_and_why(read: Cli) -> None:
    found = read.json("search", "brightwater invoices category:fact")
    assert [set(memory) for memory in found] == [KEYS | {"related", "why"}] * len(found)
    why = found[0]["why"]
    assert set(why) == WHY
    assert (why["matched"], why["place"], why["filters"]) == (
        ["brightwater", "invoices"],
        1,
        ["category:fact"],
    )
    assert why["words"] == 1.0
    assert 0 < why["cosine"] <= 1
    assert why["score"] > why["cosine"] > why["recency"] > 0
    scores = [memory["why"]["score"] for memory in read.json("search", "ana brightwater warehouse")]
    assert len(scores) > 2
    assert scores == sorted(scores, reverse=True)
    (only,) = read.json("search", "is:pinned", "--limit", "1")
    assert only["why"] == {"score": 0.0, "words": 0.0, "matched": [], "place": None, "cosine": None,
                           "recency": 0.0, "filters": ["is:pinned"]}  # fmt: skip


def test_by_meaning_alone_the_nearest_stand_first(read: Cli) -> None:
    found = read.json("search", "warehouse shelves", "--by", "meaning", "--limit", "5")
    cosines = [memory["why"]["cosine"] for memory in found]
    assert len(cosines) == 5
    assert cosines == sorted(cosines, reverse=True)
    assert [memory["why"]["score"] for memory in found] == cosines
    assert read.json("search", "warehouse", "--by", "words")[0]["why"]["cosine"] is None


def test_explain_says_why_in_a_line_under_each(read: Cli) -> None:
    lines = read("search", "brightwater invoices category:fact", "--explain").out.splitlines()
    assert lines[0].endswith(NET)
    assert lines[1].startswith("    rank 1 by words (brightwater, invoices; 100%) · cosine 0.")
    assert lines[1].endswith("· category:fact")
    assert " · score " in lines[1]
    plain = read("search", "brightwater invoices category:fact").out.splitlines()
    assert lines[::2] == plain


def test_an_order_of_its_own_is_of_the_same_answers(read: Cli) -> None:
    query = ["search", "which warehouse has shelves", "--limit", "100"]
    best = [m["uid"] for m in read.json(*query)]
    oldest = read.json(*query, "--sort", "oldest")
    assert sorted(best) == sorted(m["uid"] for m in oldest)
    times = [m["updated_at"] or m["created_at"] for m in oldest if m["store"] == FOUNDER]
    assert times == sorted(times)
    assert [m["uid"] for m in read.json(*query, "--sort", "relevance")] == best


def test_a_limit_and_what_is_left(read: Cli) -> None:
    ran = read("search", "is:live", "--limit", "3")
    assert len(ran.out.splitlines()) == 3
    assert ran.err == "3 of 37; --limit N shows more.\n"
    assert len(read.json("search", "is:live")) == 20


def test_facets_are_counted_over_all_answers(read: Cli) -> None:
    told = read.json("search", "brightwater", "--facets", "--limit", "1")
    assert set(told) == {"results", "facets"}
    assert len(told["results"]) == 1
    assert set(told["facets"]) == FACETS
    every = read.json("search", "brightwater", "--limit", "1000")
    for name in ("store", "category", "status", "kind"):
        held = [memory[name] for memory in every if memory[name]]
        assert told["facets"][name] == {value: held.count(value) for value in held}
    tags = [tag for memory in every for tag in memory["tags"]]
    assert told["facets"]["tag"] == {tag: tags.count(tag) for tag in tags}
    assert (
        f"store\t{told['facets']['store'][FOUNDER]}\t{FOUNDER}"
        in read("search", "brightwater", "--facets").out
    )
    near = read.json("search", "brightwater", "--facets", "--by", "meaning", "--limit", "1000")
    assert sum(near["facets"]["status"].values()) == len(near["results"])
    only = read.json("search", "store:mcp*", "--facets")
    assert only["facets"]["store"] == {MCP: 14}


def test_hostile_text_is_shown_clean(read: Cli, opened: Workspace) -> None:
    bad = "walnut \x1b]0;owned\x07 [red]x[/] \u202egnp.exe \x1b[2J"
    opened.add({"content": bad, "category": "a\x1b[31m\u202eb", "tags": ("t\x1b[0m",)})
    read("embed")
    ran = read("search", "walnut", "--explain", "--facets")
    assert "walnut" in ran.out
    assert is_clean(ran.out + ran.err)
    assert read("search", "walnut", "--json").out.isascii()


# -- without a model


def test_without_a_model_words_answer_and_it_is_said(cli: Cli) -> None:
    off = "Searched by words alone: Searching by meaning is switched off (setting: model).\n"
    for by in ([], ["--by", "meaning"]):
        ran = cli("search", "which reminders go to accounts for brightwater invoices", *by)
        assert (ran.code, ran.err) == (0, off)
        assert ran.out.splitlines()[0].endswith(NET)
    assert cli("search", "brightwater", "--by", "words").err == ""
    assert cli("search", "category:fact").err == ""
    assert cli.json("search", "brightwater")[0]["why"]["cosine"] is None


def test_a_folder_that_is_no_model(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "settings.toml").write_text(f"model = {json.dumps(str(tmp_path / 'empty'))}\n", "utf-8")
    ran = cli("search", "brightwater invoices")
    assert (ran.code, ran.out.splitlines()[0].split("\t")[-1]) == (0, NET)
    assert ran.err.startswith(f"Searched by words alone: {tmp_path / 'empty'} holds no model: model.onnx")
    ran = cli("embed", "--json")
    assert (ran.code, ran.error["code"]) == (1, "no-model")
    assert ran.error["message"].startswith(f"{tmp_path / 'empty'} holds no model: model.onnx")
    assert ran.error["hint"]


def test_a_model_that_loads_no_more(read: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.embedding.opening.opener", lambda setting: missing)
    ran = read("search", "brightwater invoices")
    assert (ran.code, ran.out.splitlines()[0].split("\t")[-1]) == (0, NET)
    assert ran.err == "Searched by words alone: It went ␛[31maway. Fetch it.\n"
    assert read("search", "category:fact").err == ""


def missing() -> HashEmbedder:
    raise ModelMissing("It went \x1b[31maway.", "Fetch it.")


def test_the_few_that_wait_are_read_on_the_way(cli: Cli, hashes: None, opened: Workspace) -> None:
    cli("add", "Walnuts are in the shed.")
    assert cli("search", "walnuts", "--by", "words").err == ""
    assert opened.meaning().embedded == 0
    ran = cli("search", "which reminders go to accounts")
    assert (ran.code, ran.out.splitlines()[0].split("\t")[-1]) == (0, NET)
    assert "words alone" not in ran.err
    assert "\r" not in ran.err  # nobody watches
    assert (opened.meaning().embedded, opened.meaning().pending) == (38, 0)


def test_many_that_wait_are_left_to_embed(
    cli: Cli, hashes: None, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.cli.commands.stores.embed.FEW", 20)
    ran = cli("search", "brightwater invoices")
    assert ran.out.splitlines()[0].endswith(NET)
    assert ran.err == "Searched by words alone: no memory has a vector yet; memtui embed reads them.\n"
    assert opened.meaning().embedded == 0
    cli("embed")
    monkeypatch.setattr("memtui.cli.commands.stores.embed.FEW", 0)
    opened.add({"content": "Walnuts are in the shed."})
    ran = cli("search", "walnuts")
    assert ran.out.splitlines()[0].endswith("Walnuts are in the shed.")
    assert ran.err.startswith(
        "1 memory has no vector yet and can be found by words alone; memtui embed reads"
    )


def test_where_nothing_may_be_written_meaning_answers_all_the_same(read: Cli) -> None:
    ran = read("--read-only", "search", "which reminders go to accounts", "--by", "meaning")
    assert ran.code == 0
    assert "words alone" not in ran.err
    assert ran.out.splitlines()[0].endswith(NET)


def test_two_letters_are_words_alone(read: Cli) -> None:
    ran = read("search", "ux", "--explain")
    assert ran.err == ""
    assert [line.strip() for line in ran.out.splitlines()][1::2] == ["it matches"]


def test_a_query_or_a_kept_one(cli: Cli) -> None:
    for words in (["search"], ["search", "x", "--saved", "y"]):
        ran = cli("--json", *words)
        assert (ran.code, ran.error["message"]) == (2, "give a query or --saved NAME")


# -- embed


def test_embed_reads_what_waits(cli: Cli, hashes: None) -> None:
    ran = cli("embed")
    assert (ran.code, ran.out, ran.err) == (0, "37 memories were read by hashes.\n", "")
    assert cli("embed").out == "Nothing waits: 37 memories were read by hashes.\n"
    uid = cli.uid("net 30")
    cli("edit", uid, "--content", "Net 45.")
    told = cli.json("embed")
    assert told == {
        "model": "hashes",
        "read": 1,
        "vectors": 37,
        "waiting": 0,
        "stopped": False,
        "retries": [],
    }


def test_embed_without_a_model_is_refused(cli: Cli) -> None:
    ran = cli("embed")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("memtui: Searching by meaning is switched off (setting: model).\nSet model in")
    assert cli("embed", "--json").error["code"] == "no-model"


def test_embed_where_nothing_may_be_written(cli: Cli, hashes: None) -> None:
    ran = cli("embed", "--read-only", "--json")
    assert (ran.code, ran.error["code"]) == (1, "read-only")


def test_a_model_that_fails_to_load(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.embedding.opening.opener", lambda setting: missing)
    ran = cli("embed")
    assert ran.code == 1
    assert "It went" in ran.err
    assert "Fetch it." in ran.err
    assert is_clean(ran.err)


def test_a_text_that_fails_is_told_and_waits(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    class Choosy(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> list[bytes]:
            if any("Swiss" in text for text in texts):
                raise ValueError("no \x1b[2J francs")
            return super().embed(texts)

    monkeypatch.setattr("memtui.embedding.opening.opener", lambda setting: Choosy)
    ran = cli("embed")
    assert (ran.code, ran.out) == (0, "36 memories were read by hashes.\n")
    assert ran.err.startswith("Not read: 1 memory, tried again after 20")
    assert "francs" in ran.err
    assert is_clean(ran.err)
    (retry,) = cli.json("embed")["retries"]
    assert retry["count"] == 1
    assert retry["due"].endswith("Z")
    assert cli.json("stats")["meaning"]["waiting"] == 1


def test_a_model_that_fails_on_every_text(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> list[bytes]:
            raise ValueError("no tokens")

    monkeypatch.setattr("memtui.embedding.opening.opener", lambda setting: Broken)
    ran = cli("embed", "--json")
    assert (ran.code, ran.error["code"]) == (1, "model")
    assert ran.error["message"] == "The model fails: ValueError('no tokens')."
    ran = cli("search", "brightwater invoices")
    assert (ran.code, ran.out.splitlines()[0].split("\t")[-1]) == (0, NET)
    assert ran.err.startswith("Searched by words alone: ")


_SLOW = """
import sys, time
from memtui import cli
from memtui.embedding.hashed import HashEmbedder
class Slow(HashEmbedder):
    def embed(self, texts):
        sys.stderr.write("batch\\n"); sys.stderr.flush(); time.sleep(0.3)
        return super().embed(texts)
from memtui.embedding import opening
opening.opener = lambda setting: Slow
sys.exit(cli.run(sys.argv[1:]))
"""


def test_ctrl_c_stops_between_two_batches(
    demo_database: Path, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    fill(demo_database, [f"number {number}" for number in range(40)])
    child = subprocess.Popen(
        [sys.executable, "-c", _SLOW, "embed"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stderr is not None
    assert child.stderr.readline() == "batch\n"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert out.startswith("Stopped. 16 memories were read, 61 wait;")
    assert "Traceback" not in err
    assert opened.meaning().embedded == 16


# -- saved


def test_a_kept_search(read: Cli) -> None:
    told = read.json("saved", "add", "bills", "brightwater", "-signal", "--sort", "oldest")
    assert set(told) == {"name", "query", "sort", "at"}
    assert (told["name"], told["query"], told["sort"]) == ("bills", "brightwater -signal", "oldest")
    assert read.json("saved") == read.json("saved", "list") == [told]

    def found(*words: str) -> list[str]:
        return [memory["uid"] for memory in read.json("search", *words)]

    assert found("--saved", "bills") == found("brightwater", "-signal", "--sort", "oldest")
    assert found("--saved", "bills", "--sort", "relevance") == found("brightwater", "-signal")
    assert read("saved").out == "bills\toldest\tbrightwater -signal\n"
    assert read("saved", "forget", "bills").out == "Forgot bills. No memory was changed.\n"
    assert read("saved").err.startswith("No search is kept yet.")


def test_a_kept_search_that_is_none(cli: Cli) -> None:
    for words in (["search", "--saved", "none"], ["saved", "forget", "none"]):
        ran = cli(*words, "--json")
        assert (ran.code, ran.error["code"]) == (1, "no-search")
        assert is_clean(cli(*words[:-1], "\x1b[2J\u202e").err)
    for name in ("", "x" * 80, "a\x1b[2J"):
        ran = cli("saved", "add", "--json", "--", name, "tea")
        assert (ran.code, ran.error["code"]) == (1, "name")
    assert cli("saved", "add", "one").code == 2


# -- stats


def test_stats_say_how_meaning_stands(cli: Cli, hashes: None) -> None:
    assert cli.json("stats")["meaning"] == {"model": "", "vectors": 0, "waiting": 37, "why": ""}
    cli("embed")
    assert cli.json("stats")["meaning"] == {"model": "hashes", "vectors": 37, "waiting": 0, "why": ""}
    rows = [line.split("\t") for line in cli("stats").out.splitlines()]
    assert ["vectors", "hashes", "37"] in rows


def test_stats_say_that_meaning_is_off(cli: Cli) -> None:
    assert cli.json("stats")["meaning"]["why"] == "Searching by meaning is switched off (setting: model)."


# -- as a program


def test_with_the_real_model_other_words_find_it(
    real_model: None, cli: Cli, demo_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    told = cli("embed")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("37 memories were read by ")
    ran = program("search", "how do our clients settle their bills", "--explain")
    assert ran.returncode == 0
    assert ran.stderr.decode().endswith(" only related to the query.\n")
    assert NET in ran.stdout.decode().splitlines()[0]
    assert b"cosine 0." in ran.stdout
    with closing(Workspace.open(demo_database, opener=opener(""))) as workspace:
        assert workspace.load_model()
        for nonsense in ("zzzqqq", "фывапролдж", "kjsd xq", "걕짬탱", "q7z2k9x", "…", "?"):
            for by in (BOTH, MEANING):
                hits = workspace.fused(nonsense, [], by=by)
                assert hits is None or not hits.ids, nonsense
            assert not workspace.recall(nonsense, Caller(), statuses=()).memories, nonsense
