"""One file per screen: what it shows, its keys, what it does on news."""
