"""Reading the journal: entries, their items, history, what agents did."""
