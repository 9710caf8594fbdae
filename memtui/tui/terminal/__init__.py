"""What lies outside the screen: the clipboard and the external editor."""
