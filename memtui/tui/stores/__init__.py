"""The Stores screen: attached stores, the doctor, backups."""
