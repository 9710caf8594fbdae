"""Embeddings: where vectors are kept and searched, and the model that makes them."""
