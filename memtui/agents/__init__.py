"""The doors through which agents come, and how their programs find them (S-80, S-87)."""
