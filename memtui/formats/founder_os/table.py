"""The columns of Founder OS's `memories`, and what they may hold (FORMATS 1)."""

from __future__ import annotations

CATEGORIES = ("preference", "pattern", "fact", "contact", "workflow")
STATUSES = ("candidate", "confirmed", "applied", "dismissed")
KEY_LENGTH = 60
MARKS = frozenset({"id", "key", "category", "content", "source_plugin", "confidence", "status"})
KNOWN = tuple(
    "id key category content source_plugin confidence status company_id tags times_used times_confirmed"
    " created_at updated_at last_used_at expires_at notion_page_id last_synced_at deleted_at".split()
)
ASIDE = frozenset({"embedding"})  # neither shown nor kept
SET = tuple("content category key tags company_id expires_at confidence times_confirmed status".split())
LOOSE = ("times_used", "last_used_at", "updated_at")  # agents change these as they go
