"""Larkfield's Founder OS: what its plugins learned about a company that sells bird feeders."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

DAY = 86_400

# key, category, source, confidence, status, times confirmed, times used, days unused, tags; then the text.
MEMORIES = """
invoice-terms-brightwater fact P11 86 applied 4 21 2 invoices,brightwater: Brightwater pays invoices net 30; reminders go to Ines in accounts.
brightwater-net-45 fact P11 48 candidate 0 1 3 invoices,brightwater: Brightwater pays invoices net 45 since the new contract of March.
brightwater-contact contact P02 71 confirmed 2 9 12 brightwater: Ines at Brightwater answers on Signal within the hour, on mail within days.
brightwater-ines-left contact P02 38 candidate 0 2 4 brightwater: Ines left Brightwater in February; Karel in accounts took over.
brightwater-order-rhythm pattern pattern-detection 58 candidate 1 4 9 brightwater,sales: Brightwater orders in the first week of a quarter, about a hundred feeders.
brightwater-pdf-only preference P11 77 confirmed 3 14 5 invoices,brightwater: Brightwater wants invoices as PDF, never as a link.
newsletter-archive preference User 92 applied 6 48 1 email: Archive newsletters without asking; keep the ones from suppliers.
newsletters-ask-first preference P21 34 candidate 0 1 11 email: Ask before you archive newsletters.
friday-follow-ups pattern pattern-detection 55 candidate 1 3 6 sales: Follow-ups to open offers go out on Friday afternoon.
thursday-follow-ups pattern pattern-detection 32 candidate 0 1 19 sales: Follow-ups to open offers go out on Thursday morning.
weekly-review-order workflow User 80 applied 3 17 4 review: The weekly review starts with the inbox, then cash, then hiring.
monday-plan workflow User 74 confirmed 2 11 7 review: On Monday the plan for the week is written before the first call.
offer-currency fact P11 64 confirmed 1 5 20 offers: Offers to Swiss clients are written in francs, all others in euros.
offer-validity workflow P11 66 confirmed 2 6 18 offers: An offer holds for thirty days; after that the price list counts.
offer-discount-limit workflow P11 70 confirmed 2 9 14 offers,finance: Discounts above ten percent need Ana's word.
offer-language preference User 60 confirmed 1 4 27 offers: Offers to Frisian garden centres open with a line in Frisian.
tomas-lead contact P07 62 confirmed 1 4 33 hiring: Tomas leads hiring; he wants two references before a second interview.
noor-leads-hiring contact P07 45 candidate 0 2 2 hiring: Noor was promoted in May and leads hiring now; Tomas went to operations.
hiring-freeze fact P07 41 candidate 0 1 44 hiring: Nobody is hired before the summer.
open-role-carpenter fact P07 52 candidate 1 3 5 hiring: A carpenter for the second bench is wanted from June on.
interview-room workflow P07 35 candidate 0 2 58 hiring: Interviews take place in the room above the shop.
no-calls-before-ten preference User 95 applied 7 60 3: No calls before ten in the morning.
lunch-is-free preference User 68 confirmed 2 13 8: Between twelve and one nothing is planned.
reply-tone preference User 83 applied 5 39 1 email: Replies to customers are short, warm and signed with a first name.
reply-within-day workflow P21 61 confirmed 1 8 6 email: A customer's mail is answered within one working day.
old-warehouse fact P19 35 candidate 0 1 71 shipping: Parcels are picked up at the Dock Street warehouse.
harbour-road-pickup fact P19 47 candidate 1 2 3 shipping: Parcels are picked up at Harbour Road since the warehouse moved in January.
carrier-postnl fact P19 72 confirmed 3 22 2 shipping: PostNL carries parcels up to ten kilos, DHL the rest.
carrier-switch fact P19 44 candidate 0 1 1 shipping: Larkfield switched from DHL to GLS for heavy parcels in April.
cut-off-time workflow P19 63 confirmed 2 10 4 shipping: Orders before two in the afternoon leave the same day.
customs-switzerland workflow P19 57 candidate 1 3 24 shipping: Parcels to Switzerland need three copies of the customs form.
returns-window fact P19 69 confirmed 2 7 13 shipping,customers: Feeders are taken back within sixty days, squirrels or not.
returns-thirty-days fact P19 28 candidate 0 0 66 shipping,customers: Feeders are taken back within thirty days.
expense-limit workflow P11 68 confirmed 2 8 15 finance: Expenses above 500 euros need a second signature.
expense-limit-card workflow P11 40 candidate 0 1 2 finance: Expenses above 300 euros need a second signature.
bank-day workflow P11 59 candidate 1 4 10 finance: Invoices of suppliers are paid on the tenth and the twenty-fifth.
vat-quarter workflow P11 76 confirmed 3 6 29 finance: The VAT return is due on the last day of the month after a quarter.
bookkeeper contact P11 73 confirmed 3 12 9 finance: Bookkeeping is done by Wiersma in Sneek; papers go there on the first.
bookkeeper-software fact P11 31 candidate 0 1 83 finance: Wiersma works with an old version of Exact and wants CSV, not XML.
bank-account fact P11 65 confirmed 1 5 16 finance: The business account is at Triodos, the savings at ASN.
cash-buffer workflow User 79 applied 3 9 11 finance: Three months of wages stay on the savings account.
rejected-tagline fact P05 40 dismissed 0 0 50 brand: The tagline is “Birds of a feather”.
tagline fact P05 67 confirmed 2 8 12 brand: The tagline is “Made for small guests”.
brand-green fact P05 54 candidate 1 3 35 brand: The green of the logo is Pantone 5535.
brand-green-new fact P05 30 candidate 0 1 36 brand: The green of the logo is Pantone 5545.
brand-photos preference P05 49 candidate 1 2 41 brand: Photographs show feeders in use, never on white.
newsletter-monthly workflow P05 58 candidate 1 6 17 brand: The customers' newsletter goes out on the first Tuesday of a month.
instagram-voice preference P05 26 candidate 0 1 74 brand: On Instagram the birds speak in the first person.
larch-supplier contact P14 82 applied 4 18 3 supply: Larch comes from Van der Meulen in Drachten, cut to 18 millimetres.
larch-price fact P14 60 confirmed 1 5 8 supply: A cubic metre of larch costs 640 euros.
larch-price-spring fact P14 39 candidate 0 1 2 supply: A cubic metre of larch costs 710 euros from April on.
larch-second-source contact P14 37 candidate 0 1 62 supply: If Van der Meulen is out of larch, ask Hoekstra Hout.
screws-stainless workflow P14 64 confirmed 2 7 21 supply: All screws are stainless steel, four by forty.
oil-brand fact P14 46 candidate 1 2 30 supply: Feeders are oiled with linseed oil, two coats.
oil-one-coat fact P14 24 candidate 0 0 77 supply: Feeders are oiled with linseed oil, one coat.
seed-mix fact P14 53 candidate 1 3 26 supply: The seed mix has no wheat, because pigeons come for that.
packaging-paper preference P14 71 confirmed 2 11 10 supply,brand: Parcels are stuffed with paper, never with plastic.
market-utrecht fact P05 62 confirmed 2 6 22 events: The stall on the Utrecht market stands on the second Saturday of a month.
fair-leeuwarden fact P05 51 candidate 1 2 6 events: The garden fair in Leeuwarden is on the ninth of June.
fair-postponed fact P05 36 candidate 0 1 1 events: The garden fair in Leeuwarden was postponed to September.
open-workshop fact P05 22 candidate 0 1 69 events: The workshop is open to visitors in the last week of October.
deploy-days workflow User 75 confirmed 2 9 5 deploy: Deploys happen on Tuesday and Thursday, never on Friday.
staging-host fact P23 56 candidate 1 4 7 deploy: The staging host is db-2; db-1 was switched off.
shop-software fact P23 63 confirmed 2 10 9 shop: The shop runs on WooCommerce; orders go to the order service by webhook.
shop-move fact P23 43 candidate 0 1 2 shop: The shop moves from WooCommerce to Shopify in the autumn.
backup-night workflow P23 58 candidate 1 5 15 shop: The shop's database is backed up at three in the night, kept for thirty days.
password-manager preference User 81 applied 4 20 6 security: Passwords live in Bitwarden; nobody sends one by mail.
printer-tray workflow P23 13 candidate 0 1 48 office: Labels print from the lower tray.
office-plants fact P05 12 candidate 0 0 61 office: The fig tree is watered on Wednesdays.
coffee-order preference P21 14 candidate 0 1 52 office: Coffee is ordered at Boot in Amersfoort, five kilos at a time.
old-phone-number fact P02 11 candidate 0 0 88 office: The office can be called at 0513 62 90 14.
meeting-room-code fact P02 17 candidate 0 1 39 office: The code of the meeting room's display is on the whiteboard.
summer-hours workflow User 19 candidate 0 2 57 office: In July and August the workshop closes at three.
"""
# Damage for the doctor to find: key, column, and the bad value.
DAMAGED = (
    ("larch-second-source", "tags", "[supply, larch"),
    ("seed-mix", "updated_at", "milliseconds"),
    ("brand-photos", "embedding", "[0.12, 0.4"),
    ("fair-leeuwarden", "expires_at", "over"),
)
ADAPTATIONS = (
    ("invoice-terms-brightwater", "P11", "Drafts reminders to Brightwater on day 31."),
    ("newsletter-archive", "P21", "Moves newsletters to the archive as they come."),
    ("no-calls-before-ten", "P02", "Offers slots from ten o'clock on."),
    ("cut-off-time", "P19", "Prints labels at ten past two."),
)
# What agents change, add and remove since the user last looked.
CHANGED = {
    "carrier-postnl": "PostNL carries parcels up to twenty kilos, GLS the rest.",
    "open-role-carpenter": "The role of carpenter is filled: Sjoerd begins on the first of June.",
    "larch-supplier": "Larch comes from Van der Meulen in Drachten, cut to 20 millimetres.",
}
REMOVED = ("interview-room", "old-phone-number")
ADDED = """
sjoerd-begins contact P07 35 candidate 0 1 0 hiring: Sjoerd Bakker begins as carpenter on the first of June; Bo shows him round.
brightwater-big-order fact P11 44 candidate 0 1 0 brightwater,sales: Brightwater asked for 250 feeders at once, by the end of August.
gls-pickup workflow P19 38 candidate 0 1 0 shipping: GLS collects at four in the afternoon, not on Fridays.
"""

_SCHEMA = (
    "CREATE TABLE memories (id TEXT PRIMARY KEY, key TEXT UNIQUE NOT NULL, category TEXT NOT NULL, "
    "content TEXT NOT NULL, source_plugin TEXT NOT NULL, company_id TEXT, tags TEXT, embedding TEXT, "
    "confidence INTEGER NOT NULL CHECK (confidence >= 0 AND confidence <= 100), status TEXT NOT NULL, "
    "times_used INTEGER NOT NULL DEFAULT 0, times_confirmed INTEGER NOT NULL DEFAULT 0, "
    "created_at INTEGER, updated_at INTEGER, last_used_at INTEGER, expires_at INTEGER, "
    "notion_page_id TEXT, last_synced_at TEXT, deleted_at TEXT)",
    "CREATE TABLE observations (id TEXT PRIMARY KEY, plugin TEXT, action TEXT, context TEXT, observed_at INTEGER)",
    "CREATE TABLE adaptations (id TEXT PRIMARY KEY, memory_id TEXT REFERENCES memories (id), plugin TEXT, "
    "description TEXT, applied_at INTEGER, reverted_at INTEGER)",
)


def build(path: Path, now: float) -> Path:
    """Create the database as the user first saw it, and return its path."""
    import apsw

    path.parent.mkdir(parents=True)
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    with connection:
        for statement in _SCHEMA:
            connection.execute(statement)
        _insert(connection, MEMORIES, now)
        for key, plugin, description in ADAPTATIONS:
            row = (_id(f"ad {key}"), _id(key), plugin, description, int(now - 20 * DAY))
            connection.execute("INSERT INTO adaptations VALUES (?, ?, ?, ?, ?, NULL)", row)
        for key, column, value in DAMAGED:
            times = {"milliseconds": int(now - 26 * DAY) * 1000, "over": int(now - 30 * DAY)}
            connection.execute(
                f"UPDATE memories SET {column} = ? WHERE key = ?", (times.get(value, value), key)
            )
    connection.close()
    return path


def change_by_agents(path: Path, now: float) -> None:
    """Apply what its plugins did since."""
    import apsw

    connection = apsw.Connection(str(path))
    with connection:
        for key, text in CHANGED.items():
            sql = "UPDATE memories SET content = ?, updated_at = ? WHERE key = ?"
            connection.execute(sql, (text, int(now - 0.2 * DAY), key))
        connection.executemany("DELETE FROM memories WHERE key = ?", [(key,) for key in REMOVED])
        _insert(connection, ADDED, now)
    connection.close()


def _insert(connection: apsw.Connection, table: str, now: float) -> None:
    rows = []
    for line in table.strip().splitlines():
        head, _, content = line.partition(": ")
        key, category, source, confidence, status, confirmed, used, age, *tags = head.split()
        at = int(now - int(age) * DAY)
        tag_list = json.dumps(tags[0].split(",")) if tags else None
        rows.append(
            (_id(key), key, category, content, source, tag_list, int(confidence), status, int(used), int(confirmed),
             at - 40 * DAY, at, at if int(used) else None)
        )  # fmt: skip
    sql = (
        "INSERT INTO memories (id, key, category, content, source_plugin, tags, confidence, status, times_used,"
        " times_confirmed, created_at, updated_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    connection.executemany(sql, rows)


def _id(key: str) -> str:
    return hashlib.md5(key.encode(), usedforsecurity=False).hexdigest()
