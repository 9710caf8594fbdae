"""The Inbox: one queue of what needs the person."""
