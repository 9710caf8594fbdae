"""Keys of services that send mail and messages."""

from __future__ import annotations

from memtui.memory.secrets.detector import INSIDE, LONG, prefixed, shaped

_HEX = "0123456789abcdef"

DETECTORS = (
    prefixed("twilio-key", " ".join(f"SK{digit}" for digit in _HEX), r"[0-9a-f]{31}(?!\w)"),
    prefixed("sendgrid-key", "SG.", r"[\w-]{16,32}\.[\w-]{16,64}(?![\w-])"),
    prefixed("mailgun-key", "key-", r"[0-9a-f]{32}(?![\w-])"),
    prefixed("mailgun-key", "pubkey-", r"[0-9a-f]{32}(?![\w-])"),
    shaped(
        "mailgun-key",
        "mailgun",
        r"(?i:mailgun)[^\n]{0,60}?(?P<secret>(?<![\w-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?![\w-])",
        near=LONG,
    ),
    shaped("mailchimp-key", "-us", r"(?P<secret>(?<![\w-])[0-9a-f]{32}-us[0-9]{1,2})(?![\w-])", near=INSIDE),
    prefixed("brevo-key", "xkeysib- xsmtpsib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    prefixed("resend-key", "re_", r"[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?!\w)"),
    prefixed("mandrill-key", "md-", r"[\w-]{22}(?![\w-])", composed=True),
    prefixed("klaviyo-key", "pk_", r"[0-9a-f]{34}(?!\w)"),
)
