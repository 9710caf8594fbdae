"""The page of a report: nothing in it acts, whatever memories say, and it shows what the workspace says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.export.inert_text import decoded
from memtui.export.report import wording
from memtui.export.report.markup import NAME
from memtui.export.report.page import page
from memtui.workspace.workspace import Workspace
from tests.support.hostile import texts as hostile
from tests.support.hostile.texts import NOW, TEXTS, unsafe_characters
from tests.support.html_page import Element, parse

BREAKING = {
    "script": "</title></style></bdi><script>alert(1)</script>",
    "attribute": '"\'><img src=x onerror=alert(1)> \' onclick="x" style="background:url(//x.example)"',
    "entity": "&lt;b&gt; &#60;i&#62; &amp;amp; &#x202e;",
    "comment": "<!-- <![CDATA[ ]]> --><?xml ?><!DOCTYPE x>",
    "escape": "a literal \\u202e and C:\\dir\\\\",
}
ELEMENTS = set(
    "html head meta title style body header h1 h2 h3 p section nav a main dl div dt dd table thead tbody tr "
    "th td span bdi em strong figure figcaption svg g line text rect path circle polygon details summary "
    "blockquote".split()
)
TOKEN = "ghp_" + "a1B2c3D4" * 5
JOINER = "\u200c"  # some scripts need it


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(tmp_path / "w.db", clock=lambda: NOW)
    yield workspace
    workspace.close()


def read(workspace: Workspace, query: str = "") -> tuple[str, Element]:
    ids = workspace.search(query, live=False).ids if query else None
    text = page(workspace.report(ids), query)
    return text, parse(text)


def assert_inert(text: str, root: Element) -> None:
    """Nothing in the page is run, loaded or obeyed."""
    assert unsafe_characters(text) - {JOINER} == set()
    for each in root.everything()[1:]:
        assert each.name in ELEMENTS
        for name, value in each.attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "srcset", "xlink:href", "action", "srcdoc")
            assert name != "href" or re.fullmatch(r"#[a-z]+", value)
            assert name != "style" or re.fullmatch(r"width:[\d.]+%", value)
            assert "://" not in value
    style = root.one("style").text
    assert "url(" not in style
    assert "@import" not in style
    policy = root.one("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")


def test_hostile_texts_are_inert_in_every_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostile, "LONG", "long " + "x" * 50_000)
    workspace = Workspace.open(hostile.make_workspace(tmp_path), clock=lambda: NOW)
    workspace.scan()
    text, root = read(workspace)
    assert_inert(text, root)
    assert page(workspace.report()) == text, "the same memories at the same moment give the same bytes"
    read_back = decoded(root.one("body").text)
    missing = [name for name, each in TEXTS.items() if len(each) < NAME and each not in read_back]
    assert missing == ["surrogates"], "no store can hold those"
    workspace.close()


def test_markup_is_shown_as_it_is_written(workspace: Workspace) -> None:
    for number, text in enumerate(BREAKING.values()):
        fields = dict.fromkeys(("category", "subject", "title"), text)
        workspace.add(fields | {"content": f"The limit is {number} euros. {text}"})
        workspace.add({"content": f"The limit is {number}5 euros. {text}"})
    first, *others = workspace.search("", live=False).ids
    workspace.relate(first, "<b>rests</b> on", others[0])
    workspace.scan()
    text, root = read(workspace)
    assert_inert(text, root)
    shown = decoded(root.one("body").text)
    for each in BREAKING.values():
        assert shown.count(each) >= 4
    assert "<b>rests</b> on" in shown
    query = '"<script>" or "</p>"'
    narrowed = parse(page(workspace.report([]), query))
    assert query in narrowed.one("p", **{"class": "query"}).text


def test_a_secret_is_never_shown(workspace: Workspace) -> None:
    long = "words " * 200
    workspace.add({"content": f"{long} {TOKEN}", "title": "the deploy key"})
    workspace.add({"content": f"{long} {TOKEN}", "subject": "Robin"})
    workspace.add({"content": "The badge is blue.", "title": f"key {TOKEN}"})
    workspace.add({"content": "The badge is red.", "category": TOKEN, "subject": TOKEN, "tags": (TOKEN,)})
    one, two, *_ = workspace.search("", live=False).ids
    workspace.relate(one, TOKEN, two)
    workspace.scan()
    assert workspace.pairs(), "the pair quotes both"
    text, root = read(workspace)
    assert TOKEN[:12] not in text
    assert "deploy" not in text, "no part of a memory that holds a secret"
    assert len(root.one("section", id="newest").all("em")) == 5, "four memories and a category"
    assert wording.NO_REASON in root.one("section", id="pairs").text
    assert TOKEN not in page(workspace.report([one]), f"{TOKEN}")


def test_an_empty_workspace_and_a_query_without_matches_say_what_to_do(workspace: Workspace) -> None:
    text, root = read(workspace)
    assert_inert(text, root)
    assert wording.EMPTY in root.one("body").text
    assert "memtui stores discover" in root.one("body").text
    workspace.add({"content": "Larch is cut to 20 millimetres."})
    _, root = read(workspace, "zebra")
    assert wording.NO_MATCH in root.one("body").text
    assert "zebra: 0 memories" in root.one("body").text


def test_lists_are_cut_and_say_so(workspace: Workspace) -> None:
    for number in range(40):
        workspace.add(
            {"content": f"Note {number} on oak. " * 80, "category": f"c{number:02}", "title": f"n{number}"}
        )
    text, root = read(workspace)
    assert "Showing the first 25 of 40." in root.one("section", id="contents").text
    assert "Showing the first 15 of 40." in root.one("section", id="newest").text
    assert len(root.one("section", id="newest").one("tbody").inner) == 15
    assert len(text) < 100_000
