"""Keys of payment services: Stripe, Square, Braintree, PayPal, Plaid, Razorpay, Flutterwave, Adyen."""

from __future__ import annotations

from memtui.memory.secrets.detector import INSIDE, prefixed, shaped

DETECTORS = (
    # pk_ is public.
    prefixed("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", r"[A-Za-z0-9+/=]{16,}"),
    prefixed("square-token", "sq0atp- sq0csp-", r"[\w-]{22,}"),
    prefixed("square-token", "EAAA", r"[\w-]{56,}"),
    shaped(
        "braintree-token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
        near=INSIDE,
    ),
    prefixed("plaid-token", "access-sandbox- access-development- access-production-", r"[0-9a-f-]{36}"),
    prefixed("flutterwave-key", "FLWSECK-", r"[0-9a-zA-Z]{12,40}-X"),
    prefixed("flutterwave-key", "FLWSECK_TEST-", r"[0-9a-zA-Z]{12,40}(?:-X)?"),
    prefixed("adyen-key", "AQE", r"[\w]{20,40}\.[\w-]{60,120}|[A-Za-z0-9+/=]{80,200}(?![A-Za-z0-9+/=])"),
    prefixed("lob-key", "live_ test_", r"[0-9a-f]{35}(?!\w)"),
    prefixed("easypost-key", "EZAK EZTK", r"[A-Za-z0-9]{50,60}"),
)
