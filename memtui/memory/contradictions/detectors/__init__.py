"""One detector a file: each takes two aligned clauses and returns a finding or None."""
