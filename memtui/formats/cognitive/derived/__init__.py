"""The files that Cognitive Memory derives from its memories: the index, scores, CORE.md, REFLECTION.md."""
