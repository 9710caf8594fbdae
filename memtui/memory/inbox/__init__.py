"""What needs the person: its items, how they are listed, and why each is there."""
