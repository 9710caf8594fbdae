"""Programs that measure; they print ratios, and `run.py` writes results.md."""
