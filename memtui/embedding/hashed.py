"""A stand-in without a model: words as hashes, so that what shares words lies close; for tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b

_WORD = re.compile(r"\w+")


class HashEmbedder:
    """Quick, the same on every machine, and with no idea of meaning."""

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
                for turn in range(4):
                    place = int.from_bytes(digest[turn * 2 : turn * 2 + 2], "little")
                    vector[place % self.dim] += 1.0 if place & 0x8000 else -1.0
            vectors.append((vector / np.linalg.norm(vector)).astype("<f4").tobytes())
        return vectors

    def pieces(self, words: Sequence[str]) -> float:
        """See Embedder."""
        return 1.0
