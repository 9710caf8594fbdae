"""How many memories a verb changes without asking."""

from __future__ import annotations

FEW = 10
"""Memories of one store; more, or those of several stores, are shown store by store first."""
