"""Our database and its verbs."""
