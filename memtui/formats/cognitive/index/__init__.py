"""`_index.json`: its entries, and the file with its bytes kept."""
