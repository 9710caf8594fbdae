"""From a key to the screen at rest, and how fast the program is there."""
