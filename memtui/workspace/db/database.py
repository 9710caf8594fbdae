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
from peewee import DoesNotExist, Expression, Model, ModelSelect, PeeweeException, _WriteQuery
from playhouse.apsw_ext import APSWDatabase

from memtui.errors import NotSaved, Refused
from memtui.formats.media.files import atomic_write
from memtui.formats.media.sqlite.connection import TRIES, copied, copy_database, opened
from memtui.values import SqlRow, SqlValue
from memtui.workspace.db import backup_files, migrations
from memtui.workspace.db.sql_functions import FUNCTIONS, LABEL

BUSY_SECONDS = 5
_AGAIN = 0.02  # seconds until what is only busy for a moment is asked again
_UNWRITABLE = {"disk-full": "the disk is full", "busy": "another program holds the workspace"}
CHECKED = 1 << 22  # bytes: what is larger is checked by the doctor, not at each start

M = TypeVar("M", bound=Model)
Bindings: TypeAlias = Sequence[SqlValue]


class Database(APSWDatabase):  # type: ignore[misc]
    """A peewee database over apsw; every thread has a connection of its own."""

    def __init__(self, path: Path, read_only: bool) -> None:
        flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
        super().__init__(str(path), timeout=BUSY_SECONDS, lock_type="IMMEDIATE", flags=flags)
        self.read_only = read_only
        self.private = ExitStack()  # what keeps the private copy that is read, if one is
        self.label: Callable[..., str] = lambda *said: ""  # how far a memory is into decay
        self.no_meaning = ""  # why nothing can be found by its meaning, if so (LIMITS 4, fault 4)

    def _add_conn_hooks(self, conn: apsw.Connection) -> None:
        conn.enable_load_extension(True)
        try:
            conn.load_extension(_vec0())
        except (apsw.ExtensionLoadingError, ModuleNotFoundError) as trouble:
            self.no_meaning = str(trouble)
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
        conn.create_scalar_function(LABEL, lambda *said: self.label(*said), -1, deterministic=True)
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
        """Execute a statement that returns nothing of interest."""
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
        """Return the row with this primary key, or None."""
        return self.first(model.select().where(model._meta.primary_key == key))

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

    def connection(self) -> apsw.Connection:
        """This thread's connection, opened where there is none yet."""
        self.connect(reuse_if_open=True)
        connection: apsw.Connection = super().connection()
        return connection


@cache
def _insert(model: type[Model], names: tuple[str, ...], replace: bool) -> str:
    columns = [model._meta.fields[name] for name in names]
    sql = str(model.insert_many([[None] * len(columns)], fields=columns).sql()[0])
    return sql.replace("INSERT", "INSERT OR REPLACE", 1) if replace else sql


@cache
def _update(model: type[Model], names: tuple[str, ...], keys: tuple[str, ...]) -> str:
    query = model.update({model._meta.fields[name]: None for name in names})
    return str(query.where(*_matching(model, keys)).sql()[0])


@cache
def _delete(model: type[Model], keys: tuple[str, ...]) -> str:
    return str(model.delete().where(*_matching(model, keys)).sql()[0])


def _matching(model: type[Model], keys: tuple[str, ...]) -> list[Expression]:
    return [model._meta.fields[name] == 0 for name in keys]


@cache
def _vec0() -> str:
    """The loadable file of sqlite-vec; the package itself would import numpy, 90 ms of every start."""
    spec = find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("the package sqlite-vec is missing")
    return str(Path(spec.submodule_search_locations[0]) / "vec0")


def open_database(path: Path, *, read_only: bool) -> tuple[Database, str]:
    """The database at `path`, made and migrated if need be, and why it is read-only (or "").

    Raises Refused where it is damaged, of another kind, locked or may not be read.
    """
    reason = "Opened with --read-only." if read_only else ""
    if not path.exists():
        if read_only:
            raise Refused("missing", f"There is no workspace at {path}.", "Open it once without --read-only.")
        _create(path)
    elif path.is_dir():
        raise Refused("not-a-workspace", f"{path} is a folder.", "Name the workspace's file.")
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    if not writable:
        reason = reason or "The workspace's file may not be written by this user."
    elif path.stat().st_nlink > 1:  # each name would have a log of its own
        reason = reason or "The workspace's file has a second name (a hard link); writing could damage it."
    with in_words(path):
        if writable:
            version, damage = _looked_at(path)
            if damage:
                reason = damaged(damage)
            elif version > migrations.latest():
                reason = reason or "A newer memtui made this workspace; this one only reads it."
        database = Database(path, read_only=bool(reason)) if writable else _to_be_read(path)
        try:
            connection = database.connection()
            if not reason:
                if connection.pragma("page_count") == 0:
                    connection.pragma("page_size", 8192)
                if 0 < int(connection.pragma("user_version")) < migrations.latest():
                    backup_files.before_migration(path, connection, time.time())
                migrations.migrate(connection)
                _with_a_log(connection)
            elif _version(connection, path) < migrations.latest():
                database = _of_today(database, path)
        except BaseException:
            database.close()
            raise
        return database, reason


def _with_a_log(connection: apsw.Connection) -> None:
    """Put the database into WAL mode. SQLite does not wait with this one: where another process opens
    or leaves at the same moment it says at once that the file is locked."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            if connection.pragma("journal_mode") != "wal":
                connection.pragma("journal_mode", "wal")
            return
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(_AGAIN)


def _to_be_read(path: Path) -> Database:
    """The database that this user may only read; a private copy of it where SQLite needs a log beside
    the file and can make none (fault 9)."""
    database = Database(path, read_only=True)
    try:
        database.connection()
        return database
    except PeeweeException:
        database.close()
    private = ExitStack()
    database = Database(private.enter_context(copied(path)), read_only=True)
    database.private = private
    return database


def _of_today(old: Database, path: Path) -> Database:
    """A private copy of an older workspace that is only read, brought up to date: the file stays as it is,
    and nothing else has to know of older schemas."""
    hint = "Open it once where it may be written."
    connection = old.connection()
    if connection.pragma("page_count") == 0:
        raise Refused("missing", f"There is no workspace at {path}: the file is empty.", hint)
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
    except (OSError, apsw.FullError, apsw.IOError, apsw.CantOpenError) as trouble:
        raise Refused(
            "older",
            f"An older memtui made the workspace {path}. To only read it, this one needs a copy that is "
            f"brought up to date, and cannot make one: {trouble}.",
            hint,
        ) from trouble
    old.close()
    database = Database(copy, read_only=True)
    database.private = private
    return database


def _looked_at(path: Path) -> tuple[int, str]:
    """The schema of the workspace at `path`, and what is broken in a small one; asked without leaving
    a trace: another program's database is not even checkpointed."""
    for attempt in range(TRIES):
        try:
            with opened(path) as connection:
                version = _version(connection, path)
                small = path.stat().st_size <= CHECKED
                return version, damage_in(connection) if small else ""
        except Refused as refusal:
            if refusal.code == "damaged":
                raise apsw.CorruptError(str(refusal.__cause__)) from refusal
            # Where another process is just making it, its schema is read half.
            half = isinstance(refusal.__cause__, apsw.SchemaChangeError)
            if attempt == TRIES - 1 or not (half or refusal.code == "busy"):
                raise
            time.sleep(_AGAIN)
    raise AssertionError("the last try returns or raises")


def damage_in(connection: apsw.Connection) -> str:
    """What is broken in a database, in SQLite's words; "" if nothing is. A words index out of step
    is no damage: it is made anew from the rows."""
    try:
        found = [text for (text,) in connection.execute("PRAGMA quick_check(20)") if text != "ok"]
    except (apsw.CorruptError, apsw.NotADBError, apsw.FormatError, UnicodeDecodeError) as trouble:
        return str(trouble)
    pages = [text for text in found if "fts5" not in text.lower()]
    return " ".join(pages[0].removeprefix("*** in database main ***").split()) if pages else ""


def damaged(damage: str) -> str:
    """Why a workspace with this damage is only read, and the way out."""
    return (
        "The workspace's file is damaged, so it is only read; "
        f"memtui doctor --salvage NEW saves what can be read ({damage})."
    )


def _version(connection: apsw.Connection, path: Path) -> int:
    """The schema of a workspace, 0 for an empty file. Refused if it is a database of another kind."""
    if connection.pragma("page_count") == 0:
        if path.stat().st_size == 1:  # SQLite takes it for an empty one
            raise apsw.NotADBError("file is not a database")
        return 0
    if connection.pragma("application_id") == migrations.APPLICATION_ID:
        return int(connection.pragma("user_version"))
    connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # raises where it is damaged
    raise Refused(
        "not-a-workspace",
        f"{path} is an SQLite database, but no memtui workspace.",
        "Nothing was changed. To open it as a store: memtui stores attach PATH.",
    )


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """What goes wrong in the workspace's own file, as Refused."""
    try:
        yield
    except (apsw.Error, PeeweeException) as trouble:
        refusal = _refusal(path, getattr(trouble, "orig", trouble))  # peewee wraps the driver's errors
        if refusal is None:
            raise
        raise refusal from trouble


def unwritable(trouble: Refused | OSError) -> str:
    """Why the workspace takes nothing now, in a clause."""
    code = (trouble if isinstance(trouble, Refused) else atomic_write.refusal(trouble)).code
    return _UNWRITABLE.get(code, "the workspace cannot be written")


def _refusal(path: Path, trouble: BaseException) -> Refused | None:
    """A driver's error in words; None for one that only a bug explains."""
    if isinstance(trouble, (apsw.NotADBError, apsw.CorruptError, apsw.FormatError)):
        return Refused(
            "damaged",
            f"The workspace {path} cannot be read: {trouble}.",
            "It was left as it is. memtui doctor --salvage NEW saves what can be read; "
            "--workspace PATH opens another one.",
        )
    if isinstance(trouble, (apsw.BusyError, apsw.LockedError)):
        return Refused(
            "busy", f"The workspace {path} is locked by another program.", "Try again in a moment."
        )
    if isinstance(trouble, apsw.FullError):
        return NotSaved("disk-full", "the disk is full.", "Free some space, try again.")
    if isinstance(trouble, (apsw.CantOpenError, apsw.PermissionsError, apsw.ReadOnlyError, apsw.IOError)):
        return Refused("io", f"The workspace {path} cannot be opened or written: {trouble}.")
    return None


def _create(path: Path) -> None:
    """An empty file 0600; folders that have to be made are 0700 (S-64)."""
    try:
        atomic_write.make_folders(path.parent)
        with suppress(FileExistsError):  # another memtui that starts now
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
        atomic_write.sync_folder(path.parent)
    except OSError as trouble:
        raise Refused(
            "io",
            f"No workspace can be made at {path}: {trouble.strerror}.",
            "Name another place with --workspace PATH.",
        ) from trouble
