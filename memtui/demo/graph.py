"""The assistant's MCP memory: people, firms, places and things around Larkfield and the move of its warehouse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

# name (type): observations, separated by semicolons.
ENTITIES = """
Larkfield (company): Sells bird feeders made of larch; Has eleven employees; Ships to nine countries; Was founded in 2016; Has twelve employees since June
Ana Larkin (person): Prefers tea to coffee; Lives in Utrecht; Speaks Dutch, English and some Frisian; Founded Larkfield; Moved from Utrecht to Sneek in March
Bo Janssen (person): Runs the warehouse; Is allergic to nuts; Works four days a week; Works five days a week until the move is done
Noor de Vries (person): Leads hiring since May; Is vegetarian; Reports to Ana
Tomas Horak (person): Went from hiring to operations in May; Prefers calls to mail; Is on parental leave from July on
Mehmet Aydin (person): Writes the order service; Works from Groningen; Is off on Wednesdays
Femke Postma (person): Runs the shop and the market stall; Comes by bicycle; Is allergic to penicillin
Sjoerd Bakker (person): Is the new carpenter; Owns the large bandsaw
Ines Alba (person): Was in accounts at Brightwater; Left in February
Karel Smit (person): Is in accounts at Brightwater; Answers on mail within a day
Joke Wiersma (person): Keeps the books; Wants papers on the first of a month
Piet van der Meulen (person): Cuts the larch; Takes orders by phone only
Pieter de Wit (person): Is married to Ana; Teaches chemistry; Must not eat shellfish
Lotte de Wit (person): Is the daughter of Ana and Pieter; Is nine years old; Plays the viola
Brightwater (company): Buys 400 feeders a year; Wants invoices as PDF, never as a link; Is the largest customer
Groen & Co (company): Buys feeders in red only; Pays within a week
Tuincentrum Friesland (company): Has seven shops; Wants a line in Frisian on each offer
Van der Meulen (company): Cuts larch in Drachten; Delivers on Tuesdays; Delivers on Thursdays
Hoekstra Hout (company): Has larch when others have none
Wiersma Boekhouding (company): Keeps Larkfield's books; Wants CSV, not XML
PostNL (company): Carries parcels up to ten kilos
GLS (company): Carries heavy parcels since April
DHL (company): Carried heavy parcels until April
Triodos (company): Holds the business account
WooCommerce (software): Runs the shop
Shopify (software): Is to run the shop from the autumn on
Order service (software): Takes orders by webhook; Is written in Python; Moves from Flask to FastAPI
Label printer (device): Stands by the packing table; Prints from the lower tray
Warehouse move (project): The warehouse moves to Harbour Road in January; status: postponed; date: the end of March; budget: 14,000 euros; budget: 18,000 euros; lead: Bo; shelves: Bo decides; keys: the old ones go back on the thirtieth; risk: nothing ships in the week of the move
Shelves (task): Forty metres are ordered; Are put up by Sjoerd and Bo; Arrive in week eleven
Lease Harbour Road (contract): Runs for five years; Costs 2,150 euros a month; Was signed by Ana
Lease Dock Street (contract): Ends on the thirty-first of March; Was 550 euros a month cheaper
Dock Street (place): Was the warehouse; Has no loading dock
Harbour Road (place): Is the new warehouse; Has a loading dock and a leaking roof
Roof repair (task): Is the landlord's to pay; Was promised for April
Forklift (device): Is rented from Terpstra; Needs a licence
Terpstra Verhuur (company): Rents out forklifts and scaffolds
Forklift licence (task): Bo has one; Sjoerd takes the course in June
Insurance (contract): Covers stock up to 80,000 euros; Must know of the new address
Alarm system (device): Has a code that only Ana and Bo know; Rings at the neighbour's first
Moving day (event): Is on the twenty-eighth of March; Begins at seven; Lunch is from the bakery
Rent a van (task): Two vans are booked; A third one is on hold
Address change (task): The chamber of commerce knows; The website does not yet; Suppliers were told by mail
Stocktaking (task): Is done before the move; Found 212 feeders too few
Utrecht market stall (event): Is on the second Saturday; Sells out of small feeders first
Garden fair Leeuwarden (event): Is on the ninth of June; Was postponed to September
Open workshop (event): Is in the last week of October
Team lunch (event): Is on the first Thursday; Has to be without nuts
Classic feeder (product): Sells best; Costs 39 euros; Costs 42 euros since May
Squirrel-proof feeder (product): Is taken back most often; Has a steel rim
Winter house (product): Is sold from October to February
Seed mix (product): Has no wheat in it
Larch (material): Comes from Drachten; Is cut to 18 millimetres
Linseed oil (material): Two coats dry overnight
Sneek (place): Is where Ana lives now
Utrecht (place): Is where the stall stands
Groningen (place): Is where Mehmet works
Switzerland (market): Needs three copies of the customs form; Is paid in francs
Germany (market): Is a third of all sales; Wants invoices in German
Spring newsletter (task): Goes out on the first Tuesday; Tells of the move
Price list 2026 (document): Holds from the first of May; Femke keeps it
Employee handbook (document): Is from 2021; Says nothing of parental leave
bo janssen (person): Has the keys of Harbour Road
Old website (software):
"""
# source > kind > target
RELATIONS = """
Ana Larkin > founded > Larkfield
Ana Larkin > lives_in > Sneek
Ana Larkin > signed > Lease Harbour Road
Ana Larkin > knows_code_of > Alarm system
Pieter de Wit > married_to > Ana Larkin
Lotte de Wit > daughter_of > Ana Larkin
Bo Janssen > works_at > Larkfield
Noor de Vries > works_at > Larkfield
Tomas Horak > works_at > Larkfield
Mehmet Aydin > works_at > Larkfield
Femke Postma > works_at > Larkfield
Sjoerd Bakker > works_at > Larkfield
Noor de Vries > took_over_from > Tomas Horak
Noor de Vries > hired > Sjoerd Bakker
Mehmet Aydin > writes > Order service
Mehmet Aydin > lives_in > Groningen
Femke Postma > runs > Utrecht market stall
Femke Postma > keeps > Price list 2026
Karel Smit > took_over_from > Ines Alba
Karel Smit > works_at > Brightwater
Ines Alba > worked_at > Brightwater
Joke Wiersma > runs > Wiersma Boekhouding
Wiersma Boekhouding > keeps_books_of > Larkfield
Piet van der Meulen > runs > Van der Meulen
Brightwater > buys_from > Larkfield
Groen & Co > buys_from > Larkfield
Tuincentrum Friesland > buys_from > Larkfield
Van der Meulen > supplies > Larkfield
Hoekstra Hout > may_supply > Larkfield
PostNL > carries_for > Larkfield
GLS > carries_for > Larkfield
DHL > carried_for > Larkfield
GLS > replaced > DHL
Triodos > bank_of > Larkfield
Larkfield > sells_at > Utrecht market stall
Larkfield > sells_at > Garden fair Leeuwarden
Larkfield > sells_to > Switzerland
Larkfield > sells_to > Germany
Larkfield > makes > Classic feeder
Larkfield > makes > Squirrel-proof feeder
Larkfield > makes > Winter house
Larkfield > makes > Seed mix
Larkfield > plans > Warehouse move
Classic feeder > made_of > Larch
Winter house > made_of > Larch
Squirrel-proof feeder > made_of > Larch
Larch > cut_by > Van der Meulen
Larch > treated_with > Linseed oil
Bo Janssen > leads > Warehouse move
Warehouse move > leaves > Dock Street
Warehouse move > leads_to > Harbour Road
Warehouse move > needs > Shelves
Warehouse move > needs > Rent a van
Warehouse move > needs > Stocktaking
Warehouse move > needs > Address change
Warehouse move > needs > Forklift
Warehouse move > needs > Insurance
Warehouse move > ends > Lease Dock Street
Warehouse move > begins > Lease Harbour Road
Warehouse move > told_in > Spring newsletter
Warehouse move > happens_on > Moving day
Shelves > put_up_by > Sjoerd Bakker
Shelves > stand_in > Harbour Road
Roof repair > is_for > Harbour Road
Lease Harbour Road > is_for > Harbour Road
Lease Dock Street > is_for > Dock Street
Alarm system > guards > Harbour Road
Forklift > rented_from > Terpstra Verhuur
Forklift > needs > Forklift licence
Bo Janssen > has > Forklift licence
Sjoerd Bakker > wants > Forklift licence
Insurance > covers > Harbour Road
Moving day > ends_with > Team lunch
Address change > concerns > Insurance
Order service > takes_orders_from > WooCommerce
Order service > prints_on > Label printer
Shopify > replaces > WooCommerce
Utrecht market stall > stands_in > Utrecht
Label printer > moves_to > harbour road
Stocktaking > done_by > Femke Postma
Old website > replaced_by > Wordpress site
"""
CHANGED = {
    "date: the end of March": "date: the middle of April",
    "Is on the twenty-eighth of March": "Is on the eighteenth of April",
    "Two vans are booked": "Two vans are cancelled and have to be booked anew",
}
ADDED = {
    "Warehouse move": ["landlord: the old keys may go back a fortnight later"],
    "Sjoerd Bakker": ["Begins on the first of June"],
    "Brightwater": ["Asked for 250 feeders by the end of August"],
    "Bo Janssen": ["Is away in the second week of April"],
}
REMOVED = ("A third one is on hold", "Lunch is from the bakery")


def build(path: Path) -> Path:
    """Create the file as the user first saw it, and return its path."""
    path.parent.mkdir(parents=True)
    path.write_text(_text(lambda name, observations: observations), "utf-8")
    return path


def change_by_agents(path: Path) -> None:
    """Apply what the assistant did since: the server rewrites the whole file."""

    def changed(name: str, observations: list[str]) -> list[str]:
        return [CHANGED.get(each, each) for each in observations if each not in REMOVED] + ADDED.get(name, [])

    path.write_text(_text(changed), "utf-8")


def _text(change: Callable[[str, list[str]], list[str]]) -> str:
    """Return the lines of the file, with `change` applied to the observations of each entity."""
    lines = []
    for line in ENTITIES.strip().splitlines():
        name, _, rest = line.partition(" (")
        kind, _, text = rest.partition("):")
        observations = [each.strip() for each in text.split(";") if each.strip()]
        entity = {"type": "entity", "name": name, "entityType": kind}
        lines.append({**entity, "observations": change(name, observations)})
    for line in RELATIONS.strip().splitlines():
        source, kind, target = line.split(" > ")
        lines.append({"type": "relation", "from": source, "to": target, "relationType": kind})
    return "\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
