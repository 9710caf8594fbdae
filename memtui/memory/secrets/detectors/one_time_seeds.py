"""Seeds of one-time passwords: otpauth:// addresses, and base 32 next to the name."""

from __future__ import annotations

from memtui.memory.secrets.detector import shaped

DETECTORS = (
    shaped(
        "otp-seed",
        "otpauth://",
        r"otpauth://[th]otp/[^\s\"'<>]{0,300}?[?&]secret=(?P<secret>[A-Za-z2-7]{16,128}=*)",
    ),
    shaped(
        "otp-seed",
        "totp mfa 2fa authenticator",
        r"[tTmM2aA](?:(?i:otp)|(?i:fa)|(?i:uthenticator))(?i:[\w ()-]{0,20}(?:secret|seed|key|setup))"
        r"(?i:[\w ()-]{0,20})[\"'`*]{0,3}\s{0,3}(?:[:=]|is)?\s{0,3}[\"'`*]{0,3}"
        r"(?P<secret>(?<!\w)(?:[A-Z2-7]{16,64}|(?:[A-Za-z2-7]{4} ){3,15}[A-Za-z2-7]{4}))(?!\w)",
    ),
)
