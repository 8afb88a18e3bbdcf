"""Settings of language: which models read texts, in which order, and within which limits."""

from __future__ import annotations

from typing import Self

from pydantic import SecretStr, field_validator, model_validator

from mindhit.language.limits import CALL_S, CALLS_AT_ONCE, OUTPUT_TOKENS
from mindhit.language.providers.kinds import ProviderKind
from mindhit.settings import Section, Words, setting

_KINDS = ", ".join(f"`{kind}`" for kind in ProviderKind)


class LanguageSettings(Section):
    heading = "Language models"

    language_providers: Words = setting(
        (),
        f"Model providers in the order in which they are tried: {_KINDS}. Without one, and whenever"
        " none of them answers, the built-in engine reads texts.",
    )
    openai_key: SecretStr | None = setting(None, "Key at OpenAI.")
    openai_model: str = setting("gpt-5-mini", "Model at OpenAI.")
    openai_url: str = setting("https://api.openai.com/v1", "OpenAI's address, or a proxy's.")
    gemini_key: SecretStr | None = setting(None, "Key at Google, for Gemini.")
    gemini_model: str = setting("gemini-2.5-flash", "Model at Google.")
    gemini_url: str = setting(
        "https://generativelanguage.googleapis.com", "Google's address, or a proxy's."
    )
    claude_key: SecretStr | None = setting(None, "Key at Anthropic, for Claude.")
    claude_model: str = setting("claude-haiku-4-5", "Model at Anthropic.")
    claude_url: str = setting("https://api.anthropic.com", "Anthropic's address, or a proxy's.")
    compatible_url: str | None = setting(
        None,
        "Address of a server that speaks OpenAI's protocol (Ollama, vLLM, llama.cpp), as in"
        " `http://127.0.0.1:11434/v1`; it may be in a private network.",
    )
    compatible_model: str | None = setting(None, "Model on that server.")
    compatible_key: SecretStr | None = setting(None, "Key of that server, if it wants one.")
    own_provider_keys: bool = setting(
        True, "Whether people may use a provider with a key of their own."
    )
    own_provider_hosts: Words = setting(
        (),
        "Hosts in private networks that people may choose as their own server; all other private"
        " addresses are refused.",
    )
    language_timeout: float = setting(
        CALL_S, "Longest time that one answer of a model may take.", unit="s", gt=0, le=600
    )
    language_calls: int = setting(
        CALLS_AT_ONCE, "Most calls of models at once, in each worker.", ge=1, le=100
    )
    language_output: int = setting(
        OUTPUT_TOKENS, "Longest answer of a model.", unit="tokens", ge=100, le=100_000
    )

    @field_validator("openai_url", "gemini_url", "claude_url", "compatible_url")
    @classmethod
    def _is_web_address(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return value.rstrip("/") if value else value

    @field_validator("language_providers")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [name for name in names if name not in set(ProviderKind)]
        if unknown or len(set(names)) < len(names):
            raise ValueError(f"must be some of {', '.join(ProviderKind)}, each once")
        return names

    @model_validator(mode="after")
    def _complete(self) -> Self:
        """A provider that can't be called is refused at start, not found out call by call."""
        for name in self.language_providers:
            if name == ProviderKind.COMPATIBLE:
                missing = [
                    f"MINDHIT_COMPATIBLE_{part.upper()}"
                    for part in ("url", "model")
                    if getattr(self, f"compatible_{part}") is None
                ]
            else:
                missing = [f"MINDHIT_{name.upper()}_KEY"] * (getattr(self, f"{name}_key") is None)
            if missing:
                raise ValueError(
                    f"MINDHIT_LANGUAGE_PROVIDERS names {name}: it needs {' and '.join(missing)}"
                )
        return self
