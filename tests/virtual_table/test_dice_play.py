"""The real firmware of the dice in the room: a throw settles on the face that lies on top, a cocked one is told, a die
sleeps and wakes when it is moved, a ring rolls by its button."""

import asyncio

import pytest
from small_board import in_virtual_time
from table_partner import Partner

from companion.virtual_table.table import VirtualTable

FACES = [1, 2, 3, 4, 5, 6] * 2


def play(tmp_path, work, name, **options):
    async def evening():
        table = VirtualTable(tmp_path / "flash", devices=(name,), **options)
        async with table, Partner(table.backend()) as partner:
            await partner.until(lambda: partner.receiver is not None)
            return await work(table, partner)

    return in_virtual_time(evening())


@pytest.mark.parametrize("chip", ["lis2dw12", "lis3dh"])
def test_a_throw_settles_on_the_face_that_lies_on_top(tmp_path, chip):
    async def work(table, partner):
        await partner.command("SET_FACE_MAP", map_id=1, style=0, faces=FACES)
        truth = table.throw_die("table", 3)
        await partner.until(lambda: "ROLL_SETTLED" in partner.names(), 20)
        await asyncio.sleep(2)
        settled = [fields["face"] for _, _, name, fields in partner.events if name == "ROLL_SETTLED"]
        return truth["face"], settled, table.model_errors(), list(table.log)

    face, settled, errors, log = play(tmp_path, work, "die", accelerometer=chip)
    assert settled == [face], log
    assert errors == []


def test_a_die_that_lies_still_sleeps_and_one_that_is_moved_wakes(tmp_path):
    async def work():
        table = VirtualTable(tmp_path / "flash", devices=("die",))
        async with table:
            die = table.device("die")
            for _ in range(240):
                await asyncio.sleep(30)
                if die.board.asleep:
                    break
            asleep, off = die.board.asleep, table.links()
            await asyncio.sleep(300)
            still = die.board.asleep
            table.throw_die("table", 3)
            await asyncio.sleep(8)
            return asleep, off, still, die.board.asleep, table.links(), die.board.boots, table.model_errors()

    asleep, off, still, after, links, boots, errors = in_virtual_time(work())
    assert (asleep, still, after) == (True, True, False)
    assert (off, links) == ({"die": "off"}, {"die": "advertising"})
    assert boots == 2
    assert errors == []


def test_a_ring_rolls_by_its_button(tmp_path):
    async def work(table, partner):
        await partner.command("SET_FACE_MAP", map_id=1, style=0, faces=FACES)
        table.press_button()
        await partner.until(lambda: "ROLL_SETTLED" in partner.names(), 20)
        return partner.names(), any(any(light) for light in table.lights("die")), table.model_errors()

    names, lit, errors = play(tmp_path, work, "ring")
    assert "ROLL_STARTED" in names
    assert lit
    assert errors == []
