"""The pane of connected agents on the Stores screen."""
