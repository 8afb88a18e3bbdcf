"""`mindhit language try`, and what `mindhit doctor` says of Korean."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import servers
from tests.fetching.kit import Site, html, server
from tests.language.builtin.texts import BEES


def test_a_file_is_summarised(tmp_path: Path) -> None:
    file = tmp_path / "bees.txt"
    file.write_text(BEES.text, encoding="utf-8")
    done = servers.mindhit("language", "try", str(file), "--title", BEES.title, "--json")
    assert done.returncode == 0, done.stderr
    tried = json.loads(done.stdout)
    assert tried["language"] == "en"
    assert tried["title"] == BEES.title
    assert len(tried["summary"]) == 3
    assert tried["keywords"]
    assert tried["engine"].startswith("builtin ")


def test_text_comes_from_stdin_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mindhit.cli", "language", "try", "-", "--sentences", "1"],
        input=BEES.text.encode(),
        capture_output=True,
        check=True,
    )
    assert "builtin" in done.stdout.decode()
    assert any(sentence in done.stdout.decode() for sentence in BEES.text.split(". "))


def test_a_file_is_read_in_its_charset(tmp_path: Path) -> None:
    file = tmp_path / "bees.txt"
    file.write_text(
        "도시의 꿀벌은 꿀을 많이 모은다. 공원의 꽃이 오래 피기 때문이다.", encoding="euc-kr"
    )
    done = servers.mindhit("language", "try", str(file), "--json")
    tried = json.loads(done.stdout)
    assert tried["language"] == "ko"
    assert tried["summary"][0] == "도시의 꿀벌은 꿀을 많이 모은다."


async def test_a_page_is_fetched_and_summarised() -> None:
    page = f"<title>{BEES.title}</title><main><p>{BEES.text}</p></main>"
    async with server(Site("127.0.0.1", pages={"/bees": html(page)})) as site:
        done = await asyncio.to_thread(
            servers.mindhit,
            "language", "try", site.url("/bees"), "--json",
            allowed_networks="127.0.0.0/8",
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    tried = json.loads(done.stdout)
    assert tried["title"] == BEES.title
    assert len(tried["summary"]) == 3


def test_a_page_that_may_not_be_fetched_is_one_sentence() -> None:
    done = servers.mindhit("language", "try", "http://127.0.0.1/")
    assert done.returncode == 1
    assert "private network" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_file_is_one_sentence() -> None:
    done = servers.mindhit("language", "try", "nowhere.txt")
    assert done.returncode == 1
    assert "nowhere.txt can't be read" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_doctor_says_how_korean_is_read() -> None:
    done = servers.mindhit("doctor", "--json")
    korean = [each for each in json.loads(done.stdout) if each["what"] == "korean"]
    assert [each["verdict"] for each in korean] == ["good"]


def test_the_doctor_notices_a_korean_model_that_does_not_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kiwipiepy.py").write_text("raise OSError('the model is cut off')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = servers.mindhit("doctor", "--json")
    [korean] = [each for each in json.loads(done.stdout) if each["what"] == "korean"]
    assert (korean["verdict"], "does not work" in korean["detail"]) == ("note", True)
