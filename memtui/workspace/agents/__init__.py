"""What agents did, agent by agent."""
