"""Keys of Azure: storage accounts, service buses, shared access signatures, client secrets, DevOps."""

from __future__ import annotations

from memtui.memory.secrets.detector import INSIDE, LONG, shaped

_BASE64 = r"[A-Za-z0-9+/]"

DETECTORS = (
    shaped(
        "azure-key",
        "accountkey",
        rf"[aA]ccount[kK]ey\s?=\s?(?P<secret>{_BASE64}{{60,90}}={{0,2}})",
        near=LONG,
    ),
    shaped(
        "azure-key",
        "sharedaccesskey sharedsecret",
        rf"[sS]hared(?:Access[kK]ey|Secret)\s?=\s?(?P<secret>{_BASE64}{{40,90}}={{0,2}})",
        near=LONG,
    ),
    # The signature of a SAS is 32 bytes, percent-encoded in a URL.
    shaped(
        "azure-sas", "sig=", r"sig=(?P<secret>(?:[A-Za-z0-9]|%2[bBfF]|[+/]){40,120}(?:%3[dD]|=))", near=LONG
    ),
    shaped(
        "azure-secret",
        "8q~",
        r"(?P<secret>(?<![\w.~-])[\w.~-]{3}[0-9]Q~[\w.~-]{31,34})(?![\w.~-])",
        near=INSIDE,
    ),
    shaped(
        "azure-devops",
        "azdo",
        r"(?P<secret>(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?!\w)",
        near=INSIDE,
    ),
)
