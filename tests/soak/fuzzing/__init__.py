"""Random queries and command lines, and the workspace for them."""
