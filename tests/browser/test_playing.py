"""A game played with fingers: turns, a gamble with phones, corrections and undo, reloads, a second tablet, keys
alone.
"""

import pytest
from running_companion import RunningCompanion, Visit

pytestmark = pytest.mark.browser

QUESTION = "#dec .q"


def asked(page: object, text: str) -> None:
    """Waits until the tablet asks this."""
    page.locator(QUESTION, has_text=text).first.wait_for()  # type: ignore[attr-defined]


def money(page: object, seat: int) -> str:
    """What a seat's meter shows on the tablet."""
    return page.locator(f"#st{seat} .meter").get_attribute("aria-label")  # type: ignore[attr-defined,no-any-return]


def test_ten_turns_with_a_reload_and_a_second_tablet(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo", "Carla", "Dev", dice="digital")
    tablet, wall = visit.bank(), visit.wall()
    names = ["Ann", "Bo", "Carla", "Dev"]
    for turn in range(10):
        name = names[turn % 4]
        asked(tablet, f"{name}: Journey card")
        tablet.get_by_role("button", name="Throw the die").click()
        asked(tablet, f"{name} threw")
        if turn == 2:
            tablet.reload()  # in mid-turn
            asked(tablet, f"{name} threw")
        if turn == 4:
            tablet.close()  # its battery is empty
            tablet = visit.browser()
            tablet.goto(companion.invite_tablet())
            tablet.get_by_role("button", name="Yes, join").click()
            asked(tablet, f"{name} threw")
        wall.locator("#turn h2", has_text=name).wait_for()
        wall.locator("#turn .die").wait_for()
        # Stay, so that nobody arrives and every turn is like the others.
        stay = tablet.locator("#where-to option", has_text="Stay here").first.get_attribute("value")
        tablet.locator("#where-to").select_option(stay)
        tablet.get_by_role("button", name="Drive there").click()
        asked(tablet, f"{name} throws the twelve-sider")
        tablet.get_by_role("button", name="No throw, end the turn").click()
    asked(tablet, "Carla: Journey card")
    assert companion.table.view("bank")["round"] == 3


def test_a_place_is_picked_on_the_map(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo")
    companion.command(do="roll", seat=1, die="d6", face=2)
    tablet = visit.bank()
    asked(tablet, "Ann threw 2")
    tablet.get_by_role("button", name="Whole map").click()
    option = tablet.locator("#where-to option").nth(7)
    value, (x, y) = option.get_attribute("value"), map(float, option.get_attribute("data-xy").split())
    spot = tablet.evaluate(
        """([x, y]) => { const svg = document.querySelector('#mapbox svg');
        const p = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); return [p.x, p.y]; }""",
        [x, y],
    )
    tablet.mouse.click(*spot)
    assert tablet.locator("#where-to").input_value().split("|")[0] == value.split("|")[0]
    tablet.get_by_role("button", name="Drive there").click()
    asked(tablet, "Ann throws the twelve-sider")
    assert companion.table.view("bank")["players"][0]["at"] == value.split("|")[0]


def test_a_gamble_with_three_phones(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo", "Carla", "Dev")
    wall, tablet = visit.wall(), visit.bank()
    phones = {seat: visit.phone(seat) for seat in (2, 3, 4)}
    card = companion.gamble_card("taxi")
    companion.command(do="draw_card", seat=1, deck="journey", card=card)
    for seat, word in ((2, "Money"), (3, "Taxi"), (4, "No bet")):
        phone = phones[seat]
        phone.locator("#bet-q", has_text="Ann holds a gamble card").wait_for()
        phone.locator(".bets label", has_text=word).click()
        phone.get_by_role("button", name="Seal my bet").click()
        if seat < 4:
            wall.get_by_text(f"{seat - 1} of 3 sealed").wait_for()
            assert "$9,340" in money(tablet, seat), "what is staked would tell the word"
    asked(tablet, "Ann turns the card")
    tablet.get_by_role("button", name="Turn the card").click()
    asked(tablet, "Ann throws the die")
    wall.locator("#turn .word", has_text="The word was: Taxi.").wait_for()
    assert [money(tablet, seat) for seat in (1, 2, 3, 4)] == ["$10,340", "$8,340", "$9,340", "$9,340"]
    assert companion.table.view("bank")["players"][2]["plates"] == 1
    phones[3].locator(".tabs li", has_text="taxi").get_by_text("1").wait_for()


def test_a_whispered_bet(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo", "Carla")
    tablet = visit.bank()
    companion.command(do="draw_card", seat=1, deck="journey", card=companion.gamble_card("money"))
    for name, word in (("Bo", "Money"), ("Carla", "No bet")):
        tablet.locator(".betrows a", has_text=name).click()
        tablet.get_by_role("dialog").get_by_text(word, exact=False).first.click()
        tablet.get_by_role("button", name="Seal my bet").click()
        tablet.get_by_role("dialog").wait_for(state="hidden")
    asked(tablet, "Ann turns the card")


def test_a_correction_and_an_undo(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo")
    tablet, wall = visit.bank(), visit.wall()
    tablet.get_by_role("link", name="Correct …").click()
    sheet = tablet.get_by_role("dialog")
    sheet.get_by_label("Money").fill("9840")
    sheet.get_by_label("Why?").fill("forgot the change")
    sheet.get_by_role("button", name="Correct it").click()
    sheet.wait_for(state="hidden")
    tablet.locator("#st1 .meter[aria-label='$9,840']").wait_for()
    wall.get_by_text("Correction: forgot the change").wait_for()
    tablet.get_by_role("button", name="Undo").click()
    tablet.locator("#st1 .meter[aria-label='$9,340']").wait_for()
    # A throw comes back only if the table agrees, and keeps its face.
    companion.do(companion.table.throw("d6", seat=1, command_id="one-throw", actor="seat:1"))
    asked(tablet, "Ann threw")
    face = companion.table.view("bank")["d6"]
    tablet.get_by_role("button", name="Undo").click()
    sheet.get_by_role("button", name="The table agrees").click()
    asked(tablet, "Ann: Journey card")
    tablet.get_by_role("button", name="Throw the die").click()
    asked(tablet, f"Ann threw {face}")


def test_a_turn_by_keys_alone(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo")
    tablet = visit.bank()
    asked(tablet, "Ann: Journey card")

    def press(label: str) -> None:
        for _ in range(60):
            tablet.keyboard.press("Tab")
            if label in tablet.evaluate("document.activeElement.closest('button, a')?.textContent ?? ''"):
                tablet.keyboard.press("Enter")
                return
        raise AssertionError(f"{label} was not reached by the Tab key")

    press("Throw the die")
    asked(tablet, "Ann threw")
    press("Drive there")
    asked(tablet, "Ann throws the twelve-sider")
    press("No throw")
    asked(tablet, "Bo: Journey card")


def test_a_child_that_presses_everything_twice(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo", dice="digital")
    phone = visit.phone(1)
    phone.get_by_role("button", name="Throw the die").dblclick()
    phone.get_by_text("Where to?").wait_for()
    rolls = [row for row in companion.table.log(50) if row.do == "roll"]
    assert len(rolls) == 1


def test_the_line_drops_and_comes_back(visit: Visit, companion: RunningCompanion) -> None:
    visit.expected += ["ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED", "network", "Failed to fetch"]
    companion.evening("Ann", "Bo")
    tablet = visit.bank()
    asked(tablet, "Ann: Journey card")
    tablet.context.set_offline(True)
    companion.command(do="roll", seat=1, die="d6", face=3)
    tablet.wait_for_timeout(300)
    tablet.context.set_offline(False)
    asked(tablet, "Ann threw 3")


def test_another_evening_takes_every_page_along(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo", title="First")
    tablet = visit.bank()
    asked(tablet, "Ann")
    companion.evening("Carla", "Dev", title="Second")
    asked(tablet, "Carla: Journey card")


def test_a_lost_phone_is_sent_away(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo")
    visit.expected.append("403")
    phone, tablet = visit.phone(2), visit.bank()
    tablet.locator("#st2 .more").click()
    tablet.get_by_role("button", name="Send it away").click()
    phone.get_by_text("This device has not joined the table yet").wait_for()
