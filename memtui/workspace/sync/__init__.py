"""Attaching stores and reading what agents wrote into them."""
