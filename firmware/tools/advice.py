"""Ports and the words that mpremote ends with, as sentences that say what to do, for flash and self_test."""

import argparse
import os
import stat

AUTO = "auto"
"""In place of a port: the first board that mpremote finds."""
SILENT = "The board does not listen: press its reset, or put MicroPython on it first."
ADVICE = (
    ("No module named mpremote", "mpremote is not installed: run `make setup`, then use .venv/bin/python."),
    ("no device found", "No board is plugged in, or its driver is missing: plug it in, or name its port."),
    ("failed to access", "The port is there, but something else has it open (a companion, say): close that."),
    ("could not enter raw repl", SILENT),
    ("no response", SILENT),
    ("ROMFS", "The board's MicroPython has no ROM partition; firmware/README.md says which build has one."),
)


def advice(told: str) -> str:
    """The sentence that fits; empty when none does."""
    return next((sentence for words, sentence in ADVICE if words.lower() in told.lower()), "")


def trouble_with(port: str) -> str:
    """Why a port that is named cannot lead to a board, in one sentence; empty when it may."""
    if port == AUTO or ":" in port:  # id:… and rfc2217://… are mpremote's own
        return ""
    try:
        kind = os.stat(port).st_mode
    except FileNotFoundError:
        return f"There is no port {port}: plug the board in, or name the port that it has."
    except OSError as error:
        return f"{port} cannot be looked at ({error.strerror}): name another port."
    if not stat.S_ISCHR(kind):
        return f"{port} is no serial port: name one, /dev/ttyUSB0 say."
    if not os.access(port, os.R_OK | os.W_OK):
        return f"You may not use {port}: on most Linux systems `sudo usermod -aG dialout $USER`, then log in anew."
    return ""


def port(text: str) -> str:
    """The type of the argument."""
    if os.name == "posix" and text != AUTO and ":" not in text and not text.startswith("/"):
        raise argparse.ArgumentTypeError(f"a port is a path, /dev/ttyUSB0 say, or {AUTO}, not {text[:40]!r}")
    if not text.isprintable():
        raise argparse.ArgumentTypeError("a port's name has letters and signs only")
    return text
