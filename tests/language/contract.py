"""A person's own provider, and answers of models that they paid for."""

from __future__ import annotations

from mindhit import language
from mindhit.accounts import Person, Scope
from mindhit.db import Database
from mindhit.language import ProviderKind, store
from tests.accounts.kit import settings
from tests.contract.slices import Contract, Ids


async def life(db: Database, person: Person, canary: str) -> Ids:
    async with db.transaction() as tx:
        await language.choose_own(
            tx,
            settings(),
            person.id,
            provider=ProviderKind.COMPATIBLE,
            model=canary,
            base_url=f"https://{canary}.example/v1",
            key=f"key {canary}".replace(" ", "-"),
        )
        await tx.run(store.KEEP_ANSWER, canary.encode(), person.id, f'{{"text":"{canary}"}}')
    return {}


CONTRACT = Contract(
    paths=("/v1/me/provider", "/v1/me/usage"),
    bodies={
        "PUT /v1/me/provider": {
            "provider": "openai",
            "model": "m",
            "key": "sk-eves-own-key-of-a-model",
        }
    },
    scopes={Scope.API: frozenset({"GET /v1/me/provider", "GET /v1/me/usage"})},
    life=life,
    not_exported={
        "provider_keys.sealed": "a secret, of use to nobody but its provider; whether there is one is there",
        "model_answers.key": "a hash of what was asked",
        "model_answers.asked_until": "of a question that has no answer yet",
    },
)
