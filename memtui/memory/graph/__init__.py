"""The relation graph as data: model and connected components."""
