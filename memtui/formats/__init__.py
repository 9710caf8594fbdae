"""One file per store format: foreign bytes ⇄ records. Knows nothing of the workspace."""
