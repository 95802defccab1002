"""The tools for a real board, as far as they can be tried without one."""

import subprocess
import sys
from pathlib import Path

import pytest

from firmware.tools import build as build_module
from firmware.tools import flash as flash_module
from firmware.tools import self_test
from firmware.tools.build import BuildError, build
from firmware.tools.builds import BUILDS
from firmware.tools.flash import FlashError, flash


class Mpremote:
    """Stands in for the processes: remembers what was asked, fails or hangs at one step."""

    def __init__(self, bad="", hang=False):
        self.bad = bad
        self.hang = hang
        self.asked = []

    def __call__(self, command, limit_s):
        assert command[:3] == [sys.executable, "-m", "mpremote"]
        assert 0 < limit_s <= 300
        text = " ".join(command[3:])
        self.asked.append(text)
        if self.bad and self.bad in text:
            if self.hang:
                raise subprocess.TimeoutExpired(command, limit_s)
            return subprocess.CompletedProcess(command, 1, "", "Traceback\nmpremote: it went wrong")
        return subprocess.CompletedProcess(command, 0, "", "")


@pytest.fixture
def built(tmp_path):
    for name in ("firmware", "shared_rules"):
        (tmp_path / name).mkdir()
    (tmp_path / "main.py").write_text("")
    return tmp_path


def test_the_start_goes_first_and_comes_last(built):
    board = Mpremote()
    flash(lambda: built, "rfc2217://x", board, lambda text: None)
    assert all(text.startswith("connect rfc2217://x ") for text in board.asked)
    removed = next(i for i, text in enumerate(board.asked) if "os.remove('main.py')" in text)
    copied = next(i for i, text in enumerate(board.asked) if "cp -r" in text)
    started = next(i for i, text in enumerate(board.asked) if text.endswith(":main.py"))
    assert removed < copied < started < len(board.asked) - 1
    assert board.asked[-1].endswith("reset")
    assert "reset sleep 1" in board.asked[removed]  # the watchdog does not run yet


@pytest.mark.parametrize("hang", [False, True])
def test_a_step_that_fails_or_hangs_ends_it_with_its_name(built, hang):
    board = Mpremote(bad="cp -r", hang=hang)
    why = "no end after" if hang else "mpremote: it went wrong"
    with pytest.raises(FlashError, match=f"copy the firmware: {why}"):
        flash(lambda: built, "auto", board, lambda text: None)
    assert not any(text.endswith(":main.py") for text in board.asked)


def test_the_board_is_looked_for_before_anything_is_made():
    def make():
        raise AssertionError("nothing is to be made")

    with pytest.raises(FlashError, match="reach the board"):
        flash(make, "auto", Mpremote(bad="exec"), lambda text: None)


def ended_with(*lines, status=0):
    """Stands in for a board that says this."""

    def run(command, limit_s, say):
        assert command[:3] == [sys.executable, "-m", "mpremote"]
        assert 0 < limit_s <= 300
        for line in lines:
            say(line)
        return status

    return run


def test_the_self_test_counts_what_the_board_says(capsys):
    board = ended_with("ok  noise: fine", "no  socket 3: 12 of 50 polls clean", "see lights: did they run?", "end")
    assert self_test.main([], board) == 1
    assert "1 passed, 1 failed, 1 for your eyes." in capsys.readouterr().out


def test_a_board_that_falls_silent_ends_the_self_test(capsys):
    assert self_test.main([], ended_with("ok  noise: fine", status=None)) == 1
    assert "No end after 120 s" in capsys.readouterr().err


def test_what_the_board_asks_for_is_shown_while_it_waits(tmp_path):
    """It asks for a press of its button within five seconds."""
    seen = []
    pressed = tmp_path / "pressed"
    script = (
        "import pathlib, sys, time\n"
        "print('press it now', flush=True)\n"
        "while not pathlib.Path(sys.argv[1]).exists(): time.sleep(0.01)\n"
        "print('end')\n"
    )

    def say(line):
        seen.append(line)
        pressed.touch()

    assert self_test.run([sys.executable, "-c", script, str(pressed)], 60, say) == 0
    assert seen == ["press it now", "end"]


def test_a_self_test_without_end_is_ended():
    assert self_test.run([sys.executable, "-c", "import time; time.sleep(600)"], 0.2, print) is None


@pytest.mark.parametrize(
    ("told", "what"),
    [
        ("mpremote: no device found", "No board is plugged in"),
        ("mpremote: failed to access /dev/ttyUSB0 (it may be in use by another program)", "something else has it open"),
        ("/usr/bin/python3: No module named mpremote", "make setup"),
        ("mpremote: no response from device", "press its reset"),
    ],
)
def test_what_goes_wrong_with_a_port_is_one_true_sentence(built, capsys, told, what):
    def board(command, limit_s):
        return subprocess.CompletedProcess(command, 1, told, told)

    with pytest.raises(FlashError, match=what) as caught:
        flash(lambda: built, "auto", board, lambda text: None)
    assert "it may be in use" not in str(caught.value)
    assert self_test.main([], ended_with(told, status=1)) == 1
    said = capsys.readouterr()
    assert what in said.err
    assert told not in said.out + said.err


def status_of(tool, *arguments):
    try:
        return tool.main(list(arguments))
    except SystemExit as ended:
        return ended.code


@pytest.mark.parametrize(
    ("port", "status", "what"),
    [
        ("/dev/ttyNOSUCH", 1, "There is no port /dev/ttyNOSUCH"),
        ("/etc/hosts", 1, "is no serial port"),
        ("list", 2, "a port is a path"),
        ("", 2, "a port is a path"),
        ("/dev/tty\x1b[2J", 2, "letters and signs only"),
    ],
)
def test_a_port_that_cannot_be_is_said_at_once(capsys, port, status, what):
    for tool in (flash_module, self_test):
        assert status_of(tool, port) == status
        said = capsys.readouterr()
        assert what in said.err
        assert said.out == ""


def test_nothing_but_an_earlier_build_is_built_over(tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear Ann")
    assert build_module.main([str(tmp_path / "mine")]) == 1
    assert "holds letter.txt" in capsys.readouterr().err
    assert (tmp_path / "mine" / "letter.txt").read_text() == "Dear Ann"
    for folder in ("/proc/nosuch", str(tmp_path / "mine" / "letter.txt")):
        assert build_module.main([folder]) == 1
        said = capsys.readouterr().err
        assert folder in said
        assert "Errno" not in said
        assert "name " in said
    again = tmp_path / "again"
    for _ in range(2):
        assert build_module.main([str(again)]) == 0


def test_no_compiler_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(build_module.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(build_module.shutil, "which", lambda name: None)
    with pytest.raises(BuildError, match="make setup"):
        build(tmp_path / "out")


def test_a_file_that_does_not_compile_is_named(tmp_path):
    broken = tmp_path / "firmware" / "table"
    broken.mkdir(parents=True)
    (broken / "main.py").write_text("import firmware.table.bad\n")
    (broken / "bad.py").write_text("x = 1\nnonlocal x\n")
    with pytest.raises(BuildError, match="firmware/table/bad.py does not compile"):
        build(tmp_path / "out", root=tmp_path)


def names_in(image):
    """What MicroPython sees in an image for its ROM file system."""
    script = (
        "import os, sys, vfs\n"
        "with open(sys.argv[1], 'rb') as file:\n"
        "    vfs.mount(vfs.VfsRom(file.read()), '/image')\n"
        "waiting = ['/image']\n"
        "while waiting:\n"
        "    folder = waiting.pop()\n"
        "    for entry in os.ilistdir(folder):\n"
        "        path = folder + '/' + entry[0]\n"
        "        if entry[1] == 0x4000:\n"
        "            waiting.append(path)\n"
        "        else:\n"
        "            print(path[7:])\n"
    )
    (image.parent / "names.py").write_text(script)
    interpreter = Path(sys.executable).parent / "micropython"
    done = subprocess.run(
        [interpreter, image.parent / "names.py", image], capture_output=True, text=True, timeout=30, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("device", BUILDS)
def test_each_device_gets_what_it_needs_and_nothing_else(device, tmp_path):
    made = build(tmp_path / device, device)
    names = {path.relative_to(tmp_path / device).as_posix() for path in made}
    chosen = BUILDS[device]
    if chosen.rom:
        names = names_in(made[0])
    assert chosen.entry.replace(".", "/") + ".mpy" in names
    assert f"firmware/{Path(chosen.pins_as).stem}.mpy" in names
    assert f"from {chosen.entry} import main" in (tmp_path / device / "main.py").read_text()
    assert ("firmware/drivers/mfrc522.mpy" in names) == (device in ("table", "table_s3"))
    assert ("firmware/die/roll_detector.mpy" in names) == (device == "handheld_die")
    assert not [name for name in names if "tools" in name or "overlay" in name or "games" in name]


def test_the_table_on_another_chip_takes_its_pins(tmp_path):
    build(tmp_path / "one", "table")
    build(tmp_path / "other", "table_s3")
    pins = [(tmp_path / name / "firmware" / "pins.mpy").read_bytes() for name in ("one", "other")]
    assert pins[0] != pins[1]
    apps = [(tmp_path / name / "firmware" / "table" / "app.mpy").read_bytes() for name in ("one", "other")]
    assert apps[0] == apps[1]


def test_bytecode_that_runs_from_rom_is_deployed_as_one_image(built):
    (built / "firmware.romfs").write_bytes(b"")
    board = Mpremote()
    flash(lambda: built, "auto", board, lambda text: None)
    deployed = next(i for i, text in enumerate(board.asked) if "romfs deploy" in text)
    assert board.asked[deployed].endswith("firmware.romfs")
    assert board.asked[deployed + 1].endswith(":main.py")
    assert not any("cp -r" in text for text in board.asked)


def test_the_handheld_die_is_one_image(tmp_path):
    made = build(tmp_path / "die", "handheld_die")
    assert [path.name for path in made] == ["firmware.romfs", "main.py"]
    assert sorted(path.name for path in (tmp_path / "die").iterdir()) == ["firmware.romfs", "main.py"]
    assert made[0].read_bytes()[:3] == b"\xd2\xcd\x31"
