"""The names of the kinds of secrets, and every sentence about tokens that stand for them."""

from __future__ import annotations

from memtui.errors import NotSaved, Refused

_NAMES = {
    "aws-key": "AWS key",
    "aws-secret": "AWS secret key",
    "google-key": "Google key",
    "google-oauth": "Google key",
    "azure-sas": "Azure SAS signature",
    "azure-devops": "Azure DevOps token",
    "github-token": "GitHub token",
    "gitlab-token": "GitLab token",
    "bitbucket-token": "Bitbucket token",
    "easypost-key": "EasyPost key",
    "sendgrid-key": "SendGrid key",
    "openai-key": "OpenAI key",
    "sk-key": "API key",
    "huggingface-token": "Hugging Face token",
    "xai-key": "xAI key",
    "nvidia-key": "NVIDIA key",
    "langsmith-key": "LangSmith key",
    "elevenlabs-key": "ElevenLabs key",
    "npm-token": "npm token",
    "pypi-token": "PyPI token",
    "rubygems-key": "RubyGems key",
    "crates-token": "crates.io token",
    "nuget-key": "NuGet key",
    "digitalocean-token": "DigitalOcean token",
    "fly-token": "Fly.io token",
    "planetscale-token": "PlanetScale token",
    "ngrok-token": "ngrok token",
    "newrelic-key": "New Relic key",
    "posthog-key": "PostHog key",
    "circleci-token": "CircleCI token",
    "launchdarkly-key": "LaunchDarkly key",
    "clickup-token": "ClickUp token",
    "frameio-token": "Frame.io token",
    "hubspot-token": "HubSpot token",
    "readme-key": "ReadMe key",
    "onepassword-token": "1Password token",
    "onepassword-key": "1Password secret key",
    "age-key": "private key",
    "private-key": "private key",
    "otp-seed": "one-time password seed",
    "pagerduty-key": "PagerDuty key",
    "wandb-key": "W&B key",
    "assemblyai-key": "AssemblyAI key",
    "card-number": "card number",
    "iban": "IBAN",
    "email": "e-mail address",
    "phone": "phone number",
    "jwt": "web token",
    "url-password": "connection string",
    "connection-password": "connection string",
    "url-token": "key in an address",
    "authorization": "authorization header",
    "cookie": "session cookie",
}


def name_of(kind: str) -> str:
    """Return the name of a kind of secret for people: "AWS key"."""
    if kind in _NAMES:
        return _NAMES[kind]
    provider, _, what = kind.rpartition("-")
    return f"{provider.capitalize()} {what}" if provider else kind


_TOKENS = "Leave it as it is, or take it out to remove the secret."


def token_doubled(token: str) -> Refused:
    return NotSaved("token", f"{token} is there twice; each stands for one secret.", _TOKENS)


def token_damaged() -> Refused:
    return NotSaved("token", "A part of a ⟦secret⟧ is missing.", _TOKENS)
