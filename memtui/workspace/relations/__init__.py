"""Relations as they are read: lookup, neighborhood, clusters, dangling ends."""
