"""The knowledge graph of the MCP memory server: JSON lines of entities and relations."""

from memtui.formats.mcp_memory.adapter import McpMemory

__all__ = ["McpMemory"]
