"""Which memories are about health, finance or a person's papers: a profile names only the topic (S-70).

Words in a name (the key, category, subject, title or a tag) decide broadly; anywhere, words do that hardly
mean anything else.
"""

from __future__ import annotations

import re
import unicodedata

from memtui.memory.memory import Memory
from memtui.memory.secrets import contains_secret

HEALTH, FINANCE, IDENTITY, SECRETS = "health", "finance", "identity papers", "secrets"

_IN_NAMES = {
    HEALTH: (
        "health(?!_check) medical medicine medication medications illness disease condition symptom symptoms "
        "allergy allergies therapy therapist diet pregnancy disability mental"
    ),
    FINANCE: (
        "finance financial finances salary income wage wages bank banking iban debt debts loan loans "
        "mortgage credit tax taxes wealth savings pension investment investments"
    ),
    IDENTITY: (
        "passport ssn national_id id_card id_number identity_number social_security driving_licence "
        "driver_license birthday birthdate birth_date date_of_birth tax_id license_plate religion ethnicity "
        "sexuality"
    ),
    SECRETS: "password passwords passphrase api_key apikey secret secrets pin_code credential credentials",
}
_IN_TEXTS = {
    HEALTH: (
        "diagnosed diagnosis diabetes diabetic asthma cancer depression anxiety hiv pregnant chemotherapy "
        "psychiatrist antidepressant antidepressants insulin prescription allergic epilepsy adhd autism"
    ),
    FINANCE: "salary iban mortgage overdraft creditworthiness bankruptcy payslip net_worth credit_card earns",
    IDENTITY: (
        "passport ssn social_security date_of_birth driving_licence driver_license national_id id_card "
        "was_born_on"
    ),
}


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(each.replace("_", " ") for each in words.split()) + r")\b")


_NAMES = {topic: _pattern(words) for topic, words in _IN_NAMES.items()}
_TEXTS = {topic: _pattern(words) for topic, words in _IN_TEXTS.items()}
_BETWEEN = re.compile(r"[\W_]+")


def topic_of(memory: Memory) -> str:
    """Return the sensitive topic that a memory is about, "" if it is about none."""
    given = (memory.key, memory.category, memory.subject, memory.title, *memory.tags)
    texts = [*(each for each in given if each), memory.content]
    names, everything = (" | ".join(map(_plain, each)) for each in (texts[:-1], texts))
    for topic, pattern in _NAMES.items():
        anywhere = _TEXTS.get(topic)
        if pattern.search(names) or (anywhere is not None and anywhere.search(everything)):
            return topic
    return SECRETS if any(map(contains_secret, texts)) else ""


def _plain(text: str) -> str:
    """Return a text as words: also those that hidden characters part, or that are written in wide letters."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return _BETWEEN.sub(" ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)).casefold()
