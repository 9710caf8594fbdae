"""The readers, one a file; `registry.py` finds them."""
