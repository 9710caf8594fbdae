"""Tokens of bots and webhooks: Slack, Discord, Telegram, Microsoft Teams."""

from __future__ import annotations

from memtui.memory.secrets.detector import INSIDE, prefixed, shaped

DETECTORS = (
    prefixed(
        "slack-token", "xoxb- xoxp- xoxa- xoxe- xoxo- xoxr- xoxs- xoxc-", r"(?:\d-)?[0-9][A-Za-z0-9-]{9,}"
    ),
    prefixed("slack-token", "xoxd- xoxe.xoxp- xoxe.xoxb-", r"[A-Za-z0-9%-]{20,}"),
    prefixed("slack-token", "xapp-", r"[0-9]-[A-Za-z0-9-]{9,}"),
    shaped(
        "slack-webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Z0-9]{6,14}/[A-Z0-9]{6,20}"
        r"(?:/\d{10,20})?/(?P<secret>[A-Za-z0-9]{16,64})",
        near=INSIDE,
    ),
    # A user's number in base 64, a moment and a signature: no marker, but few texts have such dots.
    shaped(
        "discord-token",
        "",
        r"(?P<secret>(?<![\w.-])[MNO][A-Za-z][A-Za-z0-9_-]{22,26}\.[\w-]{6}\.[\w-]{27,40})(?![\w-])",
        near=INSIDE,
    ),
    shaped(
        "discord-webhook", "/api/webhooks/", r"/api/webhooks/\d{15,21}/(?P<secret>[\w-]{50,90})", near=INSIDE
    ),
    shaped("telegram-token", ":aa", r"(?P<secret>(?<![\w.-])\d{8,10}:AA[\w-]{32,35})(?![\w-])", near=INSIDE),
    shaped(
        "teams-webhook",
        "webhook.office.com",
        r"webhook\.office\.com/webhookb2/[\w@-]{20,90}/IncomingWebhook/(?P<secret>[0-9a-f]{32}/[\w-]{36}(?:/[\w-]{20,60})?)",
        near=INSIDE,
    ),
)
