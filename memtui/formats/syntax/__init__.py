"""Syntax shared by formats: front matter, JSON spans, timestamps, Markdown."""
