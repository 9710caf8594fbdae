"""The Inbox."""
