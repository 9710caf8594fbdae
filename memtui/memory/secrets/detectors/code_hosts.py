"""Tokens of GitHub, GitLab, Bitbucket and Gitea hosts, by prefix."""

from __future__ import annotations

from memtui.memory.secrets.detector import prefixed

DETECTORS = (
    prefixed("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{30,}"),
    prefixed("github-token", "github_pat_", r"[A-Za-z0-9_]{22,}"),
    prefixed(
        "gitlab-token",
        "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-",
        r"[\w-]{20,}(?:\.[0-9a-z]{2,3}\.?[0-9a-z]{7,9})?",
    ),
    prefixed("gitlab-token", "GR1348941", r"[\w-]{20,}"),
    prefixed("bitbucket-token", "ATBB", r"[A-Za-z0-9_=.-]{24,}"),
    prefixed("bitbucket-token", "ATCTT3", r"[A-Za-z0-9_=.-]{40,}"),
)
