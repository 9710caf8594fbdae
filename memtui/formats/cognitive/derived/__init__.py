"""The files that Cognitive Memory derives from its memories: CORE.md, REFLECTION.md, scores."""
