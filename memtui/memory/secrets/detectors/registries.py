"""Tokens of registries of packages and images."""

from __future__ import annotations

from memtui.memory.secrets.detector import prefixed

DETECTORS = (
    prefixed("npm-token", "npm_", r"[A-Za-z0-9]{30,}", composed=True),
    prefixed("pypi-token", "pypi-", r"[\w-]{50,}"),
    prefixed("docker-token", "dckr_pat_ dckr_oat_", r"[\w-]{20,}"),
    prefixed("rubygems-key", "rubygems_", r"[0-9a-f]{48}"),
    prefixed("crates-token", "cio", r"[A-Za-z0-9]{32}(?!\w)", composed=True),
    prefixed("nuget-key", "oy2", r"[a-z0-9]{43}(?!\w)"),
    prefixed("clojars-token", "CLOJARS_", r"[0-9a-f]{60}"),
    prefixed("artifactory-key", "AKCp", r"[A-Za-z0-9]{60,80}(?!\w)"),
    prefixed("artifactory-key", "cmVmdGtu", r"[A-Za-z0-9]{50,60}(?!\w)"),
    prefixed("packagist-token", "packagist_uut_ packagist_out_ packagist_org_", r"[0-9a-f]{60,}"),
)
