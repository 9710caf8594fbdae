"""Keys and tokens of Google and of smaller clouds, hosts and networks."""

from __future__ import annotations

from memtui.memory.secrets.detector import LONG, prefixed, shaped

DETECTORS = (
    prefixed("google-key", "AIza", r"[\w-]{35}(?![\w-])"),
    prefixed("google-oauth", "ya29.", r"[\w-]{20,}"),
    prefixed("google-oauth", "GOCSPX-", r"[\w-]{20,}"),
    prefixed("google-oauth", "1//0", r"[\w-]{30,}"),
    prefixed("cloudflare-token", "cfut_ cfat_ cfk_", r"[A-Za-z0-9_-]{40,}"),
    prefixed("cloudflare-token", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{140,150}"),
    prefixed("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{64}"),
    prefixed("heroku-key", "HRKU-", r"[\w-]{36,70}"),
    prefixed("fly-token", "fo1_ fm1r_ fm1a_ fm2_", r"[\w+/=-]{40,}"),
    prefixed("netlify-token", "nfp_ nfc_ nfo_ nfu_", r"[A-Za-z0-9]{36,}"),
    prefixed("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", r"[A-Za-z0-9_-]{24,}", composed=True),
    prefixed("render-key", "rnd_", r"[A-Za-z0-9]{28,}", composed=True),
    prefixed("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w.=-]{30,}"),
    prefixed("supabase-key", "sbp_", r"[0-9a-f]{40}(?!\w)"),
    prefixed("supabase-key", "sb_secret_", r"[\w-]{20,}"),
    prefixed("neon-key", "napi_", r"[a-z0-9]{60,}"),
    prefixed(
        "tailscale-key", "tskey-", r"(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{16,64}"
    ),
    prefixed("alibaba-key", "LTAI", r"[A-Za-z0-9]{12,26}(?!\w)", composed=True),
    prefixed("tencent-key", "AKID", r"[A-Za-z0-9]{32}(?!\w)"),
    prefixed("yandex-key", "AQVN", r"[\w-]{35,38}(?![\w-])"),
    prefixed("deno-token", "ddp_ ddo_", r"[A-Za-z0-9]{36}(?!\w)"),
    prefixed("dropbox-token", "sl.", r"(?:u\.)?[\w-]{120,}"),
    shaped(
        "ngrok-token",
        "ngrok",
        r"(?i:ngrok)[^\n]{0,60}?(?P<secret>(?<!\w)[0-9][A-Za-z0-9]{26}_[A-Za-z0-9]{21})(?!\w)",
        near=LONG,
    ),
)
