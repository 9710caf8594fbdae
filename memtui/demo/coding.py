"""Claude Code's memory of the order service: rules, projects, references, and an index."""

from __future__ import annotations

from pathlib import Path

# file, name, description, type, body
MEMORIES = (
    ("user_ana.md", "Ana, founder", "who Ana is and how she works", "user",
     "Ana founded Larkfield and reviews every pull request herself.\n\n**How to apply:** keep changes small enough to read over a coffee."),
    ("user_mehmet.md", "Mehmet, developer", "who writes the order service", "user",
     "Mehmet writes the order service, from Groningen. He is off on Wednesdays and reads diffs on his phone."),
    ("feedback_tests.md", "Real database in tests", "integration tests must not mock the database", "feedback",
     "Tests of the order service run against a real PostgreSQL.\n\n**Why:** a mocked migration passed and broke production in March.\n\n**How to apply:** start the database with `make db`, see [[project_orders]]."),
    ("feedback_commits.md", "Commits say why", "commit messages give the reason, not the list of files", "feedback",
     "A commit message says why in one sentence; the diff says what.\n\n**Why:** Ana reads the log as a diary."),
    ("feedback_small_prs.md", "Small pull requests", "at most two hundred lines", "feedback",
     "A pull request has at most two hundred lines.\n\n**Why:** larger ones wait for days. See [[user_ana]]."),
    ("feedback_pr_size.md", "Size of pull requests", "at most four hundred lines", "feedback",
     "A pull request has at most four hundred lines."),
    ("feedback_no_orm.md", "No ORM in handlers", "handlers call functions, not models", "feedback",
     "Handlers never touch the ORM; they call a function in `orders/store.py`."),
    ("feedback_errors.md", "Errors have an id", "every error that a customer sees has an id", "feedback",
     "Every error that a customer sees carries an id that stands in the log, too.\n\n**Why:** Femke is read the id over the phone."),
    ("feedback_naming.md", "Names of queues", "queues are named by verb and noun", "feedback",
     "Queues are named by verb and noun: `print-label`, `send-invoice`."),
    ("feedback_dates.md", "Dates in UTC", "times are stored in UTC, shown in Amsterdam", "feedback",
     "Times are stored in UTC and shown in Amsterdam time."),
    ("project_orders.md", "Order service", "state of the order service rewrite", "project",
     "The order service moves from Flask to FastAPI until the end of the year.\n\n**Why:** the old one blocks under load. See [[user_ana]] for who decides."),
    ("project_orders_done.md", "Order service, switched", "the rewrite is done", "project",
     "The order service was switched from Flask to FastAPI on the fourth of May. See [[project-orders]]."),
    ("project_labels.md", "Label printing", "labels print by a queue", "project",
     "Labels are printed by the queue `print-label`; the printer stands by the packing table, see [[reference_printers]]."),
    ("project_shopify.md", "Shop moves to Shopify", "the shop's move in the autumn", "project",
     "The shop moves from WooCommerce to Shopify in September.\n\n**How to apply:** nothing new that knows WooCommerce; see [[project_webhooks]]."),
    ("project_shopify_later.md", "Shopify postponed", "the move of the shop was put off", "project",
     "The move of the shop to Shopify was postponed from September to January. See [[project_shopify]]."),
    ("project_webhooks.md", "Webhooks", "how orders come in", "project",
     "Orders come in by webhook, are checked by signature and put into `orders.inbox`."),
    ("project_invoices.md", "Invoices", "how invoices are made", "project",
     "Invoices are PDF, made at night; numbers have no gaps.\n\n**Why:** the tax office asks for it."),
    ("project_vat.md", "VAT rates", "which rates apply", "project",
     "VAT is 21 percent in the Netherlands; abroad the rate of the country counts, from `vat.toml`."),
    ("project_staging.md", "Staging", "which host is staging", "project",
     "Staging is db-2. It is reset every night at two."),
    ("project_staging_old.md", "Staging host", "which host is staging", "project",
     "Staging is db-1. It is reset every Sunday."),
    ("reference_dashboards.md", "Dashboards", "where the numbers are", "reference",
     "Grafana holds the service numbers, Metabase the business ones."),
    ("reference_printers.md", "Printers", "what the printers are called", "reference",
     "The label printer is `zebra-1`; its twin in the office is `zebra-2`."),
    ("reference_runbook.md", "Runbook", "what to do when orders stop", "reference",
     "When orders stop: look at `orders.inbox`, then at the signature key, then call Mehmet."),
    ("reference_staging_db.md", "Staging database", "how to get into the staging database", "reference",
     "The staging database is `postgresql://orders:larch-and-oak-18@db-2/orders`."),
    ("reference_accounts.md", "Accounts", "where accounts are kept", "reference",
     "Accounts of the services are in Bitwarden, in the folder “Larkfield / services”."),
)  # fmt: skip
NESTED = (
    "project-python.md",
    "---\nname: project-python\ndescription: which Python the services run on\nmetadata: \n"
    "  node_type: memory\n  type: project\n  originSessionId: 7f3a52c1-larkfield\n---\n\n"
    "All services run on Python 3.12; 3.11 was dropped in November.\n",
)
UNLISTED = ("feedback_naming.md", "project_vat.md")  # files that the index does not list
NOTES = """\

## Notes

- Staging is reset every night at two.
- The linter is ruff; the formatter is ruff too.
- Load tests run on Thursday evening, never during a sale.
- The webhook's secret is rotated in January and July.
- Mehmet wants type hints in tests, too.

## Elsewhere

- [Old notes](../archive/notes.md) — before the rewrite
- [On call](reference-runbook.md) — what to do when orders stop
"""
CHANGED = {
    "project_invoices.md": ("made at night", "made within the hour"),
    "reference_dashboards.md": (
        "Metabase the business ones",
        "Metabase the business ones, Sentry the errors",
    ),
}
ADDED = (
    "feedback_flags.md", "Feature flags", "new things begin behind a flag", "feedback",
    "What customers see begins behind a flag, off by default.\n\n**Why:** the checkout was broken for an hour in May.",
)  # fmt: skip
REMOVED = "feedback_no_orm.md"


def build(folder: Path) -> Path:
    """Create the folder as the user first saw it, and return its path."""
    folder.mkdir(parents=True)
    index = []
    for memory in MEMORIES:
        file, name, description = memory[:3]
        (folder / file).write_text(_text(*memory[1:]), "utf-8")
        if file not in UNLISTED:
            index.append(f"- [{name}]({file}) — {description}\n")
    (folder / NESTED[0]).write_text(NESTED[1], "utf-8")
    index.append(f"- [Python version]({NESTED[0]}) — which Python the services run on\n")
    (folder / "MEMORY.md").write_text("".join(index) + NOTES, "utf-8")
    return folder


def change_by_agents(folder: Path) -> None:
    """Apply what sessions did since."""
    for file, (old, new) in CHANGED.items():
        path = folder / file
        path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    index = (folder / "MEMORY.md").read_text("utf-8").splitlines(keepends=True)
    (folder / REMOVED).unlink()
    (folder / ADDED[0]).write_text(_text(*ADDED[1:]), "utf-8")
    kept = [line for line in index if REMOVED not in line]
    (folder / "MEMORY.md").write_text(f"- [{ADDED[1]}]({ADDED[0]}) — {ADDED[2]}\n" + "".join(kept), "utf-8")


def _text(name: str, description: str, kind: str, body: str) -> str:
    return f"---\nname: {name}\ndescription: {description}\ntype: {kind}\n---\n\n{body}\n"
