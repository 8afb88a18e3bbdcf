"""Documents made from the code: the OpenAPI description and the table of settings."""

from __future__ import annotations

import json
import sys

from mindhit.api import create_app
from mindhit.settings import Settings, reference


def openapi() -> None:
    """Print the OpenAPI document."""
    document = create_app(Settings()).openapi()
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def configuration() -> None:
    """Print docs/configuration.md."""
    sys.stdout.write(reference())
