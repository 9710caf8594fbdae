"""Lifecycles: how memories gain, fade and end, each as pure functions (SPEC 4)."""
