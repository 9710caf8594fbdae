"""The bundled model: the right file, offline, silent, and its vectors reflect meaning (S-35; LIMITS 5)."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from memtui.embedding import bundled
from memtui.embedding.base import ModelMissing
from memtui.embedding.factory import opener
from memtui.workspace.vectors import vector_store
from tests.support.sizes import sample_cases

SIMILAR = (
    ("The user likes coffee.", "She drinks espresso every morning."),
    ("Deploys happen on Fridays.", "We release to production at the end of the week."),
    ("Anna is allergic to peanuts.", "Anna cannot eat nuts."),
    ("The database password changed.", "New credentials for Postgres."),
)
UNRELATED = "The mountains of Bhutan are covered with snow."


@pytest.fixture(scope="module")
def model() -> bundled.FastEmbedder:
    return bundled.bundled()


def cosine(first_text: bytes, second_text: bytes) -> float:
    return float(np.frombuffer(first_text, "<f4") @ np.frombuffer(second_text, "<f4"))


def test_the_model_file_has_the_expected_hash() -> None:
    assert hashlib.sha256(bundled.model_file().read_bytes()).hexdigest() == bundled.MODEL_SHA256


def test_similar_texts_are_closer_than_unrelated_ones(model: bundled.FastEmbedder) -> None:
    for first_text, second_text in SIMILAR:
        first, second, far = model.embed([first_text, second_text, UNRELATED])
        assert cosine(first, second) > cosine(first, far) + 0.15
        assert cosine(first, second) > 0.3


def test_a_vector_does_not_depend_on_the_batch(model: bundled.FastEmbedder) -> None:
    texts = [text for pair in SIMILAR for text in pair] + ["", " ", "\x00", "Größe 測試 🦓", "x" * 100_000]
    texts += [f"Filler {number}. " * (number + 1) for number in sample_cases(range(20), 6)]
    together = model.embed(texts)
    assert all(vector_store.is_valid(vector, bundled.DIM) for vector in together)
    for text, vector in zip(texts, together, strict=True):
        (alone,) = model.embed([text])
        assert alone == vector, text[:40]
    assert model.embed(texts[::-1]) == together[::-1]
    assert model.embed([]) == []


def test_the_model_can_be_opened_twice(model: bundled.FastEmbedder) -> None:
    reopened = bundled.bundled()
    assert (reopened.name, reopened.dim) == (model.name, model.dim) == ("all-MiniLM-L6-v2-int8", 384)
    assert reopened.embed([UNRELATED]) == model.embed([UNRELATED])


PROGRAM = """
import socket, sys
def forbidden(*_):
    raise AssertionError("the network was asked")
socket.socket.connect = socket.getaddrinfo = socket.create_connection = forbidden
from memtui.embedding.factory import opener
(vector,) = opener("")().embed(["Silence."])
assert len(vector) == 4 * 384
"""


def test_the_model_loads_offline_and_silently(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=120,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert list(home.iterdir()) == []


# -- missing and damaged models


def load_error(setting: str) -> ModelMissing:
    load = opener(setting)
    assert load is not None
    with pytest.raises(ModelMissing) as missing:
        load()
    assert str(missing.value).endswith(".")
    assert missing.value.hint.endswith(".")
    return missing.value


def test_a_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "_PACKAGE", "no_such_package")
    assert "is not installed" in str(load_error(""))


def test_a_missing_or_wrong_model_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bundled, "model_file", lambda: tmp_path / "model.onnx")
    assert "model.onnx is missing" in str(load_error(""))
    (tmp_path / "model.onnx").write_bytes(b"another")
    assert "is not the one" in str(load_error(""))


def test_a_missing_or_wrong_tokenizer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bundled, "__file__", str(tmp_path / "bundled.py"))
    assert "tokenizer.json is missing" in str(load_error(""))
    (tmp_path / "minilm").mkdir()
    (tmp_path / "minilm" / "tokenizer.json").write_text("{}")
    assert "is not the one" in str(load_error(""))


def test_fastembed_that_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    assert "Could not import fastembed" in str(load_error(""))


def test_an_unknown_model_name() -> None:
    assert "Could not load" in str(load_error("nobody/knows-this"))


def test_a_folder_can_be_used_as_a_model(tmp_path: Path, model: bundled.FastEmbedder) -> None:
    assert "No model in" in str(load_error(str(tmp_path)))
    (tmp_path / "model.onnx").write_bytes(b"no model")
    (tmp_path / "tokenizer.json").write_text("{}")
    assert "Could not load" in str(load_error(str(tmp_path)))
    (tmp_path / "model.onnx").unlink()
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "model.onnx").symlink_to(bundled.model_file())
    for file in (Path(bundled.__file__).parent / "minilm").iterdir():
        (tmp_path / file.name).symlink_to(file)
    load = opener(str(tmp_path))
    assert load is not None
    own = load()
    assert own.name.startswith(f"{tmp_path.name}@")
    assert own.dim == 384
    assert own.embed([UNRELATED]) == model.embed([UNRELATED])
    text = (tmp_path / "tokenizer.json").read_text("utf-8")
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "tokenizer.json").write_text(f"{text} ", "utf-8")
    assert load().name != own.name  # another tokenizer is another model


def test_exit_is_clean_while_the_model_is_working() -> None:
    program = """
        import sys, threading, time
        from memtui import __main__; from memtui import cli
        from memtui.embedding.bundled import bundled
        model, begun = bundled(), threading.Event()
        model.embed(["One text."])

        def work():
            while True:
                begun.set()
                model.embed(["A short text. " * 20] * 8)

        def run(words):
            threading.Thread(target=work, daemon=True).start()
            begun.wait(); time.sleep(0.2)
            print("said", flush=False)
            return 3

        cli.run = run
        sys.exit(__main__.main())
    """
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60
    )
    assert (result.returncode, result.stdout, result.stderr) == (3, "said\n", "")
