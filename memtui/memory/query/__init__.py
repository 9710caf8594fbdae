"""The query language: parsing, date ranges, completion."""
