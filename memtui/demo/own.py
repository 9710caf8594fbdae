"""The demo's own store of memtui, what agents add to it later, and relations between stores."""

from __future__ import annotations

# The user's notes, oldest first: days ago, category, tags, text.
NOTES = """
23 preference ux: Ana wants a review flow that works by keyboard alone.
22 fact staging: The staging host is db-2; db-1 was switched off.
21 episode planning: Planning call with Bo on the second of November: shelves first, then the move.
20 rule privacy: Nothing about Lotte goes into the company's stores.
18 fact hiring: Noor has led hiring since May.
17 note move: The budget of the move was raised once, and nobody wrote down why.
16 preference writing: Reports begin with what is to be decided.
15 fact finance: Wages are paid on the twenty-fourth.
14 rule customers: A customer's address is never given to a carrier that we do not use.
13 episode planning: Call with the landlord: the roof is mended in April, in writing.
12 fact products: The squirrel-proof feeder is the one that comes back most.
11 note memtui: Check once a month what agents say about people.
10 rule mail: Nothing is sent to all customers without a second pair of eyes.
9 fact suppliers: Van der Meulen wants orders by phone.
8 preference travel: Trains rather than flights below a thousand kilometres.
7 note memtui: The demo's own store: everything here is memtui's, and goes when you quit.
6 fact shop: The shop had its best week in November.
5 episode hiring: Second interview with Sjoerd: he builds without drawings.
"""
# What agents remembered today: it contradicts or repeats memories of the stores.
AGENTS = """
fact staging: The staging host is db-1; db-2 was switched off.
fact finance: Expenses above 300 euros need a second signature.
rule deploy: Deploys happen on Monday and Thursday, never on Friday.
preference email: Archive newsletters without asking, keep the ones from suppliers.
fact hiring: Tomas leads hiring.
fact move: The warehouse moves to Harbour Road in June.
rule deploy: Deploys happen on Tuesday and Thursday, never on Friday.
"""
# An agent's relations, by words that find one memory each: source, kind, target, reason.
RELATIONS = (
    ("Swiss clients", "supports", "nine countries", "francs, because Larkfield ships there"),
    ("weekly review starts", "based on", "eleven employees", "the order is that of a small company"),
    ("nine countries", "based on", "order service moves", "orders from abroad come through it"),
    ("Expenses above 500", "belongs to", "eleven employees", ""),
    ("small guests", "belongs to", "made of larch", ""),
    (
        "Brightwater pays invoices net 30",
        "supports",
        "Buys 400 feeders",
        "both are about how Brightwater buys",
    ),
    ("shelves first", "supports", "Forty metres", "decided in that call"),
    ("Dock Street warehouse", "disputes", "Is the new warehouse", "two places for one warehouse"),
    ("roof is mended", "supports", "leaking roof", "what the landlord promised"),
    ("budget of the move was raised", "disputes", "18,000 euros", "nobody knows who agreed"),
)
PINNED = (("pull request herself", "Ana says so herself"), ("carries a pen", "must never fade"))
