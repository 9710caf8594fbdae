"""What decay will do, and doing it."""
