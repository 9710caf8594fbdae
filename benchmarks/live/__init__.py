"""Keys while agents write: files and databases of their own, or through MCP servers."""
