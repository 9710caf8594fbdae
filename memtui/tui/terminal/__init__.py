"""What lies outside the screen: the external editor."""
