"""What a store's format makes of a secret: words in small letters, keywords, parts of names (S-62)."""

from __future__ import annotations

from memtui.formats.contract.adapter import Adapter
from memtui.memory.secrets.redaction import Replacements
from memtui.workspace.changes.planning import adapter_class_of
from memtui.workspace.db.store_rows import StoreRow


def with_derived(store: StoreRow, redacted: Replacements) -> Replacements:
    """Return the replacements, and with them those of what the format of the store makes of the values."""
    adapter_class = adapter_class_of(store) or Adapter
    for value, new in redacted.values.items():
        redacted = redacted.also(adapter_class.derived_from_secret(value, new))
    return redacted
