"""From the setting `model` to an opener of that model (S-35)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memtui.embedding import wording
from memtui.embedding.base import Embedder, Opener

OFF = "off"


@dataclass(frozen=True, slots=True)
class ModelLoader:
    """Loads the model of the setting `model`: the bundled one for "", the one in a folder, or one of
    fastembed's by its name."""

    setting: str

    def __call__(self) -> Embedder:
        from memtui.embedding import bundled

        if not self.setting:
            return bundled.bundled()
        folder = self._folder()
        if folder is None and self.setting[0] in "/.~":
            raise wording.no_folder(self.setting)
        return bundled.named(self.setting) if folder is None else bundled.folder(folder)

    def matches(self, name: str) -> bool:
        """Return whether vectors with this name may come from this model, without loading it."""
        from memtui.embedding import bundled

        if not self.setting:
            return name == bundled.NAME
        folder = self._folder()
        return name == self.setting if folder is None else name.startswith(f"{folder.name}@")

    def _folder(self) -> Path | None:
        path = Path(self.setting).expanduser()
        return path.absolute() if path.is_dir() else None


def opener(setting: str) -> Opener | None:
    """Return a loader of the model that a setting means; None for "off": search by words only."""
    setting = setting.strip()
    return None if setting.lower() == OFF else ModelLoader(setting)
