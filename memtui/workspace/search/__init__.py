"""Finding memories by words, by meaning and by filters; facets and saved searches.

Search is raw SQL throughout: statements over any number of rows, with the full-text index, functions of the
connection, generated columns, and conditions that are put together from a query.
"""
