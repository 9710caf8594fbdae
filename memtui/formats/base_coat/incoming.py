"""What an agent's write is to the memories of Base Coat (S-23, S-101)."""

from __future__ import annotations

from memtui.formats.contract.incoming import Incoming


class BaseCoatIncoming(Incoming):
    """What contradicts a memory is kept beside it and related to it. An update confirms what it changes."""

    records_contradictions = True
    edit_confirms = True
