"""Build hook: a wheel or sdist of MindHit carries the built web app and the browser extension.

What happens depends on what is there:

    both built          nothing, unless their sources are newer: an sdist brings them along, so that
                        installing from one needs no Node
    editable install    nothing: `make web extension` builds when the developer wants it
    Node on PATH        npm ci, then the build of what is missing
    no Node             the same with the wheel of Node, asked for as a build requirement
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NoReturn

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# --ignore-scripts: nothing that the build needs has an install script, so none gets to run.
INSTALL = ("npm", "ci", "--ignore-scripts")


@dataclass(frozen=True)
class Part:
    """A workspace of npm: what its build writes, and what that is made from."""

    workspace: str
    outcomes: tuple[str, ...]
    sources: tuple[str, ...]

    def is_built(self, root: Path) -> bool:
        files = [root / name for name in self.outcomes]
        if not all(file.is_file() for file in files):
            return False
        return min(file.stat().st_mtime for file in files) >= self.changed_at(root)

    def changed_at(self, root: Path) -> float:
        """When its sources changed last. An sdist gives all its files one time."""
        folders = [root / name for name in self.sources]
        files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
        return max((file.stat().st_mtime for file in files), default=0.0)


PARTS = (
    Part(
        "web",
        outcomes=("src/mindhit/api/static/index.html",),
        sources=("web/src", "web/public", "clients/ts/src"),
    ),
    Part(
        "extension",
        outcomes=(
            "extension/.output/chrome-mv3/manifest.json",
            "extension/.output/firefox-mv3/manifest.json",
        ),
        sources=("extension/src", "extension/public", "clients/ts/src"),
    ),
)
# Where the extension's builds are in a wheel; src/mindhit/extension/built.py finds them there.
PACKED = {
    "extension/.output/chrome-mv3": "mindhit/extension/files/chrome",
    "extension/.output/firefox-mv3": "mindhit/extension/files/firefox",
}


class WebAppAndExtension(BuildHookInterface[Any]):
    """Builds both before the files are collected."""

    def dependencies(self) -> list[str]:
        if not self.missing() or is_asked_for_editable():
            return []
        node = self.node()
        return [] if node.is_on_path() else [node.REQUIREMENT]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        if self.missing():
            self.build()
        if self.target_name == "wheel":
            build_data["force_include"].update(PACKED)

    def build(self) -> None:
        node = self.node()
        with tempfile.TemporaryDirectory(prefix="mindhit-node-") as scratch:
            try:
                folder = None if node.is_on_path() else node.wrap_wheel(Path(scratch))
            except node.NodeMissing as missing:
                self.give_up(f"{missing}, and there is no {node.WANTED} with npm on PATH")
            env = node.environment(folder, os.environ)
            self.run(INSTALL, env)
            for part in self.missing():
                self.run(("npm", "run", "build", "--workspace", part.workspace), env)
        for part in PARTS:
            for name in part.outcomes:
                if not Path(self.root, name).is_file():
                    self.give_up(f"the build ended without writing {name}")

    def missing(self) -> list[Part]:
        return [part for part in PARTS if not part.is_built(Path(self.root))]

    def node(self) -> ModuleType:
        path = Path(self.root, "tools/node.py")
        spec = importlib.util.spec_from_file_location("mindhit_tools_node", path)
        if spec is None or spec.loader is None:
            raise ImportError(f"{path} cannot be imported")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def run(self, step: tuple[str, ...], env: dict[str, str]) -> None:
        shown = " ".join(step)
        self.app.display_info(f"MindHit: {shown}")
        # Front ends read the build's standard output: what npm says goes to standard error.
        done = subprocess.run(step, cwd=self.root, env=env, stdout=sys.stderr, check=False)
        if done.returncode:
            self.give_up(f"`{shown}` failed ({done.returncode}; its own words are above)")

    def give_up(self, reason: str) -> NoReturn:
        self.app.display_error(
            f"MindHit's web app and extension could not be built: {reason}. "
            "Run `make web extension` in the source folder first, "
            "or install from a wheel or sdist, which carry both."
        )
        raise SystemExit(1)


def is_asked_for_editable() -> bool:
    """Hatchling asks for an editable install's requirements with the same call as for a wheel's.

    Only its caller's name tells the two apart. Should that name change, the cost is a needless
    download.
    """
    frame: FrameType | None = sys._getframe()  # noqa: SLF001
    while frame is not None and frame.f_code.co_name != "get_requires_for_build_editable":
        frame = frame.f_back
    return frame is not None
