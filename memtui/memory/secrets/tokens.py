"""Tokens that stand for secrets while a text is edited: ⟦secret 1: GitHub token⟧ (S-62)."""

from __future__ import annotations

from memtui.memory.secrets import find
from memtui.memory.secrets.wording import name_of, token_damaged, token_doubled

_OPEN, _CLOSE = "⟦", "⟧"


class SecretTokens:
    """Replaces the secrets of texts by tokens, and tokens by their secrets; each number is given once."""

    def __init__(self) -> None:
        self._secrets: dict[str, str] = {}
        self._brackets = 0  # of the texts themselves
        self._number = 0

    def hide(self, text: str) -> str:
        """Return a text with a token for each secret."""
        self._brackets += text.count(_OPEN) + text.count(_CLOSE)
        pieces, end = [], 0
        for secret in find(text):
            token = self._token(name_of(secret.kind), text)
            self._secrets[token] = text[secret.start : secret.end]
            pieces += [text[end : secret.start], token]
            end = secret.end
        return "".join((*pieces, text[end:]))

    def restore(self, *texts: str) -> list[str]:
        """Return texts with the secrets in place of their tokens. A token may be missing; raise NotSaved if
        one was cut or is there twice."""
        if not self._secrets:
            return list(texts)
        together = "\n".join(texts)
        for token in self._secrets:
            if together.count(token) > 1:
                raise token_doubled(token)
            together = together.replace(token, "")
        if together.count(_OPEN) + together.count(_CLOSE) > self._brackets:
            raise token_damaged()
        for token in self._secrets:
            if token[1:-1] in together:
                raise token_damaged()
        out = []
        for text in texts:
            for token, secret in self._secrets.items():
                text = text.replace(token, secret)
            out.append(text)
        return out

    def _token(self, name: str, text: str) -> str:
        while True:
            self._number += 1
            token = f"{_OPEN}secret {self._number}: {name}{_CLOSE}"
            if token not in text:
                return token
