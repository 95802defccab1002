"""`cabstand fault list|run`: what goes wrong at a table, on purpose."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import terminal
from companion.tables.wording import plain_line

if TYPE_CHECKING:
    from companion.fault_scripts.player import Verdict
    from companion.fault_scripts.script import Script

# All else is imported where it is used: help is quick.
TARGETS = ("virtual", "process", "person")


def add_to(commands: Any) -> None:
    """The command with its own commands."""
    fault = commands.add_parser("fault", help="play scripts of what goes wrong at a table")
    among = fault.add_subparsers(required=True, metavar="COMMAND")
    listed = among.add_parser("list", help="say what scripts there are")
    listed.add_argument("paths", nargs="*", type=Path, metavar="FILE|DIR", help="default: tests/fault_scripts")
    listed.set_defaults(work=_list)
    run = among.add_parser("run", help="play scripts; the status is 0 when all came as it must")
    run.add_argument("paths", nargs="+", type=Path, metavar="FILE|DIR")
    run.add_argument("--target", choices=TARGETS, default="virtual", help="where (default: %(default)s)")
    run.add_argument(
        "--table", help="with --target person: ble (the default), serial, serial:PORT, ble,serial:PORT, hci:HOST:PORT"
    )
    run.add_argument("--facts", action="store_true", help="print every fact that was heard")
    run.set_defaults(work=_run)


def scripts_in(paths: list[Path]) -> list[Script]:
    """All scripts of files and folders, by file name. `ScriptError`."""
    from companion.fault_scripts.script import ScriptError, read_script

    files: list[Path] = []
    for path in paths:
        found = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        if not found:
            raise ScriptError(f"{path}: there is no script in this folder.")
        files += found
    return [read_script(path) for path in files]


def _list(arguments: argparse.Namespace) -> int:
    paths = arguments.paths or [Path("tests/fault_scripts")]
    for script in scripts_in(paths):
        print(f"{script.name:40} {plain_line(script.title)}  ({plain_line(script.source)})")
    return 0


def _run(arguments: argparse.Namespace) -> int:
    from companion.fault_scripts.keyboard import InputEndedError
    from companion.fault_scripts.player import Verdict, play
    from companion.fault_scripts.targets import RefusedError, TargetError, runner_for, target_named

    if arguments.table is not None and arguments.target != "person":
        raise TargetError("--table says where a person's table is: it goes with --target person.")
    terminal.interruptible()
    failed = refused = 0
    scripts = scripts_in(arguments.paths)
    for script in scripts:
        target = target_named(arguments.target, arguments.table or "ble")
        verdict = Verdict(script, target.name)
        try:
            with runner_for(target) as runner:
                runner.run(play(script, target, verdict))
        except RefusedError as why:
            print(f"skip {script.name}: {plain_line(str(why))}", flush=True)
            refused += 1
            continue
        except KeyboardInterrupt:
            _broken_off(verdict, "It was stopped")
            return 130
        except InputEndedError as why:
            _broken_off(verdict, str(why))
            return 1
        failed += not verdict.passed
        print(f"{'ok  ' if verdict.passed else 'FAIL'} {script.name} ({target.name}, {verdict.seconds:.1f} s)")
        for sentence in verdict.wrong:
            print(f"     {plain_line(sentence)}")
        for sentence in verdict.left_out:
            print(f"     left out: {plain_line(sentence)}")
        if arguments.facts:
            _print_facts(verdict)
        sys.stdout.flush()
    return 1 if failed or refused == len(scripts) else 0


def _broken_off(verdict: Verdict, why: str) -> None:
    """A sentence, and what is known so far; nothing is judged."""
    script = verdict.script
    print(f"\nstop {script.name}: {why} after {verdict.done} of {len(script.steps)} steps; that proves nothing.")
    for one in script.expected:
        came = any(one.pattern.fits(fact) for fact in verdict.heard)
        print(f"     {'came:        ' if came else 'did not come:'} {plain_line(str(one.pattern))}")
    for sentence in [*verdict.wrong, *(f"left out: {text}" for text in verdict.left_out)]:
        print(f"     {plain_line(sentence)}")
    sys.stdout.flush()


def _print_facts(verdict: Verdict) -> None:
    for fact in verdict.heard:
        rest = " ".join(f"{key}={value}" for key, value in fact.items() if key not in ("fact", "at"))
        print(f"     {fact['at']:8.3f} {fact['fact']} {plain_line(rest)}")
