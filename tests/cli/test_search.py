"""search, saved, embed and stats: by words and meaning, with and without a model (S-30 … S-35)."""

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
from memtui.embedding.factory import opener
from memtui.embedding.hashed import HashEmbedder
from memtui.text import is_clean
from memtui.workspace.search.recall import Caller
from memtui.workspace.search.retrieval import BOTH, MEANING
from memtui.workspace.workspace import Workspace
from tests.cli.conftest import insert_memories
from tests.cli.test_list_and_show import KEYS
from tests.support.command_line import FOUNDER, MCP, ROOT, Cli, run_program

WHY_KEYS = {"score", "words", "matched", "place", "cosine", "recency", "filters"}
FACET_KEYS = {"store", "category", "status", "owner", "tag", "kind"}
NET = "Brightwater pays invoices net 30; reminders go to Ines in accounts."


@pytest.fixture
def embedded_cli(cli: Cli, hashes: None) -> Cli:
    """Runs commands on the demo with a vector for each memory."""
    assert cli("embed").code == 0
    return cli


# -- search


def test_words_and_meaning_are_combined(embedded_cli: Cli) -> None:
    result = embedded_cli("search", "brightwater invoices")
    assert (result.code, result.err) == (0, "The last result is only related to the query.\n")
    assert [m["related"] for m in embedded_cli.json("search", "brightwater invoices")][-2:] == [False, True]
    uid, store, category, status, label = result.out.splitlines()[0].split("\t")
    assert (store, category, status, label) == (FOUNDER, "fact", "applied", NET)
    both = {m["content"] for m in embedded_cli.json("search", "brightwater invoices")}
    assert "Wants invoices as PDF, never as a link" in both
    assert uid == embedded_cli.json("search", "brightwater invoices")[0]["uid"]


def test_an_answer_need_not_contain_every_word(embedded_cli: Cli) -> None:
    question = "which reminders go to accounts for brightwater invoices nowadays"
    assert embedded_cli.json("list", question) == []
    for by in ("both", "words", "meaning"):
        assert embedded_cli.json("search", question, "--by", by)[0]["content"] == NET


def test_json_has_all_keys_and_the_match_reason(embedded_cli: Cli) -> None:
    found = embedded_cli.json("search", "brightwater invoices category:fact")
    assert [set(memory) for memory in found] == [KEYS | {"related", "why"}] * len(found)
    why = found[0]["why"]
    assert set(why) == WHY_KEYS
    assert (why["matched"], why["place"], why["filters"]) == (
        ["brightwater", "invoices"],
        1,
        ["category:fact"],
    )
    assert why["words"] == 1.0
    assert 0 < why["cosine"] <= 1
    assert why["score"] > why["cosine"] > why["recency"] > 0
    scores = [memory["why"]["score"] for memory in embedded_cli.json("search", "ana brightwater warehouse")]
    assert len(scores) > 2
    assert scores == sorted(scores, reverse=True)
    (only,) = embedded_cli.json("search", "is:pinned", "--limit", "1")
    assert only["why"] == {"score": 0.0, "words": 0.0, "matched": [], "place": None, "cosine": None,
                           "recency": 0.0, "filters": ["is:pinned"]}  # fmt: skip


def test_by_meaning_the_nearest_come_first(embedded_cli: Cli) -> None:
    found = embedded_cli.json("search", "warehouse shelves", "--by", "meaning", "--limit", "5")
    cosines = [memory["why"]["cosine"] for memory in found]
    assert len(cosines) == 5
    assert cosines == sorted(cosines, reverse=True)
    assert [memory["why"]["score"] for memory in found] == cosines
    for text in ("text", "words"):  # its former name
        assert embedded_cli.json("search", "warehouse", "--by", text)[0]["why"]["cosine"] is None


def test_explain_prints_the_reason_below_each_memory(embedded_cli: Cli) -> None:
    lines = embedded_cli("search", "brightwater invoices category:fact", "--explain").out.splitlines()
    assert lines[0].endswith(NET)
    assert lines[1].startswith("    rank 1 by text (brightwater, invoices; 100%) · cosine 0.")
    assert lines[1].endswith("· category:fact")
    assert " · score " in lines[1]
    plain = embedded_cli("search", "brightwater invoices category:fact").out.splitlines()
    assert lines[::2] == plain


def test_a_sort_order_keeps_the_same_answers(embedded_cli: Cli) -> None:
    query = ["search", "which warehouse has shelves", "--limit", "100"]
    best = [m["uid"] for m in embedded_cli.json(*query)]
    oldest = embedded_cli.json(*query, "--sort", "oldest")
    assert sorted(best) == sorted(m["uid"] for m in oldest)
    times = [m["updated_at"] or m["created_at"] for m in oldest if m["store"] == FOUNDER]
    assert times == sorted(times)
    assert [m["uid"] for m in embedded_cli.json(*query, "--sort", "relevance")] == best


def test_a_limit_reports_how_many_there_are(embedded_cli: Cli) -> None:
    result = embedded_cli("search", "is:live", "--limit", "3")
    assert len(result.out.splitlines()) == 3
    assert result.err == "Showing 3 of 37; --limit N shows more.\n"
    assert len(embedded_cli.json("search", "is:live")) == 20


def test_facets_count_all_answers(embedded_cli: Cli) -> None:
    result = embedded_cli.json("search", "brightwater", "--facets", "--limit", "1")
    assert set(result) == {"results", "facets"}
    assert len(result["results"]) == 1
    assert set(result["facets"]) == FACET_KEYS
    all_found = embedded_cli.json("search", "brightwater", "--limit", "1000")
    for name in ("store", "category", "status", "kind"):
        values = [memory[name] for memory in all_found if memory[name]]
        assert result["facets"][name] == {value: values.count(value) for value in values}
    tags = [tag for memory in all_found for tag in memory["tags"]]
    assert result["facets"]["tag"] == {tag: tags.count(tag) for tag in tags}
    assert (
        f"store\t{result['facets']['store'][FOUNDER]}\t{FOUNDER}"
        in embedded_cli("search", "brightwater", "--facets").out
    )
    by_meaning = embedded_cli.json("search", "brightwater", "--facets", "--by", "meaning", "--limit", "1000")
    assert sum(by_meaning["facets"]["status"].values()) == len(by_meaning["results"])
    in_mcp = embedded_cli.json("search", "store:mcp*", "--facets")
    assert in_mcp["facets"]["store"] == {MCP: 14}


def test_hostile_text_is_printed_safely(embedded_cli: Cli, opened: Workspace) -> None:
    hostile = "walnut \x1b]0;owned\x07 [red]x[/] \u202egnp.exe \x1b[2J"
    opened.add({"content": hostile, "category": "a\x1b[31m\u202eb", "tags": ("t\x1b[0m",)})
    embedded_cli("embed")
    result = embedded_cli("search", "walnut", "--explain", "--facets")
    assert "walnut" in result.out
    assert is_clean(result.out + result.err)
    assert embedded_cli("search", "walnut", "--json").out.isascii()


# -- without a model


def test_without_a_model_search_falls_back_to_words(cli: Cli) -> None:
    off = "Text search only: Semantic search is off (setting: model).\n"
    for by in ([], ["--by", "meaning"]):
        result = cli("search", "which reminders go to accounts for brightwater invoices", *by)
        assert (result.code, result.err) == (0, off)
        assert result.out.splitlines()[0].endswith(NET)
    assert cli("search", "brightwater", "--by", "text").err == ""
    assert cli("search", "category:fact").err == ""
    assert cli.json("search", "brightwater")[0]["why"]["cosine"] is None


def test_a_folder_without_a_model(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "settings.toml").write_text(f"model = {json.dumps(str(tmp_path / 'empty'))}\n", "utf-8")
    result = cli("search", "brightwater invoices")
    assert (result.code, result.out.splitlines()[0].split("\t")[-1]) == (0, NET)
    assert result.err.startswith(f"Text search only: No model in {tmp_path / 'empty'}: model.onnx")
    result = cli("embed", "--json")
    assert (result.code, result.error["code"]) == (1, "no-model")
    assert result.error["message"].startswith(f"No model in {tmp_path / 'empty'}: model.onnx")
    assert result.error["hint"]


def test_search_with_a_model_that_fails_to_load(embedded_cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.embedding.factory.opener", lambda setting: failing_opener)
    result = embedded_cli("search", "brightwater invoices")
    assert (result.code, result.out.splitlines()[0].split("\t")[-1]) == (0, NET)
    assert result.err == "Text search only: It went ␛[31maway. Fetch it.\n"
    assert embedded_cli("search", "category:fact").err == ""


def failing_opener() -> HashEmbedder:
    raise ModelMissing("It went \x1b[31maway.", "Fetch it.")


def test_search_embeds_a_short_queue_first(cli: Cli, hashes: None, opened: Workspace) -> None:
    cli("add", "Walnuts are in the shed.")
    assert cli("search", "walnuts", "--by", "text").err == ""
    assert opened.embedding_state().embedded == 0
    result = cli("search", "which reminders go to accounts")
    assert (result.code, result.out.splitlines()[0].split("\t")[-1]) == (0, NET)
    assert "words alone" not in result.err
    assert "\r" not in result.err  # no progress line: stderr is no terminal
    assert (opened.embedding_state().embedded, opened.embedding_state().pending) == (38, 0)


def test_search_leaves_a_long_queue_to_embed(
    cli: Cli, hashes: None, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.cli.commands.stores.embed.FEW", 20)
    result = cli("search", "brightwater invoices")
    assert result.out.splitlines()[0].endswith(NET)
    assert (
        result.err
        == "Text search only: no memory is indexed for semantic search yet. To index: memtui embed\n"
    )
    assert opened.embedding_state().embedded == 0
    cli("embed")
    monkeypatch.setattr("memtui.cli.commands.stores.embed.FEW", 0)
    opened.add({"content": "Walnuts are in the shed."})
    result = cli("search", "walnuts")
    assert result.out.splitlines()[0].endswith("Walnuts are in the shed.")
    assert result.err.startswith(
        "1 memory is not indexed for semantic search yet (text search only). To index: memtui embed"
    )


def test_read_only_search_uses_meaning(embedded_cli: Cli) -> None:
    result = embedded_cli("--read-only", "search", "which reminders go to accounts", "--by", "meaning")
    assert result.code == 0
    assert "words alone" not in result.err
    assert result.out.splitlines()[0].endswith(NET)


def test_very_short_queries_use_words_only(embedded_cli: Cli) -> None:
    result = embedded_cli("search", "ux", "--explain")
    assert result.err == ""
    assert [line.strip() for line in result.out.splitlines()][1::2] == ["matches the filters"]


def test_search_takes_either_a_query_or_a_saved_search(cli: Cli) -> None:
    for words in (["search"], ["search", "x", "--saved", "y"]):
        result = cli("--json", *words)
        assert (result.code, result.error["message"]) == (2, "specify a query or --saved NAME")


# -- embed


def test_embed_works_off_the_queue(cli: Cli, hashes: None) -> None:
    result = cli("embed")
    assert (result.code, result.out, result.err) == (0, "Indexed 37 memories with hashes.\n", "")
    assert cli("embed").out == "Already up to date: 37 memories indexed with hashes.\n"
    uid = cli.uid("net 30")
    cli("edit", uid, "--content", "Net 45.")
    report = cli.json("embed")
    assert report == {
        "model": "hashes",
        "read": 1,
        "vectors": 37,
        "waiting": 0,
        "stopped": False,
        "retries": [],
    }


def test_embed_without_a_model_is_refused(cli: Cli) -> None:
    result = cli("embed")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("memtui: Semantic search is off (setting: model).\nSet model in")
    assert cli("embed", "--json").error["code"] == "no-model"


def test_embed_is_refused_in_read_only_mode(cli: Cli, hashes: None) -> None:
    result = cli("embed", "--read-only", "--json")
    assert (result.code, result.error["code"]) == (1, "read-only")


def test_embed_with_a_model_that_fails_to_load(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.embedding.factory.opener", lambda setting: failing_opener)
    result = cli("embed")
    assert result.code == 1
    assert "It went" in result.err
    assert "Fetch it." in result.err
    assert is_clean(result.err)


def test_a_text_that_fails_is_reported_and_retried(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    class Selective(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> list[bytes]:
            if any("Swiss" in text for text in texts):
                raise ValueError("no \x1b[2J francs")
            return super().embed(texts)

    monkeypatch.setattr("memtui.embedding.factory.opener", lambda setting: Selective)
    result = cli("embed")
    assert (result.code, result.out) == (0, "Indexed 36 memories with hashes.\n")
    assert result.err.startswith("Not indexed: 1 memory (next try after 20")
    assert "francs" in result.err
    assert is_clean(result.err)
    (retry,) = cli.json("embed")["retries"]
    assert retry["count"] == 1
    assert retry["due"].endswith("Z")
    assert cli.json("stats")["meaning"]["waiting"] == 1


def test_a_model_that_fails_on_every_text(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> list[bytes]:
            raise ValueError("no tokens")

    monkeypatch.setattr("memtui.embedding.factory.opener", lambda setting: Broken)
    result = cli("embed", "--json")
    assert (result.code, result.error["code"]) == (1, "model")
    assert result.error["message"] == "The model failed: ValueError('no tokens')."
    result = cli("search", "brightwater invoices")
    assert (result.code, result.out.splitlines()[0].split("\t")[-1]) == (0, NET)
    assert result.err.startswith("Text search only: ")


_SLOW = """
import sys, time
from memtui import cli
from memtui.embedding.hashed import HashEmbedder
class Slow(HashEmbedder):
    def embed(self, texts):
        sys.stderr.write("batch\\n"); sys.stderr.flush(); time.sleep(0.3)
        return super().embed(texts)
from memtui.embedding import factory
factory.opener = lambda setting: Slow
sys.exit(cli.run(sys.argv[1:]))
"""


def test_an_interrupt_stops_embedding_between_batches(
    demo_database: Path, opened: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    insert_memories(demo_database, [f"number {number}" for number in range(40)])
    child = subprocess.Popen(
        [sys.executable, "-c", _SLOW, "embed"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stderr is not None
    assert child.stderr.readline() == "batch\n"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert out.startswith("Stopped. Indexed 16 memories, 61 left.")
    assert "Traceback" not in err
    assert opened.embedding_state().embedded == 16


# -- saved


def test_saved_searches(embedded_cli: Cli) -> None:
    saved = embedded_cli.json("saved", "add", "bills", "brightwater", "-signal", "--sort", "oldest")
    assert set(saved) == {"name", "query", "sort", "at"}
    assert (saved["name"], saved["query"], saved["sort"]) == ("bills", "brightwater -signal", "oldest")
    assert embedded_cli.json("saved") == embedded_cli.json("saved", "list") == [saved]

    def found(*words: str) -> list[str]:
        return [memory["uid"] for memory in embedded_cli.json("search", *words)]

    assert found("--saved", "bills") == found("brightwater", "-signal", "--sort", "oldest")
    assert found("--saved", "bills", "--sort", "relevance") == found("brightwater", "-signal")
    assert embedded_cli("saved").out == "bills\toldest\tbrightwater -signal\n"
    assert (
        embedded_cli("saved", "forget", "bills").out
        == "Deleted saved search bills. No memories were changed.\n"
    )
    assert embedded_cli("saved").err.startswith("No saved searches yet.")


def test_unknown_and_invalid_saved_searches(cli: Cli) -> None:
    for words in (["search", "--saved", "none"], ["saved", "forget", "none"]):
        result = cli(*words, "--json")
        assert (result.code, result.error["code"]) == (1, "no-search")
        assert is_clean(cli(*words[:-1], "\x1b[2J\u202e").err)
    for name in ("", "x" * 80, "a\x1b[2J"):
        result = cli("saved", "add", "--json", "--", name, "tea")
        assert (result.code, result.error["code"]) == (1, "name")
    assert cli("saved", "add", "one").code == 2


# -- stats


def test_stats_report_the_embedding_state(cli: Cli, hashes: None) -> None:
    assert cli.json("stats")["meaning"] == {"model": "", "vectors": 0, "waiting": 37, "why": ""}
    cli("embed")
    assert cli.json("stats")["meaning"] == {"model": "hashes", "vectors": 37, "waiting": 0, "why": ""}
    rows = [line.split("\t") for line in cli("stats").out.splitlines()]
    assert ["vectors", "hashes", "37"] in rows


def test_stats_report_that_meaning_is_off(cli: Cli) -> None:
    assert cli.json("stats")["meaning"]["why"] == "Semantic search is off (setting: model)."


# -- as a program


def test_the_bundled_model_finds_other_words_for_the_same(
    real_model: None, cli: Cli, demo_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    embedded = cli("embed")
    assert (embedded.code, embedded.err) == (0, "")
    assert embedded.out.startswith("Indexed 37 memories with ")
    result = run_program("search", "how do our clients settle their bills", "--explain")
    assert result.returncode == 0
    assert result.stderr.decode().endswith(" only related to the query.\n")
    assert NET in result.stdout.decode().splitlines()[0]
    assert b"cosine 0." in result.stdout
    with closing(Workspace.open(demo_database, opener=opener(""))) as workspace:
        assert workspace.load_model()
        for nonsense in ("zzzqqq", "фывапролдж", "kjsd xq", "걕짬탱", "q7z2k9x", "…", "?"):
            for by in (BOTH, MEANING):
                hits = workspace.fused(nonsense, [], by=by)
                assert hits is None or not hits.ids, nonsense
            assert not workspace.recall(nonsense, Caller(), statuses=()).memories, nonsense
