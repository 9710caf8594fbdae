"""What an agent's write is to the memories of a Cognitive Memory tree (S-105)."""

from __future__ import annotations

from memtui.formats.contract.incoming import Incoming


class CognitiveIncoming(Incoming):
    """Storing a memory adds its entry to the episodes of the day."""

    logs_additions = True
