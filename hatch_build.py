"""Build hook: a wheel or sdist of MindHit carries the built web app.

What happens depends on what is there:

    a built web app     nothing, unless its sources are newer: an sdist brings it along, so that
                        installing from one needs no Node
    editable install    nothing: `make web` builds when the developer wants it
    Node on PATH        npm ci, then the web app's build
    no Node             the same with the wheel of Node, asked for as a build requirement
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NoReturn

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# --ignore-scripts: nothing that the build needs has an install script, so none gets to run.
STEPS = (
    ("npm", "ci", "--ignore-scripts"),
    ("npm", "run", "build", "--workspace", "web"),
)


SOURCES = ("web/src", "web/public", "clients/ts/src")


class WebApp(BuildHookInterface[Any]):
    """Puts the web app into src/mindhit/api/static before the files are collected."""

    def dependencies(self) -> list[str]:
        if self.is_built() or is_asked_for_editable():
            return []
        node = self.node()
        return [] if node.is_on_path() else [node.REQUIREMENT]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if version == "editable" or self.is_built():
            return
        node = self.node()
        with tempfile.TemporaryDirectory(prefix="mindhit-node-") as scratch:
            try:
                folder = None if node.is_on_path() else node.wrap_wheel(Path(scratch))
            except node.NodeMissing as missing:
                self.give_up(f"{missing}, and there is no {node.WANTED} with npm on PATH")
            env = node.environment(folder, os.environ)
            for step in STEPS:
                self.run(step, env)
        if not self.is_built():
            self.give_up("the build ended without writing src/mindhit/api/static/index.html")

    def is_built(self) -> bool:
        index = Path(self.root, "src/mindhit/api/static/index.html")
        return index.is_file() and index.stat().st_mtime >= self.changed_at()

    def changed_at(self) -> float:
        """When the web app's sources changed last. An sdist gives all its files one time."""
        folders = [Path(self.root, name) for name in SOURCES]
        files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
        return max((file.stat().st_mtime for file in files), default=0.0)

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
        self.app.display_info(f"MindHit web app: {shown}")
        # Front ends read the build's standard output: what npm says goes to standard error.
        done = subprocess.run(step, cwd=self.root, env=env, stdout=sys.stderr, check=False)
        if done.returncode:
            self.give_up(f"`{shown}` failed ({done.returncode}; its own words are above)")

    def give_up(self, reason: str) -> NoReturn:
        self.app.display_error(
            f"MindHit's web app could not be built: {reason}. "
            "Run `make web` in the source folder first, "
            "or install from a wheel or sdist, which carry it."
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
