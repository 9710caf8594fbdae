"""What is too long for every run of the tests: kills, power cuts, full disks, races, fuzzing, and the
programs that own the stores. `make soak` runs all parts, `make soak PART="races fuzz"` some of them."""
