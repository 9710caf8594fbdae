"""What can go wrong, one by one: LIMITS 4, brought about by real means."""
