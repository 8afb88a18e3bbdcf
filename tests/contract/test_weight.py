"""What the API process must not load: it serves people, and starts in a moment."""

from __future__ import annotations

import subprocess
import sys

HEAVY = [
    *("numpy", "kiwipiepy", "scipy", "sklearn", "trafilatura", "lxml"),
    *("pydantic_ai", "openai", "anthropic", "google.genai", "httpx2", "stripe"),
]


def test_the_api_imports_nothing_that_computes() -> None:
    program = (
        "import sys, mindhit.api.server, mindhit.wiring, mindhit.language.builtin, mindhit.cli.app\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
