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
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from firmware.tools.advice import AUTO, advice, port, trouble_with
from firmware.tools.builds import BUILDS

LIMIT_S = 120.0
_LINE = re.compile(r"^(ok|no|see)\s+([^:]+): (.*)$")

Runner = Callable[[list[str], float, Callable[[str], None]], int | None]


def summary(output: str) -> tuple[int, int, int, bool]:
    """(passed, failed, to be seen by a person, whether the test came to its end) of a board's output."""
    verdicts = [match.group(1) for line in output.splitlines() if (match := _LINE.match(line.strip()))]
    return verdicts.count("ok"), verdicts.count("no"), verdicts.count("see"), "end" in output.split()


def run(command: list[str], limit_s: float, say: Callable[[str], None]) -> int | None:
    """Hands on each line as it comes, since the board asks for things that must be done at once; the status, None when
    it was ended after its limit."""
    told = subprocess.PIPE
    with subprocess.Popen(command, stdout=told, stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        with _ended_after(limit_s, process) as late:
            for line in process.stdout or ():
                say(line.rstrip("\r\n"))
            status = process.wait()
        return None if late.is_set() else status


@contextmanager
def _ended_after(limit_s: float, process: "subprocess.Popen[str]") -> Iterator[threading.Event]:
    late = threading.Event()

    def end() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(limit_s, end)
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
        process.kill()


def main(arguments: list[str] | None = None, run: Runner = run) -> int:
    parser = argparse.ArgumentParser(prog="python -m firmware.tools.self_test", description="Test a real board.")
    parser.add_argument(
        "port", nargs="?", type=port, default=AUTO, help="serial port, default: the first board that is found"
    )
    parser.add_argument("--device", choices=sorted(BUILDS), default="table", help="what the board is, default table")
    options = parser.parse_args(arguments)
    if trouble := trouble_with(options.port):
        print(trouble, file=sys.stderr)
        return 1
    check = BUILDS[options.device].check
    called = f"from {check} import main; main()"
    # A reset first: main.py waits two seconds, in which the table can be stopped before its watchdog runs.
    command = [sys.executable, "-m", "mpremote", "connect", options.port, "reset", "sleep", "1", "exec", called]
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        if not advice(line):
            print(line, flush=True)

    print("Watch the lights and do what is asked. Lines say ok, no, or see (judge yourself).", flush=True)
    try:
        code = run(command, LIMIT_S, say)
    except KeyboardInterrupt:
        print("Stopped before its end.", file=sys.stderr)
        return 130
    output = "\n".join(lines)
    passed, failed, see, ended = summary(output)
    if not ended:
        why = f"No end after {LIMIT_S:.0f} s" if code is None else "The board did not run the test"
        flash = f"{sys.executable} -m firmware.tools.flash --device {options.device}"
        what = advice(output) or f"{why}. Put the firmware on it ({flash}); is the port right?"
        print(what, file=sys.stderr)
        return 1
    print(f"{passed} passed, {failed} failed, {see} for your eyes.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
