"""Small words of the pages: the same thing several times is one line, a throw that did not count is understood and not
put right, a house rule with odd values is chosen in words, and a way names what is missing for it."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from web_table import WebTable

from companion import titles
from companion.devices.facts import DieSettled, Origin
from companion.tables.receipts import LogRow
from companion.web.screens.house_rules import asked_rules, options_of
from companion.web.screens.narration import lines
from companion.web.texts import texts
from shared_rules.engine import game


def test_what_happens_again_and_again_is_one_line() -> None:
    title = titles.find("destination_london")
    state = game.load_position({"game": title.name, "board": "thames", "players": [{}, {}]})
    screen = title.seats.screen_of(game.view_for(state, "spectator"), "An evening", "en")

    def dealt(seq: int, seat: int) -> LogRow:
        events = [{"event": "CardDealt", "seat": seat, "card": None, "rules": ["L-013"]}]
        return LogRow(seq, "2026-11-30T20:00:00+00:00", "play", "bank", "deal", 0, events, False)

    rows = [dealt(seq, 2 if seq > 4 else 1) for seq in range(7, 1, -1)]
    told = lines(rows, screen, texts("en", title.name), 10)
    assert [(line.colour, line.times) for line in told] == [("blue", 3), ("red", 3)]


def test_a_throw_that_did_not_count_is_understood(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            table = await web.evening()
            bank = await web.bank()
            await table.observe(DieSettled(Origin("d", 1, 1), 1, 2, 1, 9, 900))  # a tablet before the drive
            page = (await bank.get("/tablet")).text
            assert "that does not count" in page
            assert "Understood" in page
            assert "It is put right now" not in page

    asyncio.run(play())


def test_how_many_tokens_win_is_chosen_in_words() -> None:
    title, t = titles.find("taxi_over"), texts("en", "taxi_over")
    rule = next(rule for rule in asked_rules(title) if rule.name == "target_tokens")
    assert [str(rule.words(value, t)) for value in rule.values] == [
        "8 of two players, else 10", "a short game: 5, else 6", "a long game: 12",
    ]  # fmt: skip
    assert options_of(title, {"option_target_tokens": rule.values[1]}) == {"target_tokens": {"2": 5, "3": 6, "4": 6}}
    odd = '{"2": 3, "3": 10, "4": 10}'
    preset = next(rule for rule in asked_rules(title, {"option_target_tokens": odd}) if rule.name == "target_tokens")
    assert preset.chosen == odd
    assert preset.values[-1] == odd


WAYS = [4, 1, 0], [5, 0, 1]
"""Streets, green and white tablets of two ways."""


@pytest.mark.parametrize(
    ("has", "said"),
    [
        ([5, 0, 0], "Ann &amp; Co has 5 streets, but no green tablet or white tablet."),
        ([3, 1, 0], "Ann &amp; Co has 3 streets and 1 green, but no white tablet."),
        ([3, 2, 1], "Ann &amp; Co has 3 streets, 2 green and 1 white."),
    ],
)
def test_what_a_way_takes_and_what_there_is_of_it(has: list[int], said: str) -> None:
    words = titles.find("taxi").decisions.needs_words(WAYS, has, "Ann & Co", texts("en", "taxi"))
    assert words == f"To drive there it takes 4 streets and 1 green, or 5 streets and 1 white. {said}"


def test_a_white_tablet_has_one_name() -> None:
    """The freeway is a road and a word on a card; what opens its gates is a white tablet."""
    said = json.loads((titles.find("taxi").folder / "texts" / "en.json").read_text("utf-8"))
    every = {key: str(text) for key, text in said.items() if re.search(r"freeway (pass|tablet)", str(text), re.I)}
    assert every == {}
    assert [said[key] for key in ("count.white", "correct.white")] == [{"one": "white", "other": "white"}, "White"]
