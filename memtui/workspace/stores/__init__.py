"""The attached stores: their catalog and their backups."""
