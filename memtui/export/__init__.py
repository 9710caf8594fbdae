"""Memories as text for agents, programs and people (S-70), packed within a budget."""
