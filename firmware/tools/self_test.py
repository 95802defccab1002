"""Tests a real board over its cable: `python -m firmware.tools.self_test [--device NAME] [PORT]`, after flashing it.

What it shows of a table, and what no test on a computer can: which sockets have a reader that answers through the
decoders, cables and multiplexers; whether empty coils are quiet; how long a poll and a frame really take; lights in
their order and colour; the button and its resistor; noise with the radio on. Of a handheld die: that its accelerometer
answers, feels one g, keeps its rate and wakes the chip; its light; its cell. What it does not show: range with your
taxis on your table, several tags on one coil, hours of radio traffic, the die's fairness.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Callable

from firmware.tools.advice import advice
from firmware.tools.builds import BUILDS

LIMIT_S = 120.0
_LINE = re.compile(r"^(ok|no|see)\s+([^:]+): (.*)$")


def summary(output: str) -> tuple[int, int, int, bool]:
    """(passed, failed, to be seen by a person, whether the test came to its end) of a board's output."""
    verdicts = [match.group(1) for line in output.splitlines() if (match := _LINE.match(line.strip()))]
    return verdicts.count("ok"), verdicts.count("no"), verdicts.count("see"), "end" in output.split()


def main(
    arguments: list[str] | None = None,
    run: "Callable[..., subprocess.CompletedProcess[str]]" = subprocess.run,
) -> int:
    parser = argparse.ArgumentParser(prog="python -m firmware.tools.self_test", description="Test a real board.")
    parser.add_argument("port", nargs="?", default="auto", help="serial port, default: the first board that is found")
    parser.add_argument("--device", choices=sorted(BUILDS), default="table", help="what the board is, default table")
    options = parser.parse_args(arguments)
    check = BUILDS[options.device].check
    called = f"from {check} import main; main()"
    # A reset first: main.py waits two seconds, in which the table can be stopped before its watchdog runs.
    command = [sys.executable, "-m", "mpremote", "connect", options.port, "reset", "sleep", "1", "exec", called]
    print("Watch the lights and do what is asked. Lines say ok, no, or see (judge yourself).")
    try:
        done = run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT_S, check=False)
        output, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as expired:
        held = expired.stdout or ""
        output, code = held.decode(errors="replace") if isinstance(held, bytes) else held, -1
    print(output, end="" if output.endswith("\n") else "\n")
    passed, failed, see, ended = summary(output)
    if not ended:
        why = f"no end after {LIMIT_S:.0f} s" if code == -1 else "the board did not run the test"
        flash = f"python -m firmware.tools.flash --device {options.device}"
        what = advice(output) or f" Put the firmware on it ({flash}); is the port right?"
        print(f"{why}.{what}", file=sys.stderr)
        return 1
    print(f"{passed} passed, {failed} failed, {see} for your eyes.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
