"""Tests that take too long for every run: kills, power cuts, disk faults, races, fuzzing, and the programs
that own the stores. `make soak` runs all parts, `make soak PART="races fuzz"` some of them."""
