"""The terminal screens: they call Workspace verbs and draw frozen records
(ARCHITECTURE, 'What may not happen')."""
