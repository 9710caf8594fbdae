"""Verbs on several memories: what they will do, store by store, before they are asked for once."""
