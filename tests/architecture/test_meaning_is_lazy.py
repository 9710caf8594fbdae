"""What knows meaning is heavy, and so are the detectors' patterns: nothing of either is loaded before it is
wanted (S-35)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = {"numpy", "fastembed", "onnxruntime", "tokenizers", "huggingface_hub", "textual_plot"}
DETECTORS = {"memtui.memory.contradictions.facts", "memtui.memory.contradictions.templates"}
PROGRAM = """
import sys
from pathlib import Path
from memtui.embedding.factory import opener
from memtui.workspace.workspace import Workspace
workspace = Workspace.open(Path(sys.argv[1]), opener=opener(""))
workspace.add({"content": "A zebra."})
assert len(workspace.search("zebra").ids) == 1
assert workspace.fused("zebra", []) is None
assert workspace.embedding_state().pending == 1
workspace.close()
print(*sorted({name.partition(".")[0] for name in sys.modules} | sys.modules.keys()))
"""


def test_words_load_nothing_heavy(tmp_path: Path) -> None:
    asked = [sys.executable, "-c", PROGRAM, str(tmp_path / "w.db")]
    ran = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert set(ran.stdout.split()) & (HEAVY | DETECTORS) == set()


def test_the_model_s_libraries_are_met_in_one_place() -> None:
    """There they are silenced before they are imported."""
    files = [
        file.relative_to(ROOT).as_posix()
        for file in sorted((ROOT / "memtui").rglob("*.py"))
        if any(
            line.strip().startswith((f"import {name}", f"from {name}"))
            for line in file.read_text("utf-8").splitlines()
            for name in HEAVY - {"numpy", "textual_plot"}
        )
    ]
    assert files == ["memtui/embedding/bundled.py", "memtui/embedding/token_counter.py"]
