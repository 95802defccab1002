"""The data file: what was confirmed is on disk, everything else is a sentence and no change."""

import asyncio
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from companion.errors import ConflictError, NewerDataError, StorageError, TamperedLogError, UnknownEveningError
from companion.event_log import database as database_module
from companion.event_log import migrate, store
from companion.event_log.database import FILE_NAME, Database
from companion.event_log.hash_chain import chained
from companion.event_log.migrate import known_revisions
from companion.event_log.store import InboxMark

FIXTURES = Path(__file__).parent / "fixtures"


def entry(previous, number=0, table_id="t"):
    return chained(
        previous,
        table_id=table_id,
        kind="start" if previous is None else "play",
        version=1,
        rules_revision="1",
        command={"do": "start" if previous is None else "roll", "number": number},
        events=[],
        evidence=None,
        command_id=f"c{number}",
        actor="bank",
        reason="",
        at="2026-01-01T20:00:00.000+00:00",
    )


async def with_an_evening(database, table_id="t"):
    first = entry(None, table_id=table_id)
    evening = {
        "id": table_id,
        "title": "Friday",
        "game": "taxi",
        "setup": "{}",
        "created_at": "2026-01-01",
        "last_at": "2026-01-01",
    }
    seats = [{"seat": 1, "name": "Ann", "colour": "red"}, {"seat": 2, "name": "Ben", "colour": "blue"}]
    await database.run(lambda connection: store.create(connection, evening, seats, first))
    return first


@pytest.fixture(params=[False, True], ids=["thread", "loop"])
def on_loop(request):
    return request.param


def test_the_file_is_in_wal_with_full_sync(tmp_path, on_loop):
    async def work():
        database = await Database.open(tmp_path, on_loop=on_loop)
        journal = await database.run(lambda c: c.exec_driver_sql("PRAGMA journal_mode").scalar())
        sync = await database.run(lambda c: c.exec_driver_sql("PRAGMA synchronous").scalar())
        await database.close()
        return journal, sync

    assert asyncio.run(work()) == ("wal", 2)


def test_entries_and_the_inbox_are_one_transaction(tmp_path, on_loop):
    async def work():
        database = await Database.open(tmp_path, on_loop=on_loop)
        first = await with_an_evening(database)
        second = entry(first, 1)
        await database.run(lambda c: store.append(c, [second], mark=InboxMark("d", 7, 40)))
        with pytest.raises(ConflictError):  # the same number again: a second writer
            await database.run(lambda c: store.append(c, [entry(first, 2)], mark=InboxMark("d", 7, 99)))
        again = entry(second, 1)  # the same command again
        with pytest.raises(ConflictError):
            await database.run(lambda c: store.append(c, [again], mark=InboxMark("d", 7, 99)))
        mark = await database.run(lambda c: store.last_mark(c, "d", 7))
        log = await database.run(lambda c: store.read_log(c, "t"))
        await database.close()
        return mark, [row.command_id for row in log]

    assert asyncio.run(work()) == (40, ["c0", "c1"])


def test_the_inbox_never_goes_back(tmp_path):
    async def work():
        database = await Database.open(tmp_path)
        for seq in (5, 3, 9, 1):
            await database.run(lambda c, seq=seq: store.save_mark(c, InboxMark("d", 1, seq)))
        await database.run(lambda c: store.save_mark(c, InboxMark("d", 2, 4)))
        marks = [await database.run(lambda c, boot=boot: store.last_mark(c, "d", boot)) for boot in (1, 2, 3)]
        await database.close()
        return marks

    assert asyncio.run(work()) == [9, 4, 0]


def test_a_full_disk_changes_nothing_and_says_so(tmp_path, on_loop):
    async def work():
        database = await Database.open(tmp_path, on_loop=on_loop)
        last = await with_an_evening(database)
        # As many pages as there are and two more: the next writes run out of room like on a full disk.
        pages = await database.run(lambda c: c.exec_driver_sql("PRAGMA page_count").scalar())
        await database.run_outside(lambda c: c.execute(f"PRAGMA max_page_count={pages + 2}"))
        count = 1
        full = None
        while full is None:
            new = entry(last, count)
            try:
                await database.run(lambda c, new=new: store.append(c, [new], mark=InboxMark("d", 1, new.seq)))
            except StorageError as error:
                full = str(error)
            else:
                last, count = new, count + 1
        assert "disk is full" in full
        assert "nothing was changed" in full
        stored = await database.run(lambda c: store.load(c, "t"))
        mark = await database.run(lambda c: store.last_mark(c, "d", 1))
        await database.run_outside(lambda c: c.execute("PRAGMA max_page_count=100000"))
        await database.run(lambda c: store.append(c, [entry(last, count)]))
        after = await database.run(lambda c: store.load(c, "t"))
        await database.close()
        return count, len(stored.log), mark, len(after.log)

    count, stored, mark, after = asyncio.run(work())
    assert count > 1
    assert (stored, after) == (count, count + 1)
    assert mark == count


def test_a_locked_file_is_said_in_a_sentence(tmp_path, on_loop):
    async def work():
        database = await Database.open(tmp_path, on_loop=on_loop, busy_seconds=0.1)
        first = await with_an_evening(database)
        other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="Another program holds .*nothing was changed"):
            await database.run(lambda c: store.append(c, [entry(first, 1)]))
        other.execute("ROLLBACK")
        other.close()
        await database.run(lambda c: store.append(c, [entry(first, 1)]))
        log = await database.run(lambda c: store.read_log(c, "t"))
        await database.close()
        return len(log)

    assert asyncio.run(work()) == 2


def test_opening_a_locked_file(tmp_path):
    async def make():
        await (await Database.open(tmp_path)).close()

    asyncio.run(make())
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")

    async def work():
        with pytest.raises(StorageError, match="Another program holds"):
            await Database.open(tmp_path, busy_seconds=0.1)

    asyncio.run(work())
    other.close()


def test_what_is_on_its_way_ends_before_the_file_is_closed(tmp_path):
    """Closed under the thread that uses it, the driver's connection takes the whole process with it."""
    begun, go_on = threading.Event(), threading.Event()

    def work(connection):
        begun.set()
        go_on.wait(60)
        store.save_mark(connection, InboxMark("aa", 1, 7))

    async def scenario():
        database = await Database.open(tmp_path)
        late = asyncio.create_task(database.run(work))
        await asyncio.to_thread(begun.wait, 60)
        database.dispose()
        database.dispose()
        go_on.set()
        await late
        again = await Database.open(tmp_path)
        mark = await again.run(lambda connection: store.last_mark(connection, "aa", 1))
        await again.close()
        return mark

    assert asyncio.run(scenario()) == 7


def test_an_opening_that_is_given_up_leaves_the_file_alone(tmp_path, monkeypatch):
    begun, go_on, ended = threading.Event(), threading.Event(), []
    prepare = database_module._prepare

    def slowly(engine, path):
        begun.set()
        go_on.wait(60)
        prepare(engine, path)
        ended.append(path)

    monkeypatch.setattr(database_module, "_prepare", slowly)

    async def scenario():
        opening = asyncio.create_task(Database.open(tmp_path))
        await asyncio.to_thread(begun.wait, 60)
        opening.cancel()
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(0.05, go_on.set)
        with pytest.raises(asyncio.CancelledError):
            await opening
        assert ended == [tmp_path / FILE_NAME]

    asyncio.run(scenario())


def test_a_newer_file_is_left_alone(tmp_path):
    async def work():
        database = await Database.open(tmp_path)
        await database.run(lambda c: c.execute(text("UPDATE alembic_version SET version_num='0999'")))
        await database.close()
        before = (tmp_path / FILE_NAME).read_bytes()
        with pytest.raises(NewerDataError, match="newer Cabstand .schema 0999") as caught:
            await Database.open(tmp_path)
        assert "\n" not in str(caught.value)
        return before

    before = asyncio.run(work())
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_files_of_others_are_refused(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "c").write_text("a file where a folder should be")
    (tmp_path / "a" / FILE_NAME).write_bytes(b"this is no database at all, just text" * 100)
    foreign = sqlite3.connect(tmp_path / "b" / FILE_NAME)
    foreign.execute("CREATE TABLE recipes (id)")
    foreign.close()

    async def refused(folder):
        with pytest.raises(StorageError) as caught:
            await Database.open(tmp_path / folder)
        return str(caught.value)

    assert "damaged or no Cabstand data" in asyncio.run(refused("a"))
    assert "database of something else" in asyncio.run(refused("b"))
    assert "--data" in asyncio.run(refused("c"))


def test_tampering_is_found_and_located(tmp_path):
    async def work():
        database = await Database.open(tmp_path)
        last = await with_an_evening(database)
        for number in range(1, 6):
            last = entry(last, number)
            await database.run(lambda c, new=last: store.append(c, [new]))
        other = sqlite3.connect(tmp_path / FILE_NAME)
        other.execute("""UPDATE entries SET command='{"do":"roll","number":77}' WHERE seq=4""")
        other.commit()
        other.close()
        with pytest.raises(TamperedLogError, match="“Friday” was changed from outside at entry 4") as caught:
            await database.run(lambda c: store.load(c, "t"))
        with pytest.raises(UnknownEveningError):
            await database.run(lambda c: store.load(c, "nobody"))
        await database.close()
        return caught.value

    error = asyncio.run(work())
    assert (error.table_id, error.seq) == ("t", 4)


@pytest.mark.parametrize("revision", known_revisions())
def test_every_schema_that_ever_was_can_be_read(tmp_path, revision):
    fixture = FIXTURES / f"schema_{revision}.sql"
    assert fixture.exists(), f"keep a dump of a file with schema {revision} as {fixture.name}"
    old = sqlite3.connect(tmp_path / FILE_NAME)
    old.executescript(fixture.read_text("utf-8"))
    old.close()

    async def work():
        database = await Database.open(tmp_path)
        rows = await database.run(store.list_evenings)
        stored = [await database.run(lambda c, row=row: store.load(c, row["id"])) for row in rows]
        await database.close()
        return stored

    stored = asyncio.run(work())
    assert stored
    assert all(evening.log and evening.seats for evening in stored)


@pytest.fixture
def a_later_schema(tmp_path, monkeypatch):
    """The migrations of a version to come: this one's, and one more that may be told to fail."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.MIGRATIONS, folder)
    (folder / "versions" / "9000_later.py").write_text(
        "import os\n"
        "import sqlalchemy as sa\n"
        "from alembic import op\n"
        "revision = '9000'\n"
        f"down_revision = '{known_revisions()[-1]}'\n"
        "def upgrade():\n"
        "    op.add_column('evenings', sa.Column('place', sa.Text()))\n"
        "    if os.environ.get('MIGRATION_FAILS'):\n"
        "        raise OSError('the plug was pulled')\n"
    )
    monkeypatch.setattr(migrate, "MIGRATIONS", folder)
    migrate._script.cache_clear()
    yield
    migrate._script.cache_clear()


async def columns_and_evenings(folder):
    database = await Database.open(folder)
    columns = await database.run(lambda c: [row[1] for row in c.exec_driver_sql("PRAGMA table_info(evenings)")])
    evenings = await database.run(store.list_evenings)
    await database.close()
    return columns, len(evenings)


def test_an_older_file_is_copied_then_migrated(tmp_path, a_later_schema):
    old = known_revisions()[-2]
    with sqlite3.connect(tmp_path / FILE_NAME) as before:
        before.executescript((FIXTURES / f"schema_{old}.sql").read_text("utf-8"))
    columns, evenings = asyncio.run(columns_and_evenings(tmp_path))
    assert "place" in columns
    assert evenings == 1
    with sqlite3.connect(tmp_path / f"before-schema-9000-from-{old}.db") as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchall() == [(old,)]
        assert copy.execute("SELECT count(*) FROM evenings").fetchone() == (1,)


def test_a_migration_that_breaks_off_leaves_the_file_as_it_was(tmp_path, a_later_schema, monkeypatch):
    old = known_revisions()[-2]
    with sqlite3.connect(tmp_path / FILE_NAME) as before:
        before.executescript((FIXTURES / f"schema_{old}.sql").read_text("utf-8"))
    monkeypatch.setenv("MIGRATION_FAILS", "yes")
    with pytest.raises(StorageError):
        asyncio.run(columns_and_evenings(tmp_path))
    with sqlite3.connect(tmp_path / FILE_NAME) as after:
        assert after.execute("SELECT version_num FROM alembic_version").fetchall() == [(old,)]
        assert "place" not in [row[1] for row in after.execute("PRAGMA table_info(evenings)")]
    monkeypatch.delenv("MIGRATION_FAILS")
    assert "place" in asyncio.run(columns_and_evenings(tmp_path))[0]


def test_a_new_file_has_the_tables_of_the_newest_schema(tmp_path):
    """Migrations and schema.py tell the same story."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from companion.event_log.schema import metadata

    async def work():
        database = await Database.open(tmp_path)
        differences = await database.run(lambda c: compare_metadata(MigrationContext.configure(c), metadata))
        await database.close()
        return differences

    assert asyncio.run(work()) == []


def test_no_other_account_can_read_an_evening(tmp_path):
    async def evening():
        database = await Database.open(tmp_path / "new", on_loop=True)
        await with_an_evening(database)
        modes = {file.name: file.stat().st_mode & 0o077 for file in (tmp_path / "new").iterdir()}
        await database.close()
        return modes

    modes = asyncio.run(evening())
    assert FILE_NAME in modes
    assert set(modes.values()) == {0}, modes
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0
