"""What agents' programs wait for: the server's start, hooks, recall, answers about what is hidden."""
