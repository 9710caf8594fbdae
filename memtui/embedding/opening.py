"""Which model a setting means (S-35)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memtui.embedding.base import Embedder, ModelMissing, Opener

OFF = "off"


@dataclass(frozen=True, slots=True)
class Loading:
    """Loads the model that the setting `model` means: "" the one that comes with memtui, a folder the one
    in it, else one of fastembed's by its name."""

    setting: str

    def __call__(self) -> Embedder:
        from memtui.embedding import bundled

        if not self.setting:
            return bundled.bundled()
        folder = self._folder()
        if folder is None and self.setting[0] in "/.~":
            raise ModelMissing(
                f"There is no folder {self.setting}, where the model should be.", "Change `model`."
            )
        return bundled.named(self.setting) if folder is None else bundled.folder(folder)

    def made(self, name: str) -> bool:
        """Whether vectors under this name may be of this model, told without loading it."""
        from memtui.embedding import bundled

        if not self.setting:
            return name == bundled.NAME
        folder = self._folder()
        return name == self.setting if folder is None else name.startswith(f"{folder.name}@")

    def _folder(self) -> Path | None:
        place = Path(self.setting).expanduser()
        return place.absolute() if place.is_dir() else None


def opener(setting: str) -> Opener | None:
    """What loads the model of the setting `model`; None for "off", where only words are searched."""
    setting = setting.strip()
    return None if setting.lower() == OFF else Loading(setting)
