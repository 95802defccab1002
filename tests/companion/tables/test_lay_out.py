"""An evening that goes on by itself at a virtual table finds its pieces where they were."""

import asyncio

from companion import application as composition
from companion.application import Application
from companion.devices.hardware import Hardware
from companion.settings import Settings
from companion.tables.lay_out import lay_out, uids_of
from companion.tables.setup import EveningSetup, SeatSetup


async def evening_of(application):
    table = await application.tables.create_evening(EveningSetup([SeatSetup("Ann", "red"), SeatSetup("Ben", "blue")]))
    assert application.bench is not None
    await lay_out(table, application.bench)
    return table


def test_pieces_lie_where_they_were_when_the_companion_starts_again(tmp_path):
    async def work():
        settings = Settings(data_dir=tmp_path, table="virtual")
        application = await Application.start(settings)
        try:
            assert application.trouble == ""
            table = await evening_of(application)
            before = await application.bench.tags()
            name = table.table_id
        finally:
            await application.close()
        again = await Application.start(settings)
        try:
            lying = await again.bench.tags()
            async with asyncio.timeout(30):
                while len(again.current.explanations.presence.tags) < len(before):
                    await asyncio.sleep(0.1)
            kinds = [case["kind"] for case in again.current.explanations.all()]
            return before, lying, name == again.current.table_id, kinds
        finally:
            await again.close()

    before, lying, same, kinds = asyncio.run(work())
    assert len(before) == 2
    assert lying == before
    assert same
    assert kinds == []


class PaperHands:
    """Hands that note what they do. `broken`: the virtual table is gone."""

    def __init__(self, tags=(), broken=False):
        self.tags_seen, self.broken = dict(tags), broken
        self.lifted = []

    async def place_tag(self, uid, socket):
        if self.broken:
            raise ConnectionError("gone")
        self.tags_seen[uid] = socket

    async def lift_tag(self, uid):
        if self.broken:
            raise ConnectionError("gone")
        self.lifted.append(uid)
        del self.tags_seen[uid]


def start_at(monkeypatch, folder, hands, fresh):
    """An application whose hardware is a virtual table with these hands."""

    async def hardware(settings):
        return Hardware(settings, bench=hands, fresh=fresh)

    monkeypatch.setattr(composition, "start_hardware", hardware)
    return Application.start(Settings(data_dir=folder, table="none"))


def test_a_virtual_table_that_ran_all_the_time_is_left_as_it_is(tmp_path, monkeypatch):
    """What people moved meanwhile is theirs to say."""

    async def work():
        application = await start_at(monkeypatch, tmp_path, PaperHands(), True)
        table = await evening_of(application)
        laid, moved = dict(application.bench.tags_seen), next(iter(uids_of(table).values()))
        await application.close()
        assert laid.get(moved) not in (None, 30)
        found = []
        for hands, fresh in ((PaperHands(), True), (PaperHands({moved: 30}), False)):
            before = dict(hands.tags_seen)
            application = await start_at(monkeypatch, tmp_path, hands, fresh)
            found.append((hands.tags_seen == laid, hands.tags_seen == before))
            await application.close()
        return found

    assert asyncio.run(work()) == [(True, False), (False, True)]


def test_only_what_lies_wrong_is_taken_off(tmp_path, monkeypatch):
    async def work():
        application = await start_at(monkeypatch, tmp_path, PaperHands(), True)
        table = await evening_of(application)
        laid = dict(application.bench.tags_seen)
        right, moved = laid
        application.bench.tags_seen = {right: laid[right], moved: 30, "04ff": 3}
        await lay_out(table, application.bench)
        await application.close()
        return application.bench.tags_seen == laid, application.bench.lifted, [moved, "04ff"]

    same, lifted, wrong = asyncio.run(work())
    assert same
    assert lifted == wrong


def test_a_virtual_table_that_is_gone_hinders_nothing(tmp_path, monkeypatch):
    async def work():
        application = await start_at(monkeypatch, tmp_path, PaperHands(), True)
        await evening_of(application)
        await application.close()
        application = await start_at(monkeypatch, tmp_path, PaperHands({"04ff": 3}, broken=True), True)
        try:
            return application.current is not None
        finally:
            await application.close()

    assert asyncio.run(work())
