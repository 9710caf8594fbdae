"""The terminal screens: they call Workspace verbs and draw frozen records (DESIGN walls 2 to 8)."""
