"""Reads and writes of rows through models, compiled once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from peewee import Model

from memtui.workspace.db import migrations, models
from memtui.workspace.db.database import Database, open_database
from memtui.workspace.db.models import Checkpoint, Memory, Store, Unit

MODELS = [
    value
    for value in vars(models).values()
    if isinstance(value, type) and issubclass(value, Model) and value is not Model
]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database, reason = open_database(tmp_path / "w.db", read_only=False)
    assert reason == ""
    yield database
    database.close()


def test_columns_are_set_in_the_order_given(database: Database) -> None:
    database.write(Store.insert(name="a", format="native", path="p", attached_at=1.0))
    names = ("uid", "store_id", "seen_at", "content")
    database.insert_many(Memory, names, [("u1", 1, 1.0, "one"), ("u2", 1, 1.0, "two")])
    for columns in (("tags", "content", "kept"), ("kept", "tags", "content"), ("content", "kept", "tags")):
        values = {"tags": f'["{columns[0]}"]', "content": f"by {columns}", "kept": '{"a": 1}'}
        database.update_many(Memory, columns, ("id",), [(*(values[name] for name in columns), 2)])
        row = database.rows("SELECT tags, content, kept FROM memories WHERE id = 2")[0]
        assert row == (values["tags"], values["content"], values["kept"])
    assert database.one("SELECT content FROM memories WHERE id = 1") == "one"


def test_rows_are_selected_by_all_keys(database: Database) -> None:
    database.write(Store.insert(name="a", format="native", path="p", attached_at=1.0))
    database.insert_many(Unit, ("store_id", "name", "mark"), [(1, "x", "1"), (1, "y", "2")])
    database.update_many(Unit, ("mark",), ("name", "store_id"), [("3", "y", 1), ("9", "x", 2)])
    assert database.rows("SELECT name, mark FROM units ORDER BY name") == [("x", "1"), ("y", "3")]
    assert [each.mark for each in database.matching(Unit, name="y", store_id=1)] == ["3"]
    assert database.matching(Unit, name="y", store_id=2) == []
    assert {each.name for each in database.matching(Unit)} == {"x", "y"}
    database.delete_many(Unit, ("name", "store_id"), [("x", 1), ("y", 2)])
    assert database.rows("SELECT name FROM units") == [("y",)]


def test_a_row_is_replaced_only_on_request(database: Database) -> None:
    columns = ("name", "entry_id", "at")
    database.insert_many(Checkpoint, columns, [("journal", 1, 1.0)])
    with pytest.raises(apsw.ConstraintError):
        database.insert_many(Checkpoint, columns, [("journal", 2, 2.0)])
    database.insert_many(Checkpoint, columns, [("journal", 3, 3.0)], replace=True)
    found = database.find(Checkpoint, "journal")
    assert found is not None
    assert (found.entry_id, found.at) == (3, 3.0)
    assert database.find(Checkpoint, "other") is None


def test_columns_have_the_defaults_of_the_schema(database: Database) -> None:
    database.write(Store.insert(name="a", format="native", path="p", attached_at=1.0))
    database.insert_many(Memory, ("uid", "store_id", "seen_at"), [("u", 1, 1.0)])
    defaults = "SELECT tags, extra, shown, status, times_used FROM memories"
    assert database.rows(defaults) == [("[]", "{}", 1, "confirmed", 0)]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_a_model_has_the_columns_of_its_table(model: type[Model], database: Database) -> None:
    table = database.rows(f"PRAGMA table_info({model._meta.table_name})")
    assert sorted(field.column_name for field in model._meta.sorted_fields) == sorted(row[1] for row in table)


def test_every_table_has_a_model(database: Database) -> None:
    tables = {name for (name,) in database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    internal = {name for name in tables if name.startswith(("sqlite_", "words"))}  # tables of SQLite and FTS5
    assert tables - internal == {model._meta.table_name for model in MODELS}
    assert migrations.latest() == database.one("PRAGMA user_version")
