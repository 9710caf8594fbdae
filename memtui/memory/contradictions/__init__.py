"""What two memories are to each other: detectors of contradictions, and the gate before merging (S-40,
S-41)."""
