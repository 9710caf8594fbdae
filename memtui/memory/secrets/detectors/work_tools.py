"""Tokens of the tools that teams work with."""

from __future__ import annotations

from memtui.memory.secrets.detector import INSIDE, prefixed, shaped

DETECTORS = (
    prefixed("notion-token", "ntn_", r"[A-Za-z0-9]{40,}"),
    prefixed("notion-token", "secret_", r"[A-Za-z0-9]{43}(?!\w)", composed=True),
    prefixed("linear-key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,}"),
    prefixed("figma-token", "figd_ figo_ figu_", r"[\w-]{36,}"),
    prefixed("atlassian-token", "ATATT3", r"[\w=.-]{50,}"),
    prefixed("atlassian-token", "ATTA", r"[0-9a-fA-F]{64,80}(?!\w)"),
    prefixed("shopify-token", "shpat_ shpca_ shppa_ shpss_ shprt_", r"[0-9a-fA-F]{32}(?!\w)"),
    prefixed("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}(?!\w)"),
    shaped(
        "asana-token",
        "1/ 2/",
        r"(?P<secret>(?<![\w/])[12]/\d{10,20}(?:/\d{10,20})?:[0-9a-f]{32})(?!\w)",
        near=INSIDE,
    ),
    prefixed("hubspot-token", "pat-", r"(?:na|eu|ap)[0-9]-[0-9a-f]{8}-[0-9a-f-]{27}"),
    prefixed("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    prefixed("contentful-token", "CFPAT-", r"[\w-]{40,}"),
    prefixed("typeform-token", "tfp_", r"[\w-]{40,}"),
    prefixed("clickup-token", "pk_", r"\d{4,12}_[A-Z0-9]{32}(?!\w)"),
    prefixed("mapbox-token", "sk.eyJ", r"[\w-]{40,}\.[\w-]{20,}"),
    prefixed("readme-key", "rdme_", r"[a-z0-9]{60,}"),
    prefixed("prefect-key", "pnu_ pnb_", r"[A-Za-z0-9]{36}(?!\w)"),
    prefixed("duffel-token", "duffel_live_ duffel_test_", r"[\w-]{40,}"),
    prefixed("meta-token", "EAA", r"[B-Z][A-Za-z0-9]{60,}"),
    prefixed("twitter-token", "AAAAAAAAAAAAAAAAAAAAA", r"[A-Za-z0-9%]{50,}"),
    prefixed("frameio-token", "fio-u-", r"[\w=-]{60,}"),
)
