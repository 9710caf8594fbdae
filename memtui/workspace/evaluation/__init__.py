"""Measuring retrieval and contradiction detection on labelled sets."""
