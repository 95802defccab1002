"""The modelled NOR flash, and real LittleFS on it whose power is cut at every write in turn."""

import asyncio

import pytest
from cable_board import Talker, talking_setup
from small_board import in_virtual_time

from companion.virtual_table.chips.flash import SECTOR, NorFlash, PowerLost
from companion.virtual_table.table import VirtualTable

SIZE = 64 * SECTOR


@pytest.fixture
def flash(tmp_path):
    complaints: list[str] = []
    chip = NorFlash(tmp_path / "flash.img", SIZE, 1, complaints.append)
    yield chip, complaints
    chip.close()


def test_programming_clears_bits_and_erasing_sets_them(flash):
    chip, complaints = flash
    chip.program(100, b"\x0f\xf0")
    chip.program(100, b"\x0e\x70")
    assert chip.read(99, 4) == b"\xff\x0e\x70\xff"
    assert complaints == []
    chip.program(100, b"\xff\x70")
    assert chip.read(100, 1) == b"\x0e"
    assert "only erasing can do" in complaints[0]
    chip.erase(0)
    assert chip.read(100, 2) == b"\xff\xff"
    assert chip.wear[:2] == [1, 0]


def test_its_image_outlives_it(tmp_path, flash):
    chip, _ = flash
    chip.program(SECTOR, b"kept")
    again = NorFlash(tmp_path / "flash.img", SIZE, 2, lambda text: None)
    assert again.read(SECTOR, 4) == b"kept"
    again.close()
    with pytest.raises(ValueError, match="remove the file"):
        NorFlash(tmp_path / "flash.img", 2 * SIZE, 2, lambda text: None)


def test_a_torn_write_leaves_a_part(flash):
    chip, _ = flash
    wholes = 0
    for n in range(200):
        chip.cut_power_after(0)
        with pytest.raises(PowerLost):
            chip.program(n * 256, bytes(64))
        data = chip.read(n * 256, 64)
        done = data.count(0)
        wholes += done == 64
        assert data.rstrip(b"\xff")[:done].count(0) >= done - 1
        chip.program(n * 256 + 128, b"\0")
    assert 0 < wholes < 20


def test_a_torn_erase_leaves_a_mixture_and_the_next_one_mends_it(flash):
    chip, _ = flash
    chip.program(0, bytes(256))
    chip.cut_power_after(0)
    with pytest.raises(PowerLost):
        chip.erase(0)
    assert 0 < chip.read(0, 256).count(0) < 256
    chip.erase(0)
    assert chip.read(0, SECTOR) == b"\xff" * SECTOR


def test_what_is_beyond_its_end_is_refused(flash):
    chip, _ = flash
    for work in (
        lambda: chip.read(SIZE - 1, 2),
        lambda: chip.program(-1, b"x"),
        lambda: chip.erase(5),
        lambda: chip.cut_power_after(-1),
        lambda: NorFlash(chip.image, 5000, 1, print),
    ):
        with pytest.raises(ValueError, match="flash|sector|power"):
            work()


def die_on_littlefs(flash):
    return VirtualTable(devices=("die",), setup=talking_setup("die", flash, littlefs=SIZE))


def test_a_board_keeps_its_files_on_littlefs(tmp_path):
    async def work():
        table = die_on_littlefs(tmp_path)
        talker = Talker(table.serial_pair())
        async with table:
            await talker.line()
            assert await talker.ask("keep a.txt spoon") == "kept"
            table.power_cycle()
            await talker.line()
            return await talker.ask("kept a.txt"), table.model_errors()

    assert in_virtual_time(work()) == ("spoon", [])
    assert [path.name for path in tmp_path.iterdir()] == ["flash.img"]


def test_whatever_write_the_power_is_cut_at_a_file_is_old_or_new(tmp_path):
    async def work():
        table = die_on_littlefs(tmp_path)
        talker = Talker(table.serial_pair())
        seen = []
        async with table:
            await talker.line()
            await talker.ask("keep a.txt old0")
            for cut in range(12):
                before = await talker.ask("kept a.txt")
                table.power_cut(cut)
                talker.end.write(f"keep a.txt new{cut}\n".encode())
                answer = await talker.line()
                if answer == "kept":
                    table.board.flash.cut_power_after(None)
                else:
                    assert answer == "up 1 0", "it starts again, and its file system is whole"
                after = await talker.ask("kept a.txt")
                assert after in (before, f"new{cut}")
                seen.append((answer, after != before))
            return seen, table.model_errors()

    seen, errors = in_virtual_time(work())
    assert errors == []
    assert ("up 1 0", False) in seen
    assert ("kept", True) in seen


def test_a_flash_that_holds_something_else_is_not_formatted(tmp_path):
    (tmp_path / "flash.img").write_bytes(b"\x00not a file system\x00" * 16 + b"\xff" * (SIZE - 19 * 16))

    async def work():
        async with die_on_littlefs(tmp_path) as table:
            await asyncio.sleep(2)
            return "\n".join(table.log)

    assert "holds no file system" in in_virtual_time(work())
    assert (tmp_path / "flash.img").read_bytes().startswith(b"\x00not a file system")
