"""Every title that can be played here: evenings of bots add up, are undone, go on after a restart, and show lights."""

import asyncio

import pytest
from hands_kit import in_virtual_time
from table_kit import command_id, opened

from companion import titles
from companion.tables import lights
from companion.tables.setup import EveningSetup, SeatSetup
from companion.tables.table_log import AUTOMATIC
from shared_rules.engine import game


def an_evening_of(name, *bots, **changes):
    meta = titles.find(name).meta
    levels = [*bots, *[""] * meta.PLAYERS[0]][: max(meta.PLAYERS[0], len(bots))]
    seats = [SeatSetup(f"Player {number}", meta.COLOURS[number - 1], level) for number, level in enumerate(levels, 1)]
    return EveningSetup(seats, game=name, **changes)


async def until_played(table, entries, seconds=600):
    for _ in range(seconds * 10):
        if table.seq >= entries or not table.state.title.waiting_for(table.state):
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"only {table.seq} entries, waiting in {table.view('bank')['phase']}")


@pytest.mark.parametrize("name", titles.names())
def test_an_evening_of_bots_adds_up_at_every_step(tmp_path, name):
    async def work():
        evening = an_evening_of(name, "random", "greedy", "random")
        async with opened(tmp_path, evening=evening, bot_pause=0.1) as (application, table):
            shown = []
            table.on_published = lambda events: shown.append((lights.show(table), lights.passed(table, events)))
            await until_played(table, 160)
            application.settings.bot_pause = 900.0
            await asyncio.sleep(1)
            for audience in ("bank", "spectator", 1, 2, 3):
                assert table.view(audience)["game"] == name
                assert table.log(500, audience)
            assert table.explanations.all() == []
            actors = {row.actor for row in table.log(500) if row.kind == "play"}
            return table.check(), actors, shown, game.state_hash(table.state), table.seq, table.table_id

    found, actors, shown, before, seq, table_id = in_virtual_time(work)
    assert found == []
    assert actors - {AUTOMATIC} == {"bot:1", "bot:2", "bot:3"}
    assert len(shown) >= 50

    async def again():
        async with opened(tmp_path, bot_pause=900.0) as (application, _):
            table = await application.tables.open(table_id)  # one that has ended is not gone on with by itself
            return game.state_hash(table.state), table.seq, table.check()

    assert in_virtual_time(again) == (before, seq, [])


@pytest.mark.parametrize("name", titles.names())
def test_what_went_by_itself_is_taken_back_with_what_caused_it(tmp_path, name):
    async def work():
        evening = an_evening_of(name, "greedy", "greedy")
        async with opened(tmp_path, evening=evening, bot_pause=0.1) as (_, table):
            await until_played(table, 60)
            for _ in range(8):
                receipt = await table.undo("bank", "a slip", True, command_id=command_id())
                assert receipt.accepted, receipt.refusal
                assert table.check() == []
                # Nothing waits for the operator: what was undone had led to that.
                assert list(table.state.title.waiting_for(table.state)) != [0]
            seq = table.seq
            await asyncio.sleep(20)
            held = table.seq == seq
            await table.let_bots_go_on(command_id=command_id(), actor="bank")
            await until_played(table, seq + 20)
            return held, table.check()

    assert in_virtual_time(work) == (True, [])


@pytest.mark.parametrize("name", titles.names())
def test_with_paper_cards_the_operator_is_asked_for_what_else_goes_by_itself(tmp_path, name):
    async def work():
        async with opened(tmp_path, evening=an_evening_of(name, cards="paper")) as (_, table):
            await asyncio.sleep(5)
            waits = list(table.state.title.waiting_for(table.state))
        async with opened(tmp_path / "digital", evening=an_evening_of(name)) as (_, table):
            await asyncio.sleep(5)
            return waits, list(table.state.title.waiting_for(table.state)), table.seq

    waits, digital, seq = in_virtual_time(work)
    assert 0 not in digital
    assert (waits == [0]) == (seq > 1)


@pytest.mark.parametrize("name", titles.names())
def test_the_table_knows_its_pieces_and_where_each_belongs(tmp_path, name):
    async def work():
        async with opened(tmp_path, evening=an_evening_of(name)) as (_, table):
            pieces = table.pieces
            where = table.explanations.glance.where
            await table.assign_tag("04beef", pieces[-1].id)
            await table.assign_tag("04beef", pieces[0].id)
            maps = table.game.table.dice(table.explanations.glance.position)
            return pieces, where, dict(table.setup["tags"]), maps, table.state.title.meta.DICE

    pieces, where, tags, maps, dice = in_virtual_time(work)
    assert len({piece.id for piece in pieces}) == len({piece.mark for piece in pieces}) == len(pieces)
    assert set(where) <= {piece.id for piece in pieces}
    assert tags == {pieces[0].id: "04beef"}
    assert set(maps) == set(dice)
    for one in maps.values():
        assert len(one.values) == 12
        assert set(one.values) == set(one.faces)


@pytest.mark.parametrize("name", titles.names())
def test_the_dice_have_the_faces_of_the_rules_equally_often(tmp_path, name):
    """Twelve faces of the electronic die stand for the faces of the game's die, each as often as the rules have it."""

    async def work():
        async with opened(tmp_path, evening=an_evening_of(name)) as (_, table):
            maps = table.game.table.dice(table.explanations.glance.position)
            rules = {die: table.state.title.faces(table.state, die) for die in maps}
            return maps, rules

    maps, rules = in_virtual_time(work)
    for die, one in maps.items():
        shown = sorted(str(one.faces[value]) for value in one.values)
        assert shown == sorted(str(face) for face in rules[die] for _ in range(12 // len(rules[die])))
