"""Text on the screen: glyphs and counts, layout of paragraphs and tables, word differences."""
