"""Random queries and command lines, and the workspace that they are run on."""
