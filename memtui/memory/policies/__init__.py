"""Policies: what an agent may read and write, which each of its writes and questions is judged by (S-61)."""
