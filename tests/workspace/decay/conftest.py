"""Stores whose memories decay, for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.workspace.workspace import Workspace
from tests.support.lifecycle_stores import (
    LifecycleStores,
    attach_all,
    copy_stores,
)


@pytest.fixture
def stores(tmp_path: Path) -> LifecycleStores:
    return LifecycleStores(tmp_path)


@pytest.fixture(scope="module")
def decay_template(tmp_path_factory: pytest.TempPathFactory) -> LifecycleStores:
    return attach_all(LifecycleStores(tmp_path_factory.mktemp("ageing_template")))


@pytest.fixture
def all_stores(decay_template: LifecycleStores, tmp_path: Path) -> LifecycleStores:
    """Attached stores of all formats with memories that will soon decay."""
    return copy_stores(decay_template, tmp_path / "stock")


@pytest.fixture
def workspace(stores: LifecycleStores) -> Iterator[Workspace]:
    with stores.opened() as workspace:
        yield workspace
