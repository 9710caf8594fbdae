"""Detectors of contradictions between two clauses, one idea a file."""
