"""What two memories are to each other: detectors of contradictions, one idea a file, and the gate before
merging (S-40, S-41)."""

from __future__ import annotations

from memtui.memory.clashes.judging import judge as judge
from memtui.memory.clashes.side import Side as Side
from memtui.memory.clashes.side import read as read
from memtui.memory.clashes.templates import Phrases as Phrases
from memtui.memory.clashes.templates import shared as shared
