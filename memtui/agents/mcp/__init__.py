"""The MCP server: tools, resources and a prompt over the verbs that agents have in `Workspace` (S-80)."""
