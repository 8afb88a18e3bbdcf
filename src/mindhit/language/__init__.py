"""Language: says what a text says. Summary, keywords, topics, title; knows nothing of the product.

    port.py      chooses the engine, and falls back to the built-in one
    asking.py    asks a model and pays for it, once
    prompts/     what models are asked, as versioned files
    outputs.py   what they may answer
    providers/   OpenAI, Gemini, Claude, compatible servers; a person's own key
    builtin/     the engine that needs no key and no network

Promises: always an answer, which says what made it; tokens are what the provider says, recorded
before an answer is used; nothing is paid twice; what a page says is data and never an instruction; a
person's own key is encrypted at rest and never shown, logged or exported. Owns `provider_keys`,
`model_answers` and the job `language:sweep`.
"""

from mindhit.language import store as _store
from mindhit.language.jobs import erase, forget_answers, jobs, schedules
from mindhit.language.limits import ANSWERS_KEPT_DAYS
from mindhit.language.model import (
    UNDETERMINED,
    Document,
    Engine,
    Keywords,
    Summary,
    Title,
    Topic,
    Topics,
)
from mindhit.language.port import Language
from mindhit.language.providers.kinds import ProviderKind
from mindhit.language.providers.model import (
    BadProvider,
    KeyUnreadable,
    ModelFailed,
    OwnProvider,
    OwnProviderNotFound,
    OwnProvidersOff,
    Reader,
    Reason,
)
from mindhit.language.providers.own import choose_own, drop_own, show_own
from mindhit.language.providers.testing import ProviderTester, Tested
from mindhit.language.settings import LanguageSettings
from mindhit.slices import Slice

SLICE = Slice(
    "language",
    settings=LanguageSettings,
    jobs=jobs,
    schedules=schedules,
    exports={"provider": _store.SHOW, "model_answers": _store.ANSWERS_OF_USER},
    erase=erase,
)

__all__ = [
    "ANSWERS_KEPT_DAYS",
    "SLICE",
    "UNDETERMINED",
    "BadProvider",
    "Document",
    "Engine",
    "KeyUnreadable",
    "Keywords",
    "Language",
    "LanguageSettings",
    "ModelFailed",
    "OwnProvider",
    "OwnProviderNotFound",
    "OwnProvidersOff",
    "ProviderKind",
    "ProviderTester",
    "Reader",
    "Reason",
    "Summary",
    "Tested",
    "Title",
    "Topic",
    "Topics",
    "choose_own",
    "drop_own",
    "forget_answers",
    "show_own",
]
