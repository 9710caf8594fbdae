"""Opening the workspace's database: driver, pragmas, sqlite-vec, permissions (S-1, S-64, S-90)."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias, TypeVar

import apsw
from peewee import SQL, DoesNotExist, Expression, Model, ModelSelect, PeeweeException, _WriteQuery
from playhouse.apsw_ext import APSWDatabase

from memtui.errors import Refused
from memtui.formats.media.files import atomic_write
from memtui.formats.media.sqlite.connection import TRIES, copied, copy_database, opened
from memtui.values import SqlRow, SqlValue
from memtui.workspace.db import backup_files, migrations, wording
from memtui.workspace.db.damage import damage_in
from memtui.workspace.db.sql_functions import FUNCTIONS, LABEL

BUSY_SECONDS = 5
_RETRY = 0.02  # seconds between two tries at a file that is busy only for a moment
MAX_CHECKED_BYTES = 1 << 22  # bytes: larger files are checked by the doctor only, not at each start

M = TypeVar("M", bound=Model)
Bindings: TypeAlias = Sequence[SqlValue]


class Database(APSWDatabase):  # type: ignore[misc]
    """A peewee database over apsw; every thread has a connection of its own."""

    def __init__(self, path: Path, read_only: bool) -> None:
        flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
        super().__init__(str(path), timeout=BUSY_SECONDS, lock_type="IMMEDIATE", flags=flags)
        self.read_only = read_only
        self.private_copy = ExitStack()  # keeps the private copy that is read, if there is one
        self.label: Callable[..., str] = lambda *fields: ""  # the decay label of a memory
        self.vector_search_error = ""  # why semantic search is unavailable (LIMITS 4, fault 4)

    def _add_conn_hooks(self, conn: apsw.Connection) -> None:
        conn.enable_load_extension(True)
        try:
            conn.load_extension(_vec0())
        except (apsw.ExtensionLoadingError, ModuleNotFoundError) as error:
            self.vector_search_error = str(error)
        conn.enable_load_extension(False)
        # FULL: an acknowledged change survives a power cut, NORMAL loses some (LIMITS 1).
        for pragma in (
            "synchronous=FULL",
            "trusted_schema=OFF",
            "recursive_triggers=ON",
            "mmap_size=268435456",
        ):
            conn.execute(f"PRAGMA {pragma}")
        if self.read_only:
            conn.execute("PRAGMA query_only=ON")
        for name, function in FUNCTIONS.items():
            conn.create_scalar_function(name, function, 1, deterministic=True)
        conn.create_scalar_function(LABEL, lambda *fields: self.label(*fields), -1, deterministic=True)
        super()._add_conn_hooks(conn)

    def rows(self, sql: str, values: Bindings = ()) -> list[SqlRow]:
        """Return all rows of a SELECT as tuples: for window reads and queries over many rows.

        A model instance costs eight times as much as a tuple.
        """
        return self.connection().execute(sql, values).fetchall()

    def one(self, sql: str, values: Bindings = ()) -> SqlValue:
        """Return the first column of the first row, or None."""
        row = self.connection().execute(sql, values).fetchone()
        return None if row is None else row[0]

    def run(self, sql: str, values: Bindings = ()) -> None:
        """Execute a statement and discard its result."""
        self.connection().execute(sql, values)

    def run_many(self, sql: str, values: Iterable[Bindings]) -> None:
        """Execute one statement once per row of values."""
        self.connection().executemany(sql, values)

    def write(self, query: _WriteQuery) -> int:
        """Execute an INSERT, UPDATE or DELETE of peewee's; return the new row's id, or the rows changed."""
        return int(query.bind(self).execute() or 0)

    def fetch(self, query: ModelSelect[M]) -> list[M]:
        """Return the rows of a SELECT as model instances."""
        return list(query.bind(self).execute())

    def first(self, query: ModelSelect[M]) -> M | None:
        """Return the first row of a SELECT as a model instance, or None."""
        return next(iter(self.fetch(query.limit(1))), None)

    def get(self, model: type[M], key: SqlValue) -> M:
        """Return the row with this primary key; raise peewee's DoesNotExist if there is none."""
        found = self.find(model, key)
        if found is None:
            raise DoesNotExist(f"{model.__name__} {key}")
        return found

    def find(self, model: type[M], key: SqlValue) -> M | None:
        """Return the row with this primary key, or None.

        The statement is compiled once, since that takes longer than to execute it.
        """
        row = next(iter(self.rows(_select_by_key(model), (key,))), None)
        return None if row is None else _instance(model, row)

    def matching(self, model: type[M], **values: SqlValue) -> list[M]:
        """Return the rows whose columns have these values, none of which is None, as model instances; all
        rows without any. Compiled once for each set of columns, like `find`."""
        rows = self.rows(_select_matching(model, tuple(values)), tuple(values.values()))
        return [_instance(model, row) for row in rows]

    def insert_many(
        self, model: type[Model], names: tuple[str, ...], rows: Iterable[Bindings], *, replace: bool = False
    ) -> None:
        """Insert rows of a model; `names` are the columns that each row of values has, in order.

        The statement is compiled once for all rows, and no field converts its values.
        """
        self.connection().executemany(_insert(model, names, replace), rows)

    def update_many(
        self, model: type[Model], names: tuple[str, ...], keys: tuple[str, ...], rows: Iterable[Bindings]
    ) -> None:
        """Set the columns `names` of a model's rows found by the columns `keys`; each row of values has those
        of `names`, then those of `keys`. Compiled once for all rows, like `insert_many`."""
        self.connection().executemany(_update(model, names, keys), rows)

    def delete_many(self, model: type[Model], keys: tuple[str, ...], rows: Iterable[Bindings]) -> None:
        """Delete a model's rows found by the columns `keys`, once per row of values."""
        self.connection().executemany(_delete(model, keys), rows)

    @contextmanager
    def unsynced(self) -> Iterator[None]:
        """Do not wait for the disk within: a power cut may lose what is written there, and nothing else.

        Raise apsw's SQLError within a transaction, of which this would be a part."""
        connection = self.connection()
        connection.execute("PRAGMA synchronous=NORMAL")
        try:
            yield
        finally:
            connection.execute("PRAGMA synchronous=FULL")

    def connection(self) -> apsw.Connection:
        """This thread's connection, opened where there is none yet."""
        self.connect(reuse_if_open=True)
        connection: apsw.Connection = super().connection()
        return connection


@cache
def _select_by_key(model: type[Model]) -> str:
    fields = model._meta.sorted_fields
    return str(model.select(*fields).where(model._meta.primary_key == SQL("?")).sql()[0])


@cache
def _select_matching(model: type[Model], names: tuple[str, ...]) -> str:
    query = model.select(*model._meta.sorted_fields)
    return str((query.where(*_matching(model, names, 1)) if names else query).sql()[0])


def _instance(model: type[M], row: SqlRow) -> M:
    fields = model._meta.sorted_fields
    values = {field.name: field.python_value(value) for field, value in zip(fields, row, strict=True)}
    return model(__no_default__=True, **values)


@cache
def _insert(model: type[Model], names: tuple[str, ...], replace: bool) -> str:
    table = model._meta.table  # a model's own insert would add every column that has a default
    sql = str(table.insert([(None,) * len(names)], columns=[getattr(table, name) for name in names]).sql()[0])
    return sql.replace("INSERT", "INSERT OR REPLACE", 1) if replace else sql


@cache
def _update(model: type[Model], names: tuple[str, ...], keys: tuple[str, ...]) -> str:
    # Numbered parameters, since peewee sorts the columns of an UPDATE.
    values = {model._meta.fields[name]: SQL(f"?{place}") for place, name in enumerate(names, 1)}
    return str(model.update(values).where(*_matching(model, keys, 1 + len(names))).sql()[0])


@cache
def _delete(model: type[Model], keys: tuple[str, ...]) -> str:
    return str(model.delete().where(*_matching(model, keys, 1)).sql()[0])


def _matching(model: type[Model], keys: tuple[str, ...], first: int) -> list[Expression]:
    return [model._meta.fields[name] == SQL(f"?{place}") for place, name in enumerate(keys, first)]


@cache
def _vec0() -> str:
    """Return the loadable file of sqlite-vec; importing the package would import numpy, 90 ms of a start."""
    spec = find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(wording.VEC_MISSING)
    return str(Path(spec.submodule_search_locations[0]) / "vec0")


def open_database(path: Path, *, read_only: bool) -> tuple[Database, str]:
    """Return the database at `path`, created and migrated if needed, and why it is read-only (or "").

    Raise Refused if it is damaged, of another kind, locked or unreadable.
    """
    reason = wording.READ_ONLY_OPTION if read_only else ""
    if not path.exists():
        if read_only:
            raise wording.missing(path)
        _create(path)
    elif path.is_dir():
        raise wording.is_folder(path)
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    if not writable:
        reason = reason or wording.NOT_WRITABLE
    elif path.stat().st_nlink > 1:  # SQLite keeps a separate log per name
        reason = reason or wording.HARD_LINK
    with translate_errors(path):
        if writable:
            version, damage = _inspect(path)
            if damage:
                reason = wording.damaged(damage)
            elif version > migrations.latest():
                reason = reason or wording.NEWER_SCHEMA
        database = Database(path, read_only=bool(reason)) if writable else _open_read_only(path)
        try:
            connection = database.connection()
            if not reason:
                if connection.pragma("page_count") == 0:
                    connection.pragma("page_size", 8192)
                if 0 < int(connection.pragma("user_version")) < migrations.latest():
                    backup_files.before_migration(path, connection, time.time())
                migrations.migrate(connection)
                _enable_wal(connection)
            elif _version(connection, path) < migrations.latest():
                database = _migrated_copy(database, path)
        except BaseException:
            database.close()
            raise
        return database, reason


def _enable_wal(connection: apsw.Connection) -> None:
    """Put the database into WAL mode, retrying while another process opens or closes it: SQLite's busy
    timeout does not apply to this pragma."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            if connection.pragma("journal_mode") != "wal":
                connection.pragma("journal_mode", "wal")
            return
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(_RETRY)


def _open_read_only(path: Path) -> Database:
    """Open a database that this user may only read; a private copy where SQLite needs to create a log
    next to the file and cannot (fault 9)."""
    database = Database(path, read_only=True)
    try:
        database.connection()
        return database
    except PeeweeException:
        database.close()
    private = ExitStack()
    database = Database(private.enter_context(copied(path)), read_only=True)
    database.private_copy = private
    return database


def _migrated_copy(old: Database, path: Path) -> Database:
    """Return a migrated private copy of an older workspace that is only read, so that no other code needs
    to handle older schemas."""
    connection = old.connection()
    if connection.pragma("page_count") == 0:
        raise wording.empty_file(path)
    private = ExitStack()
    try:
        copy = Path(private.enter_context(tempfile.TemporaryDirectory(prefix="memtui-")), path.name)
        copy.touch(0o600)
        copy_database(connection, copy)
        made = Database(copy, read_only=False)
        try:
            migrations.migrate(made.connection())
        finally:
            made.close()
    except (OSError, apsw.FullError, apsw.IOError, apsw.CantOpenError) as error:
        raise wording.no_copy_to_migrate(path, error) from error
    old.close()
    database = Database(copy, read_only=True)
    database.private_copy = private
    return database


def _inspect(path: Path) -> tuple[int, str]:
    """Return the schema version of the workspace at `path`, and the damage found in a small one.

    Leaves no trace: another program's database is not even checkpointed.
    """
    for attempt in range(TRIES):
        try:
            with opened(path) as connection:
                version = _version(connection, path)
                small = path.stat().st_size <= MAX_CHECKED_BYTES
                return version, damage_in(connection) if small else ""
        except Refused as refusal:
            if refusal.code == "damaged":
                raise apsw.CorruptError(str(refusal.__cause__)) from refusal
            # Another process may be creating it at this moment.
            half = isinstance(refusal.__cause__, apsw.SchemaChangeError)
            if attempt == TRIES - 1 or not (half or refusal.code == "busy"):
                raise
            time.sleep(_RETRY)
    raise AssertionError("the last try returns or raises")


def _version(connection: apsw.Connection, path: Path) -> int:
    """Return the schema version, 0 for an empty file; raise Refused for a database of another kind."""
    if connection.pragma("page_count") == 0:
        if path.stat().st_size == 1:  # SQLite treats it as empty
            raise apsw.NotADBError("file is not a database")
        return 0
    if connection.pragma("application_id") == migrations.APPLICATION_ID:
        return int(connection.pragma("user_version"))
    connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # raises if damaged
    raise wording.other_database(path)


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Raise Refused for the driver's errors about the workspace's file at `path`."""
    try:
        yield
    except (apsw.Error, PeeweeException) as error:
        refusal = _refusal(path, getattr(error, "orig", error))  # peewee wraps the driver's errors
        if refusal is None:
            raise
        raise refusal from error


def unwritable(error: Refused | OSError) -> str:
    """Say why the workspace cannot be written, as the end of a sentence."""
    code = (error if isinstance(error, Refused) else atomic_write.refusal(error)).code
    return wording.UNWRITABLE_BY_CODE.get(code, wording.UNWRITABLE)


def _refusal(path: Path, error: BaseException) -> Refused | None:
    """Translate a driver's error; None for one that only a bug explains."""
    if isinstance(error, (apsw.NotADBError, apsw.CorruptError, apsw.FormatError)):
        return wording.unreadable(path, error)
    if isinstance(error, (apsw.BusyError, apsw.LockedError)):
        return wording.busy(path)
    if isinstance(error, apsw.FullError):
        return wording.disk_full()
    if isinstance(error, (apsw.CantOpenError, apsw.PermissionsError, apsw.ReadOnlyError, apsw.IOError)):
        return wording.io_error(path, error)
    return None


def _create(path: Path) -> None:
    """Create an empty file with mode 0600, and missing folders with 0700 (S-64)."""
    try:
        atomic_write.make_folders(path.parent)
        with suppress(FileExistsError):  # created by another memtui that starts now
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
        atomic_write.sync_folder(path.parent)
    except OSError as error:
        raise wording.cannot_create(path, error.strerror) from error
