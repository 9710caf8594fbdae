"""The Decay screen: what leaves when, and the run that removes it."""
