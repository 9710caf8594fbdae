"""What several screens share: base classes, lists, panes, input, header and footer."""
