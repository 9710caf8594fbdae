"""CORE.md as a session is given it, and what is not in it (S-72)."""

from __future__ import annotations

import pytest

from memtui.formats.cognitive import Cognitive
from memtui.formats.cognitive.derived import rebuild
from memtui.formats.cognitive.derived.core import BUDGET, MAX_MEMORIES
from memtui.formats.cognitive.paths import CORE
from tests.support.stores.cognitive import REDIS, memory

NOW = 1_767_312_000.0  # 2026-01-02T00:00:00Z


def tree(count: int, title: str = "Title {}", type: str = "solution") -> dict[str, bytes]:
    folder = "procedures" if type == "procedure" else f"{type}s"
    return {
        f"graph/{folder}/m{n:03}-{n:06x}.md": memory(
            f"{n:06x}00-0000-4000-8000-000000000000", title=title.format(n), type=type
        ).encode()
        for n in range(count)
    }


def codes(store: Cognitive, files: dict[str, bytes], now: float = NOW) -> dict[str, int]:
    view = store.session_view(files, now)
    assert view is not None
    return {each.code: len(each.refs) for each in view.cut}


def test_the_file_on_disk_is_the_text_and_its_links_are_memories(store: Cognitive) -> None:
    files = dict(store.load()[0])
    files[CORE] = rebuild.core_file(files, NOW)
    view = store.session_view(files, NOW)
    assert view.text.encode() == files[CORE]
    assert not view.stale
    shown = {each.ref: view.text[each.start : each.end] for each in view.passages}
    assert shown[REDIS].startswith("- [Fixed Redis connection timeouts](graph/solutions/")
    assert {"no-section"} <= codes(store, files).keys()


@pytest.mark.parametrize(
    ("count", "title", "shown", "reason"),
    [
        (MAX_MEMORIES, "Title {}", MAX_MEMORIES, {}),
        (MAX_MEMORIES + 1, "Title {}", MAX_MEMORIES, {"section-full": 1}),
        (MAX_MEMORIES, "{:0800}", 14, {"over-characters": 1}),
    ],
)
def test_a_section_and_the_whole_file_have_limits(
    store: Cognitive, count: int, title: str, shown: int, reason: dict[str, int]
) -> None:
    files = tree(count, title)
    files[CORE] = rebuild.core_file(files, NOW)
    view = store.session_view(files, NOW)
    assert len(view.passages) == shown
    assert len(view.text) <= BUDGET
    assert codes(store, files) == reason


def test_a_file_that_was_not_rebuilt_is_stale_and_weak_memories_are_left_out(store: Cognitive) -> None:
    files = tree(2)
    files[CORE] = rebuild.core_file(files, NOW)
    files |= {name: data for name, data in tree(3).items() if name not in files}
    view = store.session_view(files, NOW)
    assert (view.stale, codes(store, files)) == ((CORE,), {"not-rebuilt": 1})
    late = NOW + 900 * 86_400
    files[CORE] = rebuild.core_file(files, late)
    assert codes(store, files, late) == {"low-score": 3}
    assert codes(store, {name: data for name, data in files.items() if name != CORE}) == {"not-rebuilt": 3}
