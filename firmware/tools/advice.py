"""What to do about the words that mpremote ends with, for flash and self_test."""

ADVICE = (
    ("No module named mpremote", "mpremote is not installed: run `make setup`, then use .venv/bin/python."),
    ("no device found", "No board is plugged in, or its driver is missing: name its port, /dev/ttyUSB0 say."),
    ("failed to access", "That port is not there, or something else has it open (a companion, say): close that."),
    ("could not enter raw repl", "The board does not listen: press its reset, or put MicroPython on it first."),
    ("ROMFS", "The board's MicroPython has no ROM partition; firmware/README.md says which build has one."),
)


def advice(told: str) -> str:
    """The sentence that fits, behind a space; empty when none does."""
    for words, sentence in ADVICE:
        if words.lower() in told.lower():
            return f" {sentence}"
    return ""
