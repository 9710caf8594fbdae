"""What the frames of the vocabulary are called in a sentence: a frame is a verb, its attribute a noun."""

from __future__ import annotations

from memtui.memory.contradictions.language.vocabulary import FRAMES, FRAMES_OF_PHRASES

# By frame; none where a thing has no one noun for it: what it has, owns, uses.
ATTRIBUTES = {
    "@born": "birth",
    "@costs": "price",
    "@default": "default",
    "@drives": "car",
    "@due": "due date",
    "@ends at": "end",
    "@favourite": "favorite",
    "@has": "",
    "@licensed": "license",
    "@limited to": "limit",
    "@listens on": "port",
    "@lives in": "home",
    "@married to": "partner",
    "@named": "name",
    "@owned by": "owner",
    "@owns": "",
    "@prefers": "preference",
    "@reached at": "contact",
    "@reports to": "manager",
    "@runs on": "host",
    "@starts at": "start",
    "@stored in": "location",
    "@studies at": "school",
    "@timezone": "time zone",
    "@uses": "",
    "@version": "version",
    "@works as": "role",
    "@works at": "employer",
    "@written in": "language",
}


def attribute_of(topic: str) -> str:
    """Return the name of the attribute that a topic stands for, "" if there is none.

    A topic is a frame, a phrase that states one, or words of the text."""
    frame = f"@{topic}" if f"@{topic}" in FRAMES else FRAMES_OF_PHRASES.get(topic)
    return topic if frame is None else ATTRIBUTES[frame]
