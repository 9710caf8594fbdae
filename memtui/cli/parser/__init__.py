"""The command table, options, parsing, help and shell completion."""
