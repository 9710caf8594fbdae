"""A headless Chromium opens reports on hostile memories: nothing in them runs or loads, and nothing is wider
than the window."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from memtui.export.report.page import page
from memtui.memory.imported import Imported
from memtui.workspace.workspace import Workspace
from tests.export.report.test_page import BREAKING
from tests.soak.owners.install import npm_package
from tests.soak.owners.json_lines import Child, ChildFailed
from tests.soak.owners.texts import Texts
from tests.soak.part import NPM, PRIVATE_NETWORK, Minimum, Report, loopback_only
from tests.support.demo_workspace import Clock
from tests.support.memory_disk import temp_folder

DRIVER, BROWSER = ("puppeteer-core", "24.43.1"), ("@sparticuz/chromium", "147.0.0")
TITLE = f"Chromium {BROWSER[1].partition('.')[0]} (npm) opens reports on hostile memories"
NEEDS = [NPM, PRIVATE_NETWORK]
SEEDS = range(6_000, 6_020)
WINDOWS = [(scheme, width) for scheme in ("dark", "light") for width in (400, 1_200)]
MINIMUM = Minimum(rounds=len(SEEDS) * len(WINDOWS))
_DRIVER = Path(__file__).parents[1] / "owners" / "browser_driver.mjs"


class _Browser(Child):
    timeout = 60.0


def run(report: Report) -> None:
    """Open each report in each window."""
    report.plan(MINIMUM.rounds)
    packages = [str(npm_package(*each)) for each in (DRIVER, BROWSER)]
    with temp_folder() as folder:
        command = [shutil.which("node") or "node", str(_DRIVER), *packages]
        env = {**os.environ, "TMPDIR": folder}
        subprocess.run([*command, "unpack"], env=env, timeout=120, check=True)
        browser = _Browser(loopback_only(*command), Path(folder) / "log", env)
        try:
            for seed in SEEDS:
                file = Path(folder) / f"{seed}.html"
                file.write_text(_report(Path(folder) / f"{seed}.db", seed), "utf-8")
                _open(report, browser, file)
        finally:
            browser.close()


def _report(path: Path, seed: int) -> str:
    chance = random.Random(seed)
    texts = Texts(chance)

    def text() -> str:
        return chance.choice((texts.text(), chance.choice(list(BREAKING.values())) + texts.text()))

    with closing(Workspace.open(path, clock=Clock())) as workspace:
        found = [
            Imported(0, {"content": text(), "title": text(), "subject": text(), "category": text()[:40]})
            for _ in range(chance.randint(0, 120))
        ]
        ids = workspace.import_memories(workspace.import_preview(found).items).ids if found else ()
        for source, target in pairwise(ids):
            workspace.relate(source, texts.relation(), target)
        return page(workspace.report(), "")


def _open(report: Report, browser: Child, file: Path) -> None:
    backgrounds = set()
    for scheme, width in WINDOWS:
        try:
            browser.send({"file": str(file), "scheme": scheme, "width": width})
            seen = browser.receive()
        except ChildFailed as error:
            report.add_loss(f"{file.stem}: {error}")
            return
        backgrounds.add(seen["background"])
        wrong = {name: seen[name] for name in ("happened", "foreign", "overflow", "acting") if seen[name]}
        if wrong or not seen["title"] or not seen["text"]:
            report.add_loss(f"{file.stem}, {scheme}, {width} px: {wrong or seen}")
        report.add_rounds()
    if len(backgrounds) != 2:
        report.add_loss(f"{file.stem}: dark and light look alike: {backgrounds}")
