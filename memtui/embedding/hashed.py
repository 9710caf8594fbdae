"""An embedder for tests, without a model: hashed words, so that texts with common words are close."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b

_WORD = re.compile(r"\w+")


class HashEmbedder:
    """A fast embedder that gives the same vectors on every machine and knows no meaning."""

    def __init__(self, dim: int = 64, name: str = "hashes") -> None:
        self.name, self.dim = name, dim

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """See Embedder."""
        import numpy as np

        vectors = []
        for text in texts:
            vector = np.full(self.dim, 1e-3, dtype="<f4")
            for word in _WORD.findall(text.casefold()):
                digest = blake2b(word[:5].encode(), digest_size=8).digest()
                for part in range(4):
                    number = int.from_bytes(digest[part * 2 : part * 2 + 2], "little")
                    vector[number % self.dim] += 1.0 if number & 0x8000 else -1.0
            vectors.append((vector / np.linalg.norm(vector)).astype("<f4").tobytes())
        return vectors

    def tokens_per_word(self, words: Sequence[str]) -> float:
        """See Embedder."""
        return 1.0
