"""The providers whose models can be asked."""

from __future__ import annotations

from enum import StrEnum


class ProviderKind(StrEnum):
    OPENAI = "openai"
    GEMINI = "gemini"
    CLAUDE = "claude"
    COMPATIBLE = "compatible"  # any server that speaks OpenAI's protocol
