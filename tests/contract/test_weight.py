"""What the API process must not load: it serves people, and starts in a moment."""

from __future__ import annotations

import ast
import subprocess
import sys

HEAVY = [
    *("numpy", "kiwipiepy", "scipy", "sklearn"),  # language
    *("pydantic_ai", "openai", "anthropic", "google.genai", "httpx", "httpx2"),  # its providers
    *("aiohttp", "brotli", "trafilatura", "lxml", "resiliparse", "selectolax"),  # fetching
    *("resvg_py", "stripe"),
]
LOADED = f"\nprint([name for name in {HEAVY} if name in sys.modules])"
# As `mindhit up` and `mindhit api` do it: the product wired, every route made and described.
MAKE = """
import sys
import mindhit.cli.app, mindhit.api.server, mindhit.language.builtin
from mindhit import wiring
from mindhit.api.app import create_app

product = wiring.product(wiring.make_settings())
wiring.install(product)
assert create_app(product, None).openapi()["paths"]
"""


def loaded(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program + LOADED], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_api_imports_nothing_that_computes() -> None:
    assert loaded(MAKE) == "[]"


def test_what_computes_would_be_seen() -> None:
    """What the worker loads for the same product is told by these names."""
    working = """
import sys
import mindhit.language.builtin.reading
import mindhit.fetching.fetcher, mindhit.fetching.text.extraction
"""
    seen = ast.literal_eval(loaded(working))
    assert {"numpy", "aiohttp", "brotli", "trafilatura", "lxml", "resiliparse"} <= set(seen)
