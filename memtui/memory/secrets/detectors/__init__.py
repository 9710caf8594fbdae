"""The detectors of secrets, one idea a file with its `DETECTORS`; `registry.py` lists them."""
