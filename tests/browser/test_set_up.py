"""Set-up as a person does it: from the printed address to the first question, by clicks and by keys."""

import pytest
from running_companion import PATIENCE, RunningCompanion, Visit

pytestmark = pytest.mark.browser


def test_six_people_sit_down(visit: Visit, companion: RunningCompanion) -> None:
    page = visit.browser()
    page.goto(companion.start_url())
    for number, name in enumerate(("Ann", "Bo", "Carla", "Dev", "Edie", "Finn"), 1):
        page.get_by_label(f"Name of seat {number}").fill(name)
    # Ann wants green: Dev, who had it, gets the colour that she gave up.
    page.locator(".seatrows li").nth(0).locator("label[title=green]").click()
    page.get_by_role("radio", name="By hand").check()
    page.get_by_label("How many cards in a turn?").select_option("one_of_each")
    page.get_by_label("What shall the evening be called?").fill("Six at the table")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/ready")
    page.get_by_role("link", name="Banker’s tablet").click()
    page.get_by_role("heading", name="Ann: Journey card, Passenger card, or throw.").wait_for()
    view = companion.table.view("bank")
    assert [(p["name"], p["colour"]) for p in view["players"]] == [
        ("Ann", "green"),
        ("Bo", "yellow"),
        ("Carla", "blue"),
        ("Dev", "red"),
        ("Edie", "white"),
        ("Finn", "black"),
    ]
    assert view["options"] == {"card_draw": "one_of_each"}
    assert companion.table.setup["money"] == "by_hand"
    assert companion.table.title == "Six at the table"


def test_one_press_shows_a_table_for_four(visit: Visit, companion: RunningCompanion) -> None:
    page = visit.browser()
    page.goto(companion.start_url())
    page.get_by_role("button", name="Show me: TAXI!").click()
    page.wait_for_url("**/ready")
    assert len(companion.table.view("bank")["players"]) == 4


def test_a_wrong_set_up_says_what_to_change_and_keeps_the_rest(visit: Visit, companion: RunningCompanion) -> None:
    visit.expected.append("422")
    page = visit.browser(java_script_enabled=False)
    page.goto(companion.start_url())
    page.get_by_label("Name of seat 1").fill("Ann")
    page.get_by_label("Name of seat 2").fill("Bo")
    page.locator(".seatrows li").nth(1).locator("label[title=red]").click()
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("alert").filter(has_text="red").wait_for()
    assert page.get_by_label("Name of seat 1").input_value() == "Ann"
    assert companion.application.current is None


def test_refused_and_saved_house_rules_are_answered_where_the_person_is(
    visit: Visit, companion: RunningCompanion
) -> None:
    visit.expected.append("422")
    page = visit.browser()
    page.goto(companion.start_url())
    on_screen = """(element) => {
        const r = element.getBoundingClientRect();
        return r.top >= 0 && r.bottom <= innerHeight;
    }"""
    page.get_by_role("button", name="Save", exact=True).click()
    wrong = page.get_by_role("alert")
    wrong.filter(has_text="need a name").wait_for()
    named = page.locator("input[name=preset_name]")
    assert named.evaluate("(element) => element === document.activeElement")
    assert named.evaluate(on_screen)
    assert wrong.evaluate(on_screen)
    assert wrong.count() == 1
    page.keyboard.type("Fridays")
    page.get_by_role("button", name="Save", exact=True).click()
    said = page.get_by_role("status").filter(has_text="Saved as “Fridays”.")
    said.wait_for()
    assert said.evaluate(on_screen)
    page.locator("input[name=name1]").fill("Ann")
    page.locator("input[name=name2]").fill("Bo")
    page.locator(".seatrows li").nth(1).locator("label[title=red]").click()
    page.locator("input[name=colour1][value=red]").evaluate("(element) => { element.checked = true; }")
    page.locator("input[name=colour2][value=red]").evaluate("(element) => { element.checked = true; }")
    page.get_by_role("button", name="Open the table").click()
    wrong.filter(has_text="red").wait_for()
    assert wrong.evaluate(on_screen)


def test_evenings_are_renamed_forgotten_and_deleted(visit: Visit, companion: RunningCompanion) -> None:
    from playwright.sync_api import expect

    companion.evening("Ann", "Bo", title="First")
    companion.evening("Carla", "Dev", title="Second")
    page = visit.bank("/")
    first = page.locator(".evenings li", has_text="First")
    first.get_by_text("More …").click()
    first.get_by_label("Title").fill("The first one")
    first.get_by_role("button", name="Rename").click()
    renamed = page.locator(".evenings li", has_text="The first one")
    renamed.get_by_text("More …").click()
    renamed.get_by_role("button", name="Forget the names").click()
    expect(page.locator(".evenings")).not_to_contain_text("Bo", timeout=PATIENCE)
    gone = page.locator(".evenings li").filter(has_not_text="Second")
    gone.get_by_text("More …").click()
    gone.get_by_label("Delete this evening for good").check()
    gone.get_by_role("button", name="Delete").click()
    expect(page.locator(".evenings li")).to_have_count(1, timeout=PATIENCE)


def test_a_stranger_is_asked_for_a_code(visit: Visit, companion: RunningCompanion) -> None:
    companion.evening("Ann", "Bo")
    visit.expected.append("403")
    page = visit.browser()
    page.goto(companion.url + "/tablet")
    page.get_by_text("This device has not joined the table yet").wait_for()
    code = companion.invite_short(1)
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("heading", name="Play as Ann?").wait_for()
    page.get_by_role("button", name="Yes, join").click()
    page.get_by_role("heading", name="Your turn, Ann.").wait_for()
