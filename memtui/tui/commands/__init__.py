"""What keys do, as data: the commands of screens and of dialogs. `command_table` puts them together."""
