"""The exporters, one a file; `registry.py` finds them."""
