"""The parts of the soak, one a file; `tests.soak.part` has their contract."""
