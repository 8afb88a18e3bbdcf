"""Every text that people read, as one list to be read whole: English, and Korean where there is one.

    python -m tools.strings        `make node_modules/.package-lock.json` comes first

Web app and extension from their tables; mails, errors, commands and API summaries from the program.
"""

import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer

import mindhit
from mindhit import wiring
from mindhit.accounts import Language
from mindhit.accounts.mails.texts import Mail, write
from mindhit.api.app import create_app
from mindhit.cli.app import app as commands
from mindhit.errors import MindHitError, summary

ROOT: Final = Path(__file__).resolve().parents[1]
Row = tuple[str, str, str]  # where, English, Korean
_BUNDLE: Final = """
const { buildSync } = require("esbuild");
const [made] = buildSync({ entryPoints: ["web/src/i18n/messages.ts"], bundle: true, write: false,
  format: "cjs", external: ["react*"] }).outputFiles;
const module_ = { exports: {} };
new Function("module", "exports", "require", made.text)(module_, module_.exports, require);
console.log(JSON.stringify(module_.exports));
"""


def web() -> Iterator[Row]:
    node = [sys.executable, "tools/node.py", "exec", "--", "node", "-e", _BUNDLE]
    texts = json.loads(subprocess.run(node, check=True, capture_output=True, cwd=ROOT).stdout)
    korean = dict(_flat(texts["ko"]))
    for key, english in _flat(texts["en"]):
        yield f"web {key}", english, korean[key]


def _flat(texts: dict[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in texts.items():
        if isinstance(value, str):
            yield above + key, value
        else:
            yield from _flat(value, f"{above}{key}.")


def extension() -> Iterator[Row]:
    folder = ROOT / "extension" / "public" / "_locales"
    english, korean = (
        json.loads((folder / language / "messages.json").read_text(encoding="utf-8"))
        for language in ("en", "ko")
    )
    for key, text in english.items():
        yield f"extension {key}", text["message"], korean[key]["message"]


def mails() -> Iterator[Row]:
    for mail in Mail:
        english, korean = (
            write(mail, language, "you@example.org", "https://mind.example/link", "id@mind.example")
            for language in (Language.EN, Language.KO)
        )
        yield f"mail {mail} subject", english.subject, korean.subject
        yield f"mail {mail}", english.text, korean.text


def errors() -> Iterator[Row]:
    for info in pkgutil.walk_packages(mindhit.__path__, "mindhit."):
        if not info.name.endswith("__main__"):
            importlib.import_module(info.name)
    seen: list[type[MindHitError]] = [MindHitError]
    for error in seen:
        seen += error.__subclasses__()
        yield f"error {error.__name__}", summary(error), ""


def cli() -> Iterator[Row]:
    def walk(command: Any, name: str) -> Iterator[Row]:
        yield f"$ {name}", inspect.cleandoc(command.help or ""), ""
        for parameter in command.params:
            if help_ := getattr(parameter, "help", None):
                yield f"$ {name} {parameter.opts[0]}", help_, ""
        for below in getattr(command, "commands", {}).values():
            yield from walk(below, f"{name} {below.name}")

    yield from walk(typer.main.get_command(commands), "mindhit")


def api() -> Iterator[Row]:
    document = create_app(wiring.product(wiring.make_settings())).openapi()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            said = " — ".join(filter(None, (operation["summary"], operation.get("description"))))
            yield f"{method.upper()} {path}", said, ""


def main() -> int:
    for source in (web, extension, mails, errors, cli, api):
        print(f"\n## {source.__name__}\n\n| where | English | Korean |\n|---|---|---|")
        for row in source():
            print("| " + " | ".join(each.replace("\n", " ⏎ ") for each in row) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
