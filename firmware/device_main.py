"""Becomes `main.py` at the root of the device's file system (see firmware/tools/build.py): waits, then runs the device.

The wait is for people: whoever presses Ctrl-C on the console meanwhile gets a prompt instead of the programme, however
broken the rest of the firmware may be. A die that somebody has shaken awake does not wait.
"""

import time

import machine

if machine.reset_cause() != machine.DEEPSLEEP_RESET:
    print("The device starts in 2 s, Ctrl-C stops it.")
    time.sleep(2)

from firmware.table.main import main  # noqa: E402

main()
