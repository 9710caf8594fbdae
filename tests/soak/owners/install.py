"""The programs that own the stores, installed at pinned versions into a cache outside of the repository.

A package is installed once and kept. It is first put beside its place and then renamed, so that an
interrupted installation is never taken for a whole one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.soak.part import NotRun, python_312

LIMIT = 300  # seconds that one installation may take
_SAID = 2_000  # characters of an installer's complaint that are shown


def cache() -> Path:
    """Where installed packages are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "memtui-soak"


def npm_package(name: str, version: str) -> Path:
    """The folder of an npm package. Raises NotRun where it cannot be installed."""

    def install(folder: Path) -> None:
        options = ("--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder))
        _run(["npm", "install", *options, f"{name}@{version}"], f"{name} {version} from npm")

    folder = _installed(f"npm-{name}-{version}", install)
    return folder / "node_modules" / name


def python_packages(*wanted: tuple[str, str]) -> Path:
    """A Python 3.12 with these packages, name and version each. Raises NotRun where it cannot be made."""
    said = " and ".join(f"{name} {version}" for name, version in wanted)

    def install(folder: Path) -> None:
        python = python_312()
        if python is None:
            raise NotRun("Python 3.12")
        _run([python, "-m", "venv", str(folder)], "a virtual environment of Python 3.12")
        pip = [str(_python(folder)), "-m", "pip", "install", "--disable-pip-version-check"]
        _run([*pip, *(f"{name}=={version}" for name, version in wanted)], f"{said} from PyPI")

    label = "-".join(part for each in wanted for part in each)
    return _python(_installed(f"pypi-{label}", install))


def _python(folder: Path) -> Path:
    return folder / "bin" / "python"


def _installed(label: str, install: Callable[[Path], None]) -> Path:
    place = cache() / label.replace("/", "-").replace("@", "")
    if place.exists():
        return place
    fresh: Path | None = None
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=".installing-", dir=place.parent))
        install(fresh)
        fresh.rename(place)
    except OSError as trouble:
        if not place.exists():  # else another soak was faster
            raise NotRun(f"room for packages in {place.parent} ({trouble.strerror})") from trouble
    finally:
        if fresh is not None:
            shutil.rmtree(fresh, ignore_errors=True)
    return place


def _run(command: Sequence[str], what: str) -> None:
    """Run an installer. Raises NotRun; what the installer says of it goes to stderr."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        raise NotRun(f"{what}: not installed within {LIMIT} seconds") from None
    except OSError as trouble:
        raise NotRun(f"{what}: {trouble.strerror}") from trouble
    if done.returncode != 0:
        print((done.stderr or done.stdout)[-_SAID:], file=sys.stderr)
        raise NotRun(f"{what}: the installation failed")
