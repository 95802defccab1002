"""`cabstand simulate`: many games by bots, on all cores, for whoever wants to know how a game plays on a board.

Game n of a seed is always the same game, whatever the number of processes, so standard output, the table and the report
depend on the arguments alone but for `--jobs`; progress and complaints go to standard error.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from rich.console import Console

from companion import whole_files
from companion.errors import CompanionError
from companion.simulation import export, tournament
from companion.simulation.games import GameFailedError, bots_of
from companion.simulation.records import Plan, PlayedGame
from companion.simulation.report import print_report
from companion.simulation.runner import cores, play_all
from companion.simulation.titles import part
from companion.tables.wording import plain_line
from shared_rules import games, library
from shared_rules.engine import options

WIDTH = 100
"""Columns of the report when it goes into a file or a pipe."""
TOURNAMENT = "tournament"


def run(argv: list[str]) -> int:
    """Plays what `argv` (without the command's name) asks for.

    0: done, 1: a game failed or a file cannot be written; bad arguments exit with 2.
    """
    parser = _parser()
    asked = parser.parse_args([f"--{TOURNAMENT}", *argv[1:]] if argv[:1] == [TOURNAMENT] else argv)
    plan = _plan(parser, asked)
    errors = Console(stderr=True)
    try:
        if asked.out is not None:
            export.check(asked.out)
        if asked.report is not None:
            whole_files.check(asked.report)
        plans = tournament.pairings(plan) if asked.tournament else [plan]
        played = play_all(plans, asked.jobs, errors)
        _tell(asked, plan, plans, played)
    except KeyboardInterrupt:
        errors.print("Stopped. Nothing was counted.")
        return 130
    except GameFailedError as failed:
        again = _again(failed.plan, failed.number)
        errors.print(f"{failed}\nTo see it again: {again}", highlight=False, soft_wrap=True, markup=False)
        return 1
    except BrokenProcessPool:
        errors.print("A process that played was ended from outside; nothing was counted. Try fewer --jobs.")
        return 1
    except CompanionError as fault:
        errors.print(f"cabstand: {plain_line(str(fault))}", highlight=False, soft_wrap=True, markup=False)
        return 1
    return 0


def _tell(asked: argparse.Namespace, plan: Plan, plans: list[Plan], played: list[list[PlayedGame]]) -> None:
    output = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    if asked.tournament:
        tournament.print_tournament(output, plans, played)
    else:
        print_report(output, plan, played[0])
    if asked.out is not None:
        export.write(asked.out, list(zip(plans, played, strict=True)))
        output.print(f"All games are in {asked.out}.", highlight=False, soft_wrap=True, markup=False)
    if asked.report is not None:
        from companion.simulation.page import page

        whole_files.save(page(plans, played, _again(plan)), asked.report)
        output.print(f"The report is in {asked.report}.", highlight=False, soft_wrap=True, markup=False)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cabstand simulate",
        description="Let bots play many games; see who wins, how long it takes, where it comes from and what decides.",
        epilog="`cabstand simulate tournament …` lets every bot meet every other and gives a table of strengths.",
    )
    parser.add_argument("--game", type=_game, default="taxi", metavar="NAME", help=f"{', '.join(games.names())} (taxi)")
    parser.add_argument("--players", type=_whole(1, 99), metavar="N", help="players in a game (as many as may play)")
    parser.add_argument("--games", type=_whole(1, 1_000_000), default=100, metavar="N", help="how many games (100)")
    parser.add_argument("--long", action="store_true", help="the long game, where there is one")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="another seed, other games (1)")
    parser.add_argument("--first", type=_whole(1, 10**9), default=1, metavar="N", help="first game of that seed (1)")
    parser.add_argument("--board", metavar="ID", help="a shipped board (the game's own)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house rule; may be given several times"
    )
    parser.add_argument(
        "--bots", metavar="NAME,…", help="who plays, dealt to the seats in turn (random; in a tournament all there are)"
    )
    parser.add_argument("--tournament", action="store_true", help="a round robin of the bots, as `simulate tournament`")
    parser.add_argument("--out", type=Path, metavar="FILE", help="a row for each game: games.csv or games.parquet")
    parser.add_argument("--report", type=_page, metavar="FILE", help="a page with pictures: report.html")
    parser.add_argument(
        "--jobs", type=_whole(1, 256), default=cores(), metavar="N", help="processes (one for each core)"
    )
    return parser


def _plan(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> Plan:
    """The plan that the arguments tell; exits with 2 for what this game does not have."""
    meta: Any = games.meta(asked.game)
    least, most = meta.PLAYERS
    players = asked.players or (least if asked.tournament else most)
    if not least <= players <= most:
        parser.error(f"argument --players: must be {least} to {most} for {asked.game}, not {players}")
    boards = library.board_ids(asked.game)
    board = asked.board or (boards[0] if boards else "")
    if board not in boards:
        parser.error(f"argument --board: no board {board!r} for {asked.game}; there are: {', '.join(boards)}")
    if asked.long and not part(asked.game).LONG:
        parser.error(f"argument --long: {asked.game} has no long game")
    known = sorted(bots_of(asked.game))
    bots = asked.bots or (",".join(known) if asked.tournament else "random")
    names = [name.strip() for name in bots.split(",")]
    for name in names:
        if name not in known:
            parser.error(f"argument --bots: no bot {name!r}; there are: {', '.join(known)}")
    if asked.tournament and len(set(names)) < 2:
        parser.error("argument --bots: a tournament needs two different bots at least")
    chosen = {}
    for text in asked.option:
        name, value = _option(parser, meta.OPTIONS, text)
        chosen[name] = value
    return Plan(
        game=asked.game,
        players=players,
        games=asked.games,
        seed=asked.seed,
        board=board,
        bots=tuple(names),
        long=asked.long,
        first=asked.first,
        options=chosen,
    )


def _option(parser: argparse.ArgumentParser, known: Any, text: str) -> tuple[str, Any]:
    """(name, value) of NAME=VALUE; exits with 2 for a rule or a value that there is not."""
    name, equals, written = text.partition("=")
    option = options.find(known, name.strip())
    if not equals or option is None:
        there = ", ".join(sorted(each.name for each in known))
        parser.error(f"argument --option: no house rule {name[:40]!r}; write NAME=VALUE, with one of: {there}")
    fits = [value for value in _readings(written.strip()) if option.takes(value)]
    if not fits:
        values = option.hint or ", ".join(json.dumps(value).strip('"') for value in option.values)
        parser.error(f"argument --option: {option.name} is one of: {values}; not {written[:40]!r}")
    return option.name, fits[0]


def _readings(text: str) -> list[Any]:
    """What a value on the command line may mean: JSON, or a word as it stands."""
    try:
        return [json.loads(text), text]
    except (ValueError, RecursionError):
        return [text]


def _again(plan: Plan, number: int | None = None) -> str:
    """The command that plays this again, or one game of it."""
    words = ["cabstand simulate", f"--game {plan.game}", f"--players {plan.players}"]
    words += ["--long"] if plan.long else []
    words += [f"--seed {plan.seed}", f"--board {plan.board}", f"--bots {','.join(plan.bots)}"]
    words += [f"--option {shlex.quote(f'{name}={_written(value)}')}" for name, value in sorted(plan.options.items())]
    first, count = (plan.first, plan.games) if number is None else (number, 1)
    words += [f"--first {first}"] if first != 1 else []
    words += [f"--games {count}"]
    return " ".join(words)


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _whole(low: int, high: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"must be {low:,} to {high:,}, not {number:,}")
        return number

    return whole


def _game(text: str) -> str:
    if text not in games.names():
        raise argparse.ArgumentTypeError(f"no game {text!r}; there are: {', '.join(games.names())}")
    return text


def _page(text: str) -> Path:
    path = Path(text)
    if path.suffix != ".html":
        raise argparse.ArgumentTypeError(f"{text!r}: the report is an .html file")
    return path
