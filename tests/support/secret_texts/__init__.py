"""Texts with secrets and texts that only look so, made at run time: nothing here is or was anybody's key."""
