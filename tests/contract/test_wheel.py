"""What `pip install .` brings: everything that `mindhit up` needs is in the wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests import servers

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the project as it is, unpacked."""
    source = tmp_path_factory.mktemp("source") / "mindhit"
    shutil.copytree(
        ROOT,
        source,
        ignore=shutil.ignore_patterns(
            ".git", ".venv", "node_modules", "__pycache__", ".peers", ".*cache"
        ),
    )
    uv = Path(sys.executable).parent / "uv"
    subprocess.run(
        [uv, "build", "--quiet", "--wheel", "--out-dir", source.parent, source],
        check=True,
        env={**os.environ, "UV_SYSTEM_CERTS": "1"},
    )
    [wheel] = source.parent.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(source.parent / "site")
    return source.parent / "site"


def test_the_wheel_holds_the_web_app_the_migrations_and_the_types(installed: Path) -> None:
    package = installed / "mindhit"
    assert (package / "api" / "static" / "index.html").is_file()
    assert list((package / "api" / "static" / "assets").glob("*.js"))
    assert list((package / "db" / "migrations").glob("0001_*.sql"))
    assert (package / "py.typed").is_file()


def test_what_the_wheel_holds_serves_the_web_app(
    installed: Path, tmp_path: Path, module_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(installed))
    with servers.api(tmp_path / "api.log", module_database_url) as url:
        status, page = servers.get(url)
    assert status == 200
    assert b"/assets/" in page
