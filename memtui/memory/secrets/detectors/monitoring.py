"""Keys of services that monitor, log and measure."""

from __future__ import annotations

from memtui.memory.secrets.detector import INSIDE, prefixed, shaped

DETECTORS = (
    prefixed("databricks-token", "dapi", r"[0-9a-f]{32}(?:-[0-9])?(?!\w)"),
    prefixed("newrelic-key", "NRAK- NRJS- NRII- NRIQ- NRRA- NRSP-", r"[A-Za-z0-9_-]{19,}"),
    shaped(
        "newrelic-key",
        "nral",
        r"(?P<secret>(?<!\w)(?:eu01xx)?[0-9a-f]{30,36}(?:FFFF)?NRAL)(?!\w)",
        near=INSIDE,
    ),
    prefixed("sentry-token", "sntrys_", r"[\w+/=]{60,}"),
    prefixed("sentry-token", "sntryu_", r"[0-9a-f]{64}"),
    prefixed("grafana-token", "glc_", r"[A-Za-z0-9+/]{32,}={0,2}"),
    prefixed("grafana-token", "glsa_", r"[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}"),
    prefixed("honeycomb-key", "hcaik_ hcxik_ hcalk_ hcamk_", r"[a-z0-9]{58,}"),
    prefixed("dynatrace-token", "dt0c01. dt0s01. dt0s02.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    prefixed("posthog-key", "phx_", r"[A-Za-z0-9]{40,}"),
    prefixed("axiom-token", "xaat- xapt-", r"[0-9a-f-]{36}"),
    prefixed("segment-token", "sgp_", r"[A-Za-z0-9]{64}"),
    prefixed("sonar-token", "sqp_ squ_ sqa_", r"[0-9a-f]{40}(?!\w)"),
    prefixed("buildkite-token", "bkua_", r"[0-9a-f]{40}(?!\w)"),
    prefixed("circleci-token", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9]{18,26}_[0-9a-f]{40}"),
    prefixed(
        "launchdarkly-key",
        "sdk- api-",
        r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?!\w)",
    ),
)
