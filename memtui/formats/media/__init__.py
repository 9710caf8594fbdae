"""Where stores live: folders of files, and SQLite databases."""
