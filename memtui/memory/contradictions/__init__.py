"""What two memories are to each other: detectors of contradictions, and the gate before merging (S-40,
S-41)."""

from __future__ import annotations

from memtui.memory.contradictions.comparison.parsed_memory import ParsedMemory as ParsedMemory
from memtui.memory.contradictions.comparison.parsed_memory import read as read
from memtui.memory.contradictions.judgement import judge as judge
from memtui.memory.contradictions.templates import Phrases as Phrases
from memtui.memory.contradictions.templates import shared_phrases as shared_phrases
