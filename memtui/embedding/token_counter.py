"""Counting tokens with the bundled tokenizer, or one that the settings name (S-71)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.memory.tokens import CharacterCounter, TokenCounter

if TYPE_CHECKING:
    from tokenizers import Tokenizer

BUNDLED = "MiniLM (WordPiece)"
_FILE = "tokenizer.json"


class TokenizerCounter:
    """Counts with a tokenizer of the tokenizers library."""

    unit = "tokens"

    def __init__(self, name: str, tokenizer: Tokenizer) -> None:
        self.name, self._tokenizer = name, tokenizer

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        encoded = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(each.ids) for each in encoded]


@cache
def token_counter(path: str = "") -> TokenCounter:
    """Return the counter of the tokenizer in a file or folder, "" for the bundled one; one that counts
    characters if it cannot be loaded."""
    file = Path(path).expanduser() if path else Path(__file__).parent / "minilm"
    if file.is_dir():
        file /= _FILE
    try:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(file))
    except Exception:  # the library raises plain Exception; the unit tells that characters are counted
        return CharacterCounter()
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return TokenizerCounter(BUNDLED if not path else file.parent.name or file.name, tokenizer)
