"""Relations between words: the same, broader, opposite, or members of one class that exclude each other.
Compiled from WordNet and memtui's own lists by `lexicon_source/compile.py`; loaded on first use."""

from __future__ import annotations

import gzip
import pkgutil
import re
from collections import defaultdict
from enum import StrEnum
from functools import cache, lru_cache

_FILE = "lexicon.txt.gz"
_SUFFIXES = {
    "n": (("men", "man"), ("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe"), ("zzes", "z")),
    "v": (
        *(("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"), ("ied", "y"), ("ying", "ie")),
        *(("s", ""), ("es", ""), ("ies", "y")),
    ),
}
_CONSONANT_VOWEL_CONSONANT = re.compile("[^aeiou][aeiou][^aeiouwxy]$")
# Words that are taken as base forms although they are also inflected verbs.
_BASE_FORMS = frozenset(
    """
    left ground wound bound rent bore bit felt lit lay fed during thing something anything
    everything nothing morning evening spring string ceiling king ring wing red bed shed need seed
    feed speed
    """.split()
)
# Words for people that mean programs or roles here.
_INANIMATE_AGENTS = frozenset(
    """
    server worker agent client host driver runner master controller monitor bot crawler parser
    compiler reader writer editor loader handler listener provider consumer producer scheduler
    cluster user customer
    """.split()
)
_MAX_PHRASE = 4  # words
_MAX_DEPTH = 5  # levels of broader meanings


class WordRelation(StrEnum):
    """What the second of two words is to the first."""

    SAME = "same"
    BROADER = "broader"  # the second is broader
    NARROWER = "narrower"
    OPPOSITE = "opposite"
    EXCLUSIVE = "exclusive"  # of one class
    NONE = ""


class Lexicon:
    """All words by their text in lower case."""

    def __init__(self, data: str) -> None:
        self._words: dict[str, str] = {}
        self._meanings: list[str] = []
        self._forms: dict[str, str] = {}
        self._opposites: dict[str, set[str]] = defaultdict(set)
        self._antonyms: set[tuple[str, str]] = set()
        # word → (class, member, the member that it belongs to)
        self._members: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        self.classes: list[str] = []
        self._phrases: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        self._load(data)

    def _load(self, data: str) -> None:
        sections: dict[str, list[str]] = {}
        lines: list[str] = []
        for line in data.split("\n"):
            if line.startswith("[") and line.endswith("]") and line[1:-1] in _SECTIONS:
                lines = sections.setdefault(line[1:-1], [])
            elif (line and line[0] != "#") or lines is sections.get("meanings"):
                lines.append(line)
        self._words = dict(line.split("\t", 1) for line in sections["words"])
        self._meanings = sections["meanings"]
        for line in sections["forms"]:
            part, form, base = line.split(" ", 2)
            if form not in _BASE_FORMS and (part == "v" or form not in self._forms):
                self._forms[form] = base
        for line in sections["antonyms"]:
            one, _, two = line.partition("|")
            self._antonyms.add((one, two))
        self._derived = {tuple(line.split("|")) for line in sections["kin"]}
        self._load_opposites(sections["opposites"])
        self._load_classes(sections["classes"])
        self._classes_by_name: dict[str, set[str]] = defaultdict(set)  # "pet" → "pets"
        for name in self.classes:
            self._classes_by_name[self.lemma_of(name.lower())].add(name)
            self._classes_by_name[name.lower().removesuffix("s")].add(name)
            if " " in name:
                *first, last = name.lower().split()
                self._classes_by_name[" ".join([*first, self.lemma_of(last)])].add(name)
                self._classes_by_name[self.lemma_of(last)].add(name)

    def _load_opposites(self, lines: list[str]) -> None:
        for line in lines:
            groups = [
                [word.strip().lower() for word in group.split(",") if word.strip()]
                for group in line.split("|")
            ]
            for at, group in enumerate(groups):
                for word in group:
                    self._add_phrase(word)
                    for others in groups[:at] + groups[at + 1 :]:
                        self._opposites[word].update(others)

    def _load_classes(self, lines: list[str]) -> None:
        member = parent = 0
        for line in lines:
            if line.startswith("["):
                self.classes.append(line.strip("[] ").partition(":")[0].strip())
                continue
            member += 1
            inner = line.startswith(" ")
            parent = parent if inner else member
            for name in line.split("="):
                word = " ".join(name.lower().split())
                if word:
                    self._add_phrase(word)
                    self._members[word].append((len(self.classes) - 1, member, parent))

    def _add_phrase(self, text: str) -> None:
        parts = tuple(text.replace("-", " ").split())
        bare = not {"a", "an", "the", "than"} & set(parts) and parts[0] not in ("this", "last", "next")
        if 1 < len(parts) <= _MAX_PHRASE and bare and parts not in self._phrases[parts[0]]:
            self._phrases[parts[0]].append(parts)
            self._phrases[parts[0]].sort(key=len, reverse=True)

    def phrase_at(self, words: list[str], at: int) -> tuple[str, ...]:
        """Return the lemmas of the known phrase that starts at an index, or ()."""
        first = self.lemma_of(words[at])
        candidates = self._phrases.get(words[at], ())
        for parts in [*candidates, *self._phrases.get(first, ())] if first != words[at] else candidates:
            if len(parts) > len(words) - at:
                continue
            if words[at + 1] != parts[1] and self.lemma_of(words[at + 1]) != parts[1]:
                continue
            rest = words[at + 1 : at + len(parts)]
            if all(one == two or self.lemma_of(one) == two for one, two in zip(rest, parts[1:], strict=True)):
                return parts
        return ()

    def has_word(self, word: str) -> bool:
        """Whether WordNet has the word."""
        return word in self._words

    def can_be(self, word: str, part: str) -> bool:
        """Whether a lemma is often a noun (n), a verb (v), an adjective (a) or an adverb (r)."""
        return any(entry[0] == part and entry[-1] != "?" for entry in self._words.get(word, "").split())

    @lru_cache(maxsize=20_000)  # noqa: B019 - there is one lexicon
    def lemma_of(self, form: str) -> str:
        """Return the base form of a word: "running" → "run", "men" → "man"."""
        if len(form) < 4:
            return self._forms.get(form, form)
        if form in _BASE_FORMS or form.endswith(("ss", "us", "is")):
            return form
        best, rank = self._forms.get(form, form), (0 if form in self._forms else -1, 0)
        for part in ("v", "n") if form.endswith(("ing", "ed")) else ("n", "v"):
            for suffix, end in _SUFFIXES[part]:
                if not form.endswith(suffix) or len(form) - len(suffix) < 2:
                    continue
                stem = form[: -len(suffix)] + end
                if part == "v" and len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
                    stem = stem[:-1]
                elif (
                    suffix in ("ing", "ed")
                    and not end
                    and _CONSONANT_VOWEL_CONSONANT.search(stem)
                    and self.can_be(stem + "e", part)
                ):
                    stem += "e"  # "riding" is not of "rid", which would double the d
                if not self._has_part(stem, part):
                    continue
                this = (int(self.can_be(stem, part)), len(stem) if suffix in ("s", "es") else 0)
                if this > rank:
                    best, rank = stem, this
        return best

    def _has_part(self, word: str, part: str) -> bool:
        return any(entry[0] == part for entry in self._words.get(word, "").split())

    @lru_cache(maxsize=50_000)  # noqa: B019
    def relation(self, one: str, two: str) -> tuple[WordRelation, str]:
        """Return what the second word is to the first, and the class in which they exclude each other."""
        if one == two:
            return WordRelation.SAME, ""
        if two in self._opposites.get(one, ()):
            return WordRelation.OPPOSITE, ""
        by_class = self.class_relation(one, two)
        if by_class[0] in (WordRelation.SAME, WordRelation.BROADER, WordRelation.NARROWER):
            return by_class
        if (min(one, two), max(one, two)) in self._antonyms:
            return WordRelation.OPPOSITE, ""
        if by_class[0]:
            return by_class
        if self._common_senses(one) & self._senses(two) or self._senses(one) & self._common_senses(two):
            return WordRelation.SAME, ""
        if (min(one, two), max(one, two)) in self._derived:
            return WordRelation.SAME, ""
        senses_a, senses_b = self._senses(one), self._senses(two)
        if senses_b & self._broader_senses(one):
            return WordRelation.BROADER, ""
        if senses_a & self._broader_senses(two):
            return WordRelation.NARROWER, ""
        for name in sorted(self.classes_of(one) & self.classes_of(two)):
            return WordRelation.EXCLUSIVE, name
        if _adjective(one) == two or one == _adjective(two):
            return WordRelation.SAME, ""
        if one.endswith("ly") and two.endswith("ly"):  # adverbs are what their adjectives are
            return self.relation(_adjective(one), _adjective(two))
        for adverb, other in ((one, two), (two, one)):
            if adverb.endswith("ly") and self.relation(_adjective(adverb), other)[0] is WordRelation.OPPOSITE:
                return WordRelation.OPPOSITE, ""
        return WordRelation.NONE, ""

    def class_relation(self, one: str, two: str) -> tuple[WordRelation, str]:
        """Return the relation of two words by memtui's own classes alone."""
        found: tuple[WordRelation, str] = (WordRelation.NONE, "")
        if any(
            self.classes[name] in self._classes_by_name.get(two, ())
            for name, _, _ in self._members.get(one, ())
        ):
            return WordRelation.BROADER, ""
        if any(
            self.classes[name] in self._classes_by_name.get(one, ())
            for name, _, _ in self._members.get(two, ())
        ):
            return WordRelation.NARROWER, ""
        for name, member, parent in self._members.get(one, ()):
            for name2, member2, parent2 in self._members.get(two, ()):
                if name != name2:
                    continue
                if member == member2:
                    return WordRelation.SAME, ""
                if parent == member2:
                    return WordRelation.BROADER, ""
                if parent2 == member:
                    return WordRelation.NARROWER, ""
                found = WordRelation.EXCLUSIVE, self.classes[name]
        return found

    def are_synonyms(self, one: str, two: str) -> bool:
        """Whether two words surely mean the same: aliases, derived from one another, or equal in their
        commonest sense."""
        if (
            self.class_relation(one, two)[0] is WordRelation.SAME
            or (min(one, two), max(one, two)) in self._derived
        ):
            return True
        return bool(self._first_senses(one) & self._first_senses(two))

    @lru_cache(maxsize=20_000)  # noqa: B019
    def _first_senses(self, word: str) -> frozenset[int]:
        entry = self._words.get(word, "")
        return frozenset(int(part[1:].rstrip("?").split(",")[0]) for part in entry.split() if part[-1] != "?")

    @lru_cache(maxsize=20_000)  # noqa: B019
    def classes_of(self, word: str) -> frozenset[str]:
        """Return the names of the classes that a word belongs to."""
        return self._wordnet_classes(word) | {
            self.classes[name] for name, _, _ in self._members.get(word, ())
        }

    @lru_cache(maxsize=20_000)  # noqa: B019
    def _senses(self, word: str) -> frozenset[int]:
        entry = self._words.get(word, "")
        return frozenset(int(n) for part in entry.split() for n in part[1:].rstrip("?").split(","))

    @lru_cache(maxsize=20_000)  # noqa: B019
    def _common_senses(self, word: str) -> frozenset[int]:
        """Return its two commonest senses in each part of speech."""
        entry = self._words.get(word, "")
        return frozenset(
            int(n)
            for part in entry.split()
            for n in part[1:].rstrip("?").split(",")[: 1 if part[-1] == "?" else 2]
        )

    @lru_cache(maxsize=20_000)  # noqa: B019
    def _broader_senses(self, word: str) -> frozenset[int]:
        """Return all broader meanings of its two commonest senses as a noun, and as a verb."""
        first: set[int] = set()
        for part in self._words.get(word, "").split():
            if part[0] in "nv":
                first.update(int(n) for n in part[1:].rstrip("?").split(",")[:2])
        found: set[int] = set()
        layer = first
        for _ in range(_MAX_DEPTH):
            layer = {
                int(parent)
                for this in layer
                for parent in self._meanings[this].partition("\t")[0].split(",")
                if parent
            } - found
            found |= layer
        return frozenset(found)

    @lru_cache(maxsize=20_000)  # noqa: B019
    def _wordnet_classes(self, word: str) -> frozenset[str]:
        found: set[str] = set()
        for part in self._words.get(word, "").split():
            if part[0] == "n":
                for n in part[1:].rstrip("?").split(",")[:2]:
                    found.update(self._meanings[int(n)].partition("\t")[2].split(","))
        return frozenset(found - {""})

    @lru_cache(maxsize=20_000)  # noqa: B019
    def is_animate(self, word: str) -> bool:
        """Whether a word mostly names a person or an animal, or a number of them (man, dog, group)."""
        if word in ("group", "crowd", "couple", "pair", "people", "team", "child"):
            return True
        if word in _INANIMATE_AGENTS:
            return False
        nouns = next((p for p in self._words.get(word, "").split() if p[0] == "n"), "")
        if not nouns:
            return False
        first = {int(nouns[1:].rstrip("?").split(",")[0])}
        beings = {next(iter(self._first_noun_sense("person"))), next(iter(self._first_noun_sense("animal")))}
        layer = first
        for _ in range(12):
            if layer & beings:
                return True
            layer = {
                int(up) for this in layer for up in self._meanings[this].partition("\t")[0].split(",") if up
            }
        return False

    def _first_noun_sense(self, word: str) -> set[int]:
        part = next(p for p in self._words[word].split() if p[0] == "n")
        return {int(part[1:].rstrip("?").split(",")[0])}


def _adjective(adverb: str) -> str:
    return adverb[:-3] + "y" if adverb.endswith("ily") else adverb[:-2]


_SECTIONS = ("words", "meanings", "forms", "antonyms", "kin", "opposites", "classes")


@cache
def lexicon() -> Lexicon:
    """Return the one lexicon; the first call takes a tenth of a second."""
    data = pkgutil.get_data(__package__, _FILE)
    assert data is not None
    return Lexicon(gzip.decompress(data).decode())
