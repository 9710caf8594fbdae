"""Installs the programs that own the stores, at pinned versions, into a cache outside the repository.

A package is installed once and kept. It is installed beside its final path and then renamed, so that an
interrupted installation is never taken for a complete one.
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
_MAX_OUTPUT = 2_000  # characters of an installer's output that are printed


def cache() -> Path:
    """Return the folder for installed packages."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "memtui-soak"


def npm_package(name: str, version: str) -> Path:
    """Install an npm package and return its folder. Raise NotRun if it cannot be installed."""

    def install(folder: Path) -> None:
        options = ("--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder))
        _run(["npm", "install", *options, f"{name}@{version}"], f"{name} {version} from npm")

    folder = _installed(f"npm-{name}-{version}", install)
    return folder / "node_modules" / name


def python_packages(*packages: tuple[str, str]) -> Path:
    """Return a Python 3.12 with some packages (name and version). Raise NotRun if it cannot be set up."""
    description = " and ".join(f"{name} {version}" for name, version in packages)

    def install(folder: Path) -> None:
        python = python_312()
        if python is None:
            raise NotRun("Python 3.12")
        _run([python, "-m", "venv", str(folder)], "a virtual environment of Python 3.12")
        pip = [str(_python(folder)), "-m", "pip", "install", "--disable-pip-version-check"]
        _run([*pip, *(f"{name}=={version}" for name, version in packages)], f"{description} from PyPI")

    label = "-".join(part for each in packages for part in each)
    return _python(_installed(f"pypi-{label}", install))


def _python(folder: Path) -> Path:
    return folder / "bin" / "python"


def _installed(label: str, install: Callable[[Path], None]) -> Path:
    path = cache() / label.replace("/", "-").replace("@", "")
    if path.exists():
        return path
    new_folder: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new_folder = Path(tempfile.mkdtemp(prefix=".installing-", dir=path.parent))
        install(new_folder)
        new_folder.rename(path)
    except OSError as error:
        if not path.exists():  # otherwise another soak was faster
            raise NotRun(f"room for packages in {path.parent} ({error.strerror})") from error
    finally:
        if new_folder is not None:
            shutil.rmtree(new_folder, ignore_errors=True)
    return path


def _run(command: Sequence[str], what: str) -> None:
    """Run an installer. Raise NotRun if it fails, after printing its output on stderr."""
    try:
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        raise NotRun(f"{what}: not installed within {LIMIT} seconds") from None
    except OSError as error:
        raise NotRun(f"{what}: {error.strerror}") from error
    if result.returncode != 0:
        print((result.stderr or result.stdout)[-_MAX_OUTPUT:], file=sys.stderr)
        raise NotRun(f"{what}: the installation failed")
