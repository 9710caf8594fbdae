"""Commands about stores and the workspace itself."""
