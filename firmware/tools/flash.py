"""Puts a device's firmware on its board: `python -m firmware.tools.flash [--device NAME] [PORT]`.

MicroPython 1.28 must be on the board already. A handheld die's must have a ROM partition, where its bytecode goes: a
partition table like `partitions-4MiB-romfs.csv` of MicroPython's ESP32 port.

Builds, stops the device before its watchdog runs (by a reset and the two seconds that main.py waits), copies, resets.
Every step has a hard limit in seconds after which its process is ended, because a board that talks without end, or one
that is gone, can hold `mpremote` for ever.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from firmware.tools.advice import advice
from firmware.tools.build import FOLDER, IMAGE, BuildError, build
from firmware.tools.builds import BUILDS

_NO_START = "import os\nif 'main.py' in os.listdir(): os.remove('main.py')"

Runner = Callable[[list[str], float], "subprocess.CompletedProcess[str]"]


class FlashError(RuntimeError):
    """The board does not hold the firmware; the text says at which step, why, and what to do."""


def run(command: list[str], limit_s: float) -> "subprocess.CompletedProcess[str]":
    """One step, ended after its limit."""
    return subprocess.run(command, capture_output=True, text=True, timeout=limit_s, check=False)


def steps(folder: Path, port: str) -> list[tuple[str, float, list[str]]]:
    """(what, limit in seconds, mpremote's arguments) of each step, in order."""
    connect = ["connect", port]
    folders = [str(entry) for entry in sorted(folder.iterdir()) if entry.is_dir()]
    copying = ["fs", "cp", "-r", *folders, ":"]
    if (folder / IMAGE).exists():
        copying = ["romfs", "deploy", str(folder / IMAGE)]
    return [
        ("reach the board", 20, [*connect, "exec", "import sys; print(sys.implementation)"]),
        ("take the old start away", 20, [*connect, "reset", "sleep", "1", "exec", _NO_START]),
        ("copy the firmware", 180, [*connect, *copying]),
        ("copy the start", 30, [*connect, "fs", "cp", str(folder / "main.py"), ":main.py"]),
        ("reset", 20, [*connect, "reset"]),
    ]


def flash(folder: Path, port: str, runner: Runner = run, say: Callable[[str], None] = print) -> None:
    """Does every step, main.py last, so that a half-copied board starts nothing. `FlashError` at the first failure."""
    for what, limit, arguments in steps(folder, port):
        say(f"{what} ...")
        try:
            done = runner([sys.executable, "-m", "mpremote", *arguments], limit)
        except subprocess.TimeoutExpired as expired:
            raise FlashError(
                f"{what}: no end after {limit} s. Is the port right and free? Press the board's reset and try again."
            ) from expired
        if done.returncode:
            told = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
            raise FlashError(f"{what}: {told}{advice(told)}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m firmware.tools.flash", description="Put the firmware on a board.")
    parser.add_argument("port", nargs="?", default="auto", help="serial port, default: the first board that is found")
    parser.add_argument("--device", choices=sorted(BUILDS), default="table", help="what the board is, default table")
    options = parser.parse_args(arguments)
    try:
        folder = build(FOLDER / options.device, options.device)[-1].parent
        flash(folder, options.port)
    except (BuildError, FlashError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    check = f"python -m firmware.tools.self_test --device {options.device}"
    print(f"The device starts in about three seconds. `{check}` shows what works on it.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
