"""The faults of LIMITS 4, each caused by real means."""
