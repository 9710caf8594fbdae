"""The Inbox as it is listed: candidates below their store, some kinds off, some items hidden (S-52)."""

from __future__ import annotations

from itertools import product

from memtui.memory.inbox.items import CANDIDATES, DUPLICATE, PENDING, SECRET, Inbox, InboxItem, in_order
from memtui.memory.inbox.listing import listing_of

ITEMS = [
    *(InboxItem(SECRET, "a", f"secret {n}", "secret", n, n) for n in range(3)),
    *(InboxItem(PENDING, "a", f"pending {n}", "pending", n, n) for n in range(4)),
    InboxItem(CANDIDATES, "a", "", "candidates", 1, count=2),
    InboxItem(CANDIDATES, "b", "", "candidates", 2, count=1),
    InboxItem(CANDIDATES, "b", "b's", "candidate", 2, 30),
    *(InboxItem(CANDIDATES, "a", f"a's {n}", "candidate", n, 20 + n) for n in (1, 5)),
    InboxItem(DUPLICATE, "a", "x / y", "exact", 1, pair=7),
]


def test_candidates_are_below_the_line_of_their_store() -> None:
    listing = listing_of(Inbox(in_order(ITEMS)))
    assert [each.label or each.store for each in listing.shown()][7:-1] == ["a", "a's 1", "a's 5", "b", "b's"]
    assert listing.counts == {SECRET: 3, PENDING: 4, CANDIDATES: 3, DUPLICATE: 1}
    assert listing.total == len(ITEMS) - 3


def test_places_agree_with_what_is_shown() -> None:
    listing = listing_of(Inbox(in_order(ITEMS)))
    keys = [each.key for each in listing.items]
    offs = [(), (SECRET,), (SECRET, CANDIDATES)]
    hiddens = [(), (keys[1],), (keys[0], keys[5], keys[-1], ("pair", 99, "gone"))]
    for off, hidden in product(offs, hiddens):
        shown = [each.key for each in listing.shown(off, hidden)]
        assert [listing.place_of(key, off, hidden) for key in shown] == list(range(len(shown)))
        assert all(listing.place_of(key, off, hidden) is None for key in {*keys} - {*shown})


def test_within_a_kind_the_oldest_is_first_and_what_has_no_date_last() -> None:
    ages = [InboxItem(kind, "a", "", "", at) for kind in (PENDING, SECRET) for at in (None, 5.0, 0.0, 9.0)]
    found = [(each.kind, each.since) for each in in_order(ages)]
    assert found == [(kind, at) for kind in (SECRET, PENDING) for at in (0.0, 5.0, 9.0, None)]
