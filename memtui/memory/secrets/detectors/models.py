"""Keys of services that run language models."""

from __future__ import annotations

from memtui.memory.secrets.detector import prefixed

DETECTORS = (
    prefixed("anthropic-key", "sk-ant-", r"[\w-]{20,}"),
    prefixed("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"[\w-]{20,}"),
    # OpenAI, DeepSeek, OpenRouter, Langfuse, LiteLLM and others.
    prefixed("sk-key", "sk-", r"[\w-]{20,}", composed=True),
    prefixed("huggingface-token", "hf_", r"[A-Za-z0-9]{30,}", composed=True),
    prefixed("huggingface-token", "api_org_", r"[A-Za-z0-9]{30,}"),
    prefixed("groq-key", "gsk_", r"[A-Za-z0-9]{40,}"),
    prefixed("xai-key", "xai-", r"[A-Za-z0-9]{60,}"),
    prefixed("perplexity-key", "pplx-", r"[A-Za-z0-9]{40,}"),
    prefixed("replicate-token", "r8_", r"[A-Za-z0-9]{36,}"),
    prefixed("nvidia-key", "nvapi-", r"[\w-]{50,}"),
    prefixed("pinecone-key", "pcsk_", r"[A-Za-z0-9_]{50,}"),
    prefixed("langsmith-key", "lsv2_pt_ lsv2_sk_", r"[0-9a-f]{32}_[0-9a-f]{10}"),
    prefixed("tavily-key", "tvly-", r"(?:dev-|prod-)?[A-Za-z0-9]{20,}"),
    prefixed("elevenlabs-key", "sk_", r"[0-9a-f]{48}(?!\w)"),
    prefixed("fireworks-key", "fw_", r"[A-Za-z0-9]{22,}", composed=True),
    prefixed("together-key", "tgp_v1_", r"[\w-]{40,}"),
    prefixed("cerebras-key", "csk-", r"[a-z0-9]{40,}"),
    prefixed("jina-key", "jina_", r"[\w-]{50,}"),
    prefixed("voyage-key", "pa-", r"[\w-]{43}(?![\w-])", composed=True),
    prefixed("firecrawl-key", "fc-", r"[0-9a-f]{32}(?![\w-])"),
    prefixed("exa-key", "api-", r"[A-Z0-9]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?!\w)"),
)
