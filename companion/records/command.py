"""The command `cabstand record`: its arguments, and what each part prints."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable
from pathlib import Path

from companion import whole_files
from companion.event_log import read_only, store
from companion.records import evenings, sources, story_page, telling, turns
from companion.records.sources import BadRecordError, load, sentences
from companion.settings import Settings
from companion.tables.readable import readable
from shared_rules.engine import game
from shared_rules.portable.json_text import dumps
from shared_rules.records import jsonl, notation, player
from shared_rules.records.record import Record, check_tag

SOURCE = "FILE|-|EVENING"
NOTATION, JSONL = "notation", "jsonl"
Arguments = argparse.Namespace


def parser(add_data: Callable[[argparse.ArgumentParser], None]) -> argparse.ArgumentParser:
    """All its arguments; `add_data` adds the one for the data folder."""
    top = argparse.ArgumentParser(
        prog="cabstand record", description="Show, replay, exchange, check and tell records of games."
    )
    parts = top.add_subparsers(required=True, metavar="COMMAND")

    def part(name: str, words: str, work: Callable[[Arguments], int]) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = parts.add_parser(
            name, help=words, description=f"{words[0].upper()}{words[1:]}."
        )
        made.add_argument(
            "source", metavar=SOURCE, help="a file in either form, - for standard input, an evening's id or title"
        )
        add_data(made)
        made.set_defaults(work=work)
        return made

    def named(made: argparse.ArgumentParser) -> argparse.ArgumentParser:
        made.add_argument("--names", action="store_true", help="with people's names, where an evening has them")
        return made

    named(part("show", "list the turns of a game", _show))

    replay = part("replay", "print positions of a game as JSON, the last one by default", _replay)
    which = replay.add_mutually_exclusive_group()
    which.add_argument("--at", type=_count, metavar="N", help="the position after entry N; 0 is the beginning")
    which.add_argument("--steps", action="store_true", help="the beginning, then after each entry, a line each")

    export = named(part("export", "write a game into a file, or print it", _export))
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="the file (.jsonl: canonical lines of JSON)")
    export.add_argument("--as", dest="form", choices=(NOTATION, JSONL), help=f"the form (default: {NOTATION})")
    export.add_argument("--undone", action="store_true", help="with what was taken back")
    export.add_argument("--force", action="store_true", help="in the place of a file that is there")
    for tag in ("event", "place", "date"):
        export.add_argument(f"--{tag}", metavar="TEXT", help=f"the record's {tag}")

    imported = part("import", "make an evening of a record, to go on with", _import)
    imported.add_argument("--title", default="", help="what the evening is called (default: the record's event)")

    part("verify", "check that a game holds from beginning to end", _verify)

    story = named(part("story", "tell what a game was about", _story))
    story.add_argument("--html", type=Path, metavar="FILE", help="as one page with pictures")
    story.add_argument("--force", action="store_true", help="in the place of a file that is there")
    return top


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise argparse.ArgumentTypeError(f"an entry is a number from 0, not {text[:20]!r}")
    return int(text)


def _whole(arguments: Arguments) -> Record:
    """The record to tell of, which holds from beginning to end."""
    record = load(arguments.source, arguments.data, names=arguments.names)
    if not sources.is_evening(arguments.source):
        with sentences(arguments.source):
            player.verify(record)
    return record


def _show(arguments: Arguments) -> int:
    record = _whole(arguments)
    with sentences(arguments.source):
        lines = [*turns.heading(record), "", *turns.lines(record)]
    print("\n".join(lines))
    return 0


def _replay(arguments: Arguments) -> int:
    record = load(arguments.source, arguments.data)
    with sentences(arguments.source):
        if arguments.at is not None and arguments.at > len(record.entries):
            raise BadRecordError(f"There is no entry {arguments.at}; the record has {len(record.entries)}.")
        state = player.beginning(record)
        if arguments.steps:
            print(dumps(game.dump_position(state)))
        for step in player.steps(record) if arguments.at != 0 else ():
            state = step.state
            if arguments.steps:
                print(dumps(game.dump_position(state)))
            if step.number == arguments.at:
                break
    if not arguments.steps:
        print(dumps(game.dump_position(state)))
    return 0


def _export(arguments: Arguments) -> int:
    record = load(arguments.source, arguments.data, names=arguments.names, undone=arguments.undone)
    with sentences(arguments.source):
        for tag in ("event", "place", "date"):
            text = getattr(arguments, tag)
            if text is not None:
                check_tag(tag, text, 0)
                record.tags[tag] = text
        player.verify(record)
        text = _text(record, arguments.form or _form_of(arguments.output))
    if arguments.output is None:
        print(text, end="")
    else:
        whole_files.save(text, arguments.output, replace=arguments.force)
    return 0


def _form_of(path: Path | None) -> str:
    return JSONL if path is not None and path.suffix == ".jsonl" else NOTATION


def _text(record: Record, form: str) -> str:
    return jsonl.write(record) if form == JSONL else notation.write(record)


def _import(arguments: Arguments) -> int:
    from companion.event_log.database import Database

    record = load(arguments.source, arguments.data)
    with sentences(arguments.source):
        player.verify(record)
        setup = evenings.setup_of(record, arguments.title or record.tags.get("event", ""))
        now = Settings().now()
        evenings.entries_of(record, setup, "checked", now)

    async def work() -> str:
        database = await Database.open(arguments.data)
        try:
            return await database.run(lambda connection: evenings.write(connection, record, setup, now))
        finally:
            await database.close()

    made = asyncio.run(work())
    print(f"The game is in the evening “{setup.title}” ({made}).")
    return 0


def _verify(arguments: Arguments) -> int:
    evening = sources.is_evening(arguments.source)
    record = load(arguments.source, arguments.data)
    checked = ["every entry is lawful", "the invariants hold after each"]
    with sentences(arguments.source):
        if evening:
            with read_only.opened(arguments.data, arguments.source) as connection:
                found = read_only.evening_id(connection, arguments.source, arguments.data)
                stored = store.load(connection, found)
                with readable(stored):
                    evenings.check(stored)
            checked += ["the chain of hashes is whole", "the stored events are those that the rules make"]
        else:
            player.verify(record)
            checked += ["result and position are those that it says"]
    played = len(record.counting())
    print(
        f"{turns.title_of(record)}, rules revision {record.revision}: {played} commands hold. "
        f"{turns.ending(record)}\nChecked: {'; '.join(checked)}."
    )
    return 0


def _story(arguments: Arguments) -> int:
    record = _whole(arguments)
    with sentences(arguments.source):
        if arguments.html is None:
            print("\n".join(telling.lines(record)))
            return 0
        text = story_page.page(record)
    whole_files.save(text, arguments.html, replace=arguments.force)
    print(f"The story is in {arguments.html}.")
    return 0
