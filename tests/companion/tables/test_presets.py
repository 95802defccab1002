"""House rules saved under a name: kept for each game, replaced, forgotten, and never a wrong one."""

import pytest
from table_kit import run, settings

from companion.application import Application
from companion.errors import SetupError


def in_an_application(tmp_path, work):
    async def whole():
        application = await Application.start(settings(tmp_path))
        try:
            return await work(application.presets)
        finally:
            await application.close()

    return run(whole())


def test_house_rules_are_saved_by_game_and_outlive_the_companion(tmp_path):
    async def save(presets):
        await presets.save("taxi", "  Our \n Fridays ", {"freeway_stop": "allowed", "card_draw": "optional_one"})
        return await presets.of("taxi")

    async def look(presets):
        return await presets.of("taxi"), await presets.of("another")

    # What is as usual is left out, and a name is one plain line.
    assert in_an_application(tmp_path, save) == {"Our Fridays": {"freeway_stop": "allowed"}}
    assert in_an_application(tmp_path, look) == ({"Our Fridays": {"freeway_stop": "allowed"}}, {})


def test_the_same_name_again_replaces_and_delete_forgets(tmp_path):
    async def work(presets):
        await presets.save("taxi", "Fridays", {"freeway_stop": "allowed"})
        await presets.save("taxi", "Alone", {})
        await presets.save("taxi", "Fridays", {"plate_price": 12000})
        before = await presets.of("taxi")
        await presets.delete("taxi", "Fridays")
        await presets.delete("taxi", "Nothing")
        return before, await presets.of("taxi")

    before, after = in_an_application(tmp_path, work)
    assert before == {"Alone": {}, "Fridays": {"plate_price": 12000}}
    assert after == {"Alone": {}}


@pytest.mark.parametrize(
    ("game", "name", "options", "field"),
    [
        ("taxi", "", {}, "preset_name"),
        ("taxi", "x" * 41, {}, "preset_name"),
        ("taxi", "\u200b", {}, "preset_name"),
        ("taxi", "Fridays", {"plate_price": 11}, "option_plate_price"),
        ("taxi", "Fridays", {"colour_of_the_sky": "blue"}, "option_colour_of_the_sky"),
        ("chess", "Fridays", {}, "game"),
    ],
)
def test_what_cannot_be_saved_says_what_to_change(tmp_path, game, name, options, field):
    async def work(presets):
        with pytest.raises(SetupError) as refused:
            await presets.save(game, name, options)
        return refused.value.field, await presets.of(game)

    assert in_an_application(tmp_path, work) == (field, {})
