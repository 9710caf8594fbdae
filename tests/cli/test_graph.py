"""graph, clusters, edit-relation and unrelate by name (S-82)."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command_line import Cli
from tests.support.stores import graphs
from tests.support.stores.mcp_memory import entity, relation

OBJECTS = [
    entity("Ana", "likes tea", "lives in Rome"),
    entity("Bo", "likes ink"),
    entity("alone", "knows nobody"),
    relation("Ana", "knows", "Bo"),
    relation("Ana", "misses", "Nobody"),
    relation("Ghost", "haunts", "Ana"),
]


def attach_graph(cli: Cli, folder: Path) -> Path:
    path = graphs.write_graph(folder, OBJECTS)
    assert cli("stores", "attach", str(path)).code == 0
    return path


def uid(cli: Cli, words: str) -> str:
    (found,) = json.loads(cli("list", words, "--json").out)
    return str(found["uid"])


def test_graph_lists_both_directions_and_dangling_relations(bare: Cli, tmp_path: Path) -> None:
    attach_graph(bare, tmp_path)
    result = json.loads(bare("graph", uid(bare, "tea"), "--json").out)
    assert (result["centre"]["label"], result["centre"]["memories"], result["total"]) == ("Ana", 2, 3)
    edges = {(e["kind"], e["out"], e["node"]["label"], e["node"]["uid"] is None) for e in result["edges"]}
    assert edges == {
        ("knows", True, "Bo", False),
        ("misses", True, "Nobody", True),
        ("haunts", False, "Ghost", True),
    }
    assert {e["origin"] for e in result["edges"]} == {"store"}
    back = json.loads(bare("graph", uid(bare, "ink"), "--json").out)
    assert [(e["kind"], e["out"], e["node"]["label"]) for e in back["edges"]] == [("knows", False, "Ana")]
    text = bare("graph", uid(bare, "tea"), "--hops", "2").out
    assert "Ana (2 memories)" in text
    assert "->\tknows\t\tstore" in text
    assert "memtui relate" in bare("graph", uid(bare, "nobody")).err


def test_clusters_count_connected_memories(bare: Cli, tmp_path: Path) -> None:
    attach_graph(bare, tmp_path)
    result = json.loads(bare("clusters", "--json").out)
    assert (result["nodes"], result["alone"], result["outside"]) == (3, 1, 2)
    (cluster,) = result["clusters"]
    assert (cluster["nodes"], cluster["relations"]) == (2, 1)
    assert cluster["hubs"][0]["label"] == "Ana"
    assert json.loads(bare("clusters", "tea", "--json").out)["nodes"] == 1
    assert bare("clusters", "status:wrong").code == 1
    assert "Ana (1), Bo (1)" in bare("clusters").out


def test_edit_relation_rewrites_the_line_and_undo_restores_the_bytes(bare: Cli, tmp_path: Path) -> None:
    path = attach_graph(bare, tmp_path)
    before = path.read_bytes()
    ana, bo = uid(bare, "tea"), uid(bare, "ink")
    change = json.loads(bare("edit-relation", ana, "knows", bo, "--to", "married", "--json").out)
    assert change["kind"] == "retied"
    assert " → " in change["summary"]
    assert b'"from":"Ana","to":"Bo","relationType":"married"' in path.read_bytes()
    assert bare("undo").code == 0
    assert path.read_bytes() == before
    assert bare("edit-relation", ana, "knows", bo, "--reverse").code == 0
    assert b'"from":"Bo","to":"Ana","relationType":"knows"' in path.read_bytes()
    assert bare("undo").code == 0
    assert "kept in memtui" in bare("edit-relation", ana, "knows", bo, "--strength", "0.5").out
    assert "0.5" in bare("graph", ana).out
    result = json.loads(bare("graph", ana, "--json").out)["edges"]
    assert [each["beside"] for each in result if each["kind"] == "knows"] == [["strength"]]
    assert json.loads(bare("show", ana, "--json").out)["relations"][0]["strength"] == 0.5
    assert bare("undo").code == 0
    assert bare("edit-relation", ana, "hates", bo, "--to", "likes").code == 1
    assert bare("retie", ana, "knows", bo, "--to", "likes").code == 0  # its former name
    assert bare("undo").code == 0
    assert path.read_bytes() == before


def test_dangling_relations_are_removed_by_name(bare: Cli, tmp_path: Path) -> None:
    path = attach_graph(bare, tmp_path)
    before = path.read_bytes()
    ana = uid(bare, "tea")
    assert bare("unrelate", ana, "misses", "Nobody", "--name").code == 0
    assert bare("unrelate", ana, "haunts", "Ghost", "--name", "--backwards").code == 0
    assert b"Nobody" not in path.read_bytes()
    assert b"Ghost" not in path.read_bytes()
    assert bare("unrelate", ana, "misses", "Nobody", "--name").code == 1
    assert bare("undo").code == bare("undo").code == 0
    assert path.read_bytes() == before
