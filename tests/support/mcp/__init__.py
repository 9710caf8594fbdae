"""Clients of the MCP server as a program."""
