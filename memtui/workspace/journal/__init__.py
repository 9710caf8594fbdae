"""The journal as it is read: entries, their items, history, what agents did."""
