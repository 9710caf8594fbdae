"""Takes the pictures for README and docs: python screenshots/take.py [folder] writes SVG and PNG files."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from memtui.demo import build  # noqa: E402
from memtui.tui.app import MemtuiApp  # noqa: E402

# A rule that is on, one that is tried, and what an agent may write; that which is tried is under the cursor.
POLICY = ["n", *"planner", "tab", "tab", *"private", "enter"]
RULES = ["6", "A", "enter", "enter", "exclamation_mark", *POLICY, "A", *["down"] * 5, "enter", "enter"]

SHOTS = {
    "browse": ((120, 36), ["j", "space", "j", "space"]),
    "browse-80x24": ((80, 24), ["j", "j"]),
    "browse-light": ((120, 36), ["T", "j", "j", "j"]),
    "search": ((120, 36), ["slash", *"who must not eat nuts".replace(" ", "_"), "enter"]),
    "search-80x24": ((80, 24), ["slash", *"category:"]),
    "filter": ((120, 36), ["f", "down", "down"]),
    "journal": ((120, 36), ["p", "j", "j", "v", "j", "d", "7", "j"]),
    "edit": ((120, 36), ["j", "e"]),
    "decay": ((120, 36), ["5", "right_square_bracket", "right_square_bracket", "j"]),
    "decay-80x24": ((80, 24), ["5", "right_square_bracket", "right_square_bracket", "j"]),
    "inbox": ((120, 36), ["2"]),
    "inbox-80x24": ((80, 24), ["2"]),
    "rules": ((120, 36), RULES),
    "rules-80x24": ((80, 24), RULES),
    "review": ((120, 36), ["3", "n", "l"]),
    "review-80x24": ((80, 24), ["3"]),
    "review-light": ((120, 36), ["T", "3"]),
    "merge": ((120, 36), ["3", "m"]),
    "graph": ((120, 36), ["slash", *"subject:Larkfield", "enter", "o", "right"]),
    "graph-80x24": ((80, 24), ["slash", *"subject:Larkfield", "enter", "o", "H", "left", "down"]),
    "graph-light": ((160, 48), ["T", "slash", *"subject:Larkfield", "enter", "o", "H", "right", "down"]),
    "graph-whole": ((120, 36), ["4"]),
    "stores": ((120, 36), ["8", "j", "j"]),
    "stores-80x24": ((80, 24), ["8", "j"]),
    "palette": ((120, 36), ["ctrl+p", "p", "i"]),
    "contrast": ((120, 36), ["T", "T", "j", "j"]),
    "help": ((80, 24), ["question_mark"]),
}


async def take(name: str, size: tuple[int, int], keys: list[str], folder: Path) -> None:
    """One picture of a fresh demo workspace after some keys."""
    with tempfile.TemporaryDirectory() as home:
        path = build(Path(home), time.time)

        def opened():  # type: ignore[no-untyped-def]
            from memtui.embedding.factory import opener
            from memtui.workspace.workspace import Workspace

            return Workspace.open(path, opener=opener("") if "slash" in keys else None)

        app = MemtuiApp(opened)
        async with app.run_test(size=size) as pilot:
            await settle(app, pilot)
            for key in keys:
                await pilot.pause(0.3 if "3" in keys else 0)  # a verdict is taken on what stands
                await pilot.press({"_": "space", ":": "colon"}.get(key, key))
                await settle(app, pilot)
            if app.embedding_worker.phase:
                await understood(app, pilot)
            svg = app.export_screenshot(title="memtui")
    target = folder / f"{name}.svg"
    target.write_text(exact(svg), encoding="utf-8")
    if shutil.which("rsvg-convert"):
        subprocess.run(["rsvg-convert", "-w", "1400", "-o", target.with_suffix(".png"), target], check=True)


async def settle(app: MemtuiApp, pilot) -> None:  # type: ignore[no-untyped-def]
    """Wait until nothing is read or written and the screen has been drawn."""
    for _ in range(8):
        await pilot.pause(0.03)
        while not app.lanes.idle or app.workspace is None:
            await pilot.pause(0.01)


async def understood(app: MemtuiApp, pilot) -> None:  # type: ignore[no-untyped-def]
    """Wait until the model is loaded and all memories are read; half a minute at most."""
    for _ in range(300):
        if app.embedding_worker.phase in ("off", "failed") or (
            app.embedding_worker.phase == "ready" and not app.embedding_worker.pending
        ):
            break
        await pilot.pause(0.1)
    await pilot.pause(1.0)
    await settle(app, pilot)


def exact(svg: str) -> str:
    """Leading blanks count: renderers drop them unless asked not to. Curves are drawn cell by cell: their
    dots come from another font, which is wider."""
    svg = re.sub(r"<text ", '<text xml:space="preserve" ', svg)
    return _CURVE.sub(_by_cell, svg.replace("&#160;", " "))


_CURVE = re.compile(
    r'<text ([^>]*?)x="([\d.]+)" ([^>]*?)textLength="([\d.]+)"([^>]*)>([^<&]*[⠁-⣿][^<&]*)</text>'
)


def _by_cell(found: re.Match[str]) -> str:
    before, x, between, length, after, text = found.groups()
    wide = float(length) / len(text)
    rest = f'{between}textLength="{wide:.2f}"{after}>'
    places = ((float(x) + place * wide, cell) for place, cell in enumerate(text))
    return "".join(f'<text {before}x="{at:.2f}" {rest}{cell}</text>' for at, cell in places)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for name, (size, keys) in SHOTS.items():
        asyncio.run(take(name, size, keys, folder))


if __name__ == "__main__":
    main()
