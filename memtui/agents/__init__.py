"""The doors through which agents come: today MCP (S-80)."""
