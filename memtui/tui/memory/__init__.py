"""One memory: its text in lists and in detail, and the dialogs that edit, purge or transfer it."""
