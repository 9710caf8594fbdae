"""Finding memories: by words, by meaning, by filters; facets and saved searches."""
