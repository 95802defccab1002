"""Destination London with fingers: a landing that another claims, with three phones; the same window for everybody
whatever the hands hold; a hand behind the hand on the tablet."""

from __future__ import annotations

from typing import Any

import pytest
from running_companion import RunningCompanion, Visit

from shared_rules import library

pytestmark = pytest.mark.browser

QUESTION = "#dec .q"
BOARD: Any = library.board("thames")


def asked(page: Any, text: str) -> None:
    """Waits until the tablet asks this."""
    page.locator(QUESTION, has_text=text).first.wait_for()


def money(page: Any, seat: int) -> str:
    """What a seat's meter shows on the tablet."""
    shown: str = page.locator(f"#st{seat} .meter").get_attribute("aria-label")
    return shown


def a_landing() -> tuple[str, str, str, list[str]]:
    """(square beside it, card, what stands there, six cards for other squares): one step leads to an attraction."""
    home = {row["square"]: name for name, row in BOARD["attractions"].items()}
    quiet = set(BOARD["squares"]) - set(home) - set(BOARD["lights"]) - set(BOARD["garages"]) - {BOARD["base"]}
    alone = [s for s in home if sum(r["square"] == s for r in BOARD["attractions"].values()) == 1]
    for road in BOARD["roads"]:
        for here, there in zip(road["via"], road["via"][1:], strict=False):
            if here in quiet and there in alone and there not in BOARD["lights"] and there not in BOARD["garages"]:
                name = home[there]
                card = next(c for c, row in BOARD["cards"].items() if row["attraction"] == name)
                others = [c for c, row in BOARD["cards"].items() if row["attraction"] != name]
                return here, card, str(BOARD["attractions"][name]["name"]), others
    raise AssertionError("the board has no such landing")


def begin(companion: RunningCompanion, *, holder: int) -> tuple[str, str, int]:
    """An evening in which Ann is about to throw, one step beside an attraction; `holder` has the card for it.
    (the attraction, its square, the fare)."""
    here, card, name, others = a_landing()
    hands = {seat: [others[3 * seat + n] for n in range(3)] for seat in (1, 2, 3)}
    hands[holder][0] = card
    colours = {1: "red", 2: "blue", 3: "green"}
    players: list[dict[str, Any]] = [
        {"seat": seat, "colour": colours[seat], "hand": hands[seat], "at": here if seat == 1 else BOARD["base"]}
        for seat in (1, 2, 3)
    ]
    position = {"game": "destination_london", "board": "thames", "players": players, "phase": "before_roll", "turn": 1}
    companion.evening("Ann", "Bo", "Carla", game="destination_london", board="thames", position=position)
    square = next(row["square"] for row in BOARD["attractions"].values() if row["name"] == name)
    return name, square, int(BOARD["cards"][card]["fare"])


def drive_one(tablet: Any, square: str) -> None:
    """The banker presses the throw that lies on the table, and where the taxi stopped."""
    asked(tablet, "Ann throws")
    tablet.locator('.faces button[aria-label="1"]').click()
    asked(tablet, "Ann drives 1")
    tablet.locator("#where-to").select_option(square)
    tablet.get_by_role("button", name="Drive there").click()


def test_a_claim_with_three_phones(visit: Visit, companion: RunningCompanion) -> None:
    name, square, fare = begin(companion, holder=3)
    tablet, wall = visit.bank(), visit.wall()
    phones = {seat: visit.phone(seat) for seat in (1, 2, 3)}
    drive_one(tablet, square)
    phones[1].get_by_text("No card of yours is for this place").wait_for()
    phones[1].get_by_role("button", name="Keep quiet").click()
    # Everybody is asked, from the lander's left, and the covers look alike.
    wall.locator("#turn .word", has_text="Anybody’s destination? 0 of 2").wait_for()
    phones[2].locator("#bet-q", has_text=f"Ann landed at {name}. Claim it?").wait_for()
    assert phones[2].locator(".bets label").count() == 0
    phones[3].locator(".q", has_text="Bo is asked first").wait_for()
    phones[2].get_by_role("button", name="Answer: not mine").click()
    phones[3].locator("#bet-q", has_text=f"Ann landed at {name}. Claim it?").wait_for()
    wall.locator("#turn .word", has_text="1 of 2").wait_for()
    phones[3].locator(".bets label", has_text=name).click()
    phones[3].get_by_role("button", name="Answer").click()
    wall.locator("#turn .word", has_text="Carla shows the card!").wait_for()
    tablet.locator("#st3", has_text=name).wait_for()
    assert [money(tablet, seat) for seat in (1, 2, 3)] == [f"£{300 - fare}", "£300", f"£{300 + fare}"]
    players = companion.table.view("bank")["players"]
    assert (players[0]["at"], players[2]["at"], players[2]["fuel"]) == (BOARD["base"], square, 2)


def test_a_window_is_the_same_for_who_has_the_card_and_who_has_not(visit: Visit, companion: RunningCompanion) -> None:
    name, square, _ = begin(companion, holder=2)
    tablet, wall = visit.bank(), visit.wall()
    phone = visit.phone(3)
    drive_one(tablet, square)
    # Ann has no phone: she looks at her cards behind the hand.
    tablet.get_by_role("button", name="Ann looks and answers").click()
    sheet = tablet.get_by_role("dialog")
    sheet.get_by_text("Turn the tablet round").wait_for()
    assert sheet.locator(".mine li").count() == 3
    sheet.get_by_role("button", name="Keep quiet").click()
    wall.locator("#turn .word", has_text="0 of 2").wait_for()
    phone.locator(".q", has_text="Bo is asked first").wait_for()
    # Carla has a phone of her own, so the tablet does not show her cards to anybody.
    tablet.locator(".betrows a", has_text="Carla").click()
    tablet.get_by_role("dialog").get_by_text("on a phone of their own").wait_for()
    tablet.get_by_role("dialog").get_by_role("button", name="Close").click()
    tablet.locator(".betrows a", has_text="Bo").click()
    sheet.locator(".bets label", has_text=name).wait_for()
    sheet.get_by_role("button", name="Answer").click()
    phone.locator("#bet-q", has_text=f"Ann landed at {name}. Claim it?").wait_for()
    phone.get_by_role("button", name="Answer: not mine").click()
    asked(tablet, "Bo throws")
