"""Reading a text: tokens, quantities, clauses, negation, vocabulary."""
