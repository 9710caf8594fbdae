"""Parsing of text: tokens, quantities, clauses, negation, vocabulary."""
