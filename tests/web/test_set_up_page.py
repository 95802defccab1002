"""The set-up page: a card for each game, seats and colours of the chosen one, house rules as data, presets, bots."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from web_table import WebTable

from companion import titles


def of_two(game: str, **more: Any) -> dict[str, Any]:
    """The form of an evening of the fewest people that a game takes."""
    least = titles.find(game).meta.PLAYERS[0]
    colours = titles.find(game).meta.COLOURS
    names = {f"name{n}": f"Player {n}" for n in range(1, least + 1)}
    return {"game": game, **names, **{f"colour{n}": colours[n - 1] for n in range(1, least + 1)}, **more}


def test_there_is_a_card_for_each_game_with_players_and_minutes(tmp_path: Path) -> None:
    async def look() -> None:
        async with WebTable(tmp_path) as web:
            html = (await (await web.bank()).get("/")).text
            for name in titles.names():
                meta = titles.find(name).meta
                assert f'name="card" value="{name}"' in html
                assert f"<b>{meta.TITLE}</b>" in html
                few, many = meta.MINUTES
                assert f"{meta.PLAYERS[0]}–{meta.PLAYERS[1]} players · {few}–{many} minutes" in html

    asyncio.run(look())


@pytest.mark.parametrize("game", titles.names())
def test_the_form_is_that_of_the_game_whose_card_was_pressed(tmp_path: Path, game: str) -> None:
    async def look() -> None:
        async with WebTable(tmp_path) as web:
            html = (await (await web.bank()).get(f"/?card={game}&name1=Edie&title=Tonight")).text
            meta = titles.find(game).meta
            assert f'name="game" value="{game}"' in html
            assert f'name="name{meta.PLAYERS[1]}"' in html
            assert f'name="name{meta.PLAYERS[1] + 1}"' not in html
            assert 'value="Edie"' in html
            assert 'value="Tonight"' in html
            for colour in meta.COLOURS:
                assert f'name="colour1" value="{colour}"' in html
            for option in meta.OPTIONS:
                assert f'name="option_{option.name}"' in html

    asyncio.run(look())


@pytest.mark.parametrize("game", titles.names())
def test_an_evening_of_each_game_begins_from_its_form(tmp_path: Path, game: str) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            answer = await bank.post("/evenings", data=of_two(game))
            assert answer.status_code == 303, answer.text
            meta = titles.find(game).meta
            assert web.table.game.name == game
            assert web.table.title == f"An evening of {meta.TITLE}"
            players = web.table.view("bank")["players"]
            assert [player["colour"] for player in players] == list(meta.COLOURS[: len(players)])
            assert players[0]["name"] == "Player 1"
            for path in ("/ready", "/tablet", "/wall", "/bench"):
                assert (await bank.get(path)).status_code == 200, path

    asyncio.run(play())


@pytest.mark.parametrize("game", titles.names())
def test_too_many_seats_and_another_games_colour_are_refused(tmp_path: Path, game: str) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            wrong = await bank.post("/evenings", data=of_two(game, colour1="mauve"))
            assert wrong.status_code == 422
            assert "needs one of the colours" in wrong.text
            alone = {name: value for name, value in of_two(game).items() if name not in ("name2", "colour2")}
            few = await bank.post("/evenings", data=alone)
            assert few.status_code == 422
            assert "A game needs" in few.text
            assert web.application.current is None

    asyncio.run(play())


def test_one_press_opens_a_table_of_each_game(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            for name in titles.names():
                assert (await bank.post("/evenings", data={"quick": "yes", "game": name})).status_code == 303
                assert web.table.game.name == name
                assert len(web.table.setup["seats"]) == titles.find(name).setup.QUICK

    asyncio.run(play())


def test_house_rules_are_saved_used_again_and_forgotten(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            form = of_two("taxi", option_freeway_stop="allowed", option_plate_price="12,000", preset_name="Fridays")
            saved = await bank.post("/presets", data=form)
            assert saved.status_code == 200
            assert "Saved as “Fridays”." in saved.text
            assert 'value="Player 1"' in saved.text
            assert await web.application.presets.of("taxi") == {
                "Fridays": {"freeway_stop": "allowed", "plate_price": 12000}
            }
            used = (await bank.get("/?game=taxi&preset=Fridays")).text
            assert '<option value="allowed" selected>' in used
            assert 'name="option_plate_price" value="12000"' in used
            assert '<option value="Fridays" selected>' in used
            unnamed = await bank.post("/presets", data={**form, "preset_name": " "})
            assert unnamed.status_code == 422
            assert "need a name" in unnamed.text
            gone = await bank.post("/presets/delete", data={"game": "taxi", "preset": "Fridays"})
            assert "“Fridays” is forgotten." in gone.text
            assert await web.application.presets.of("taxi") == {}

    asyncio.run(play())


def test_saved_names_stay_text_and_another_games_form_changes_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            hostile = '"><script>alert(1)</script>'
            saved = await bank.post("/presets", data=of_two("taxi_over", preset_name=hostile))
            assert saved.status_code == 200
            assert "<script>alert" not in saved.text
            assert "<script>alert" not in (await bank.get("/?game=taxi_over")).text
            for path, name in (("/presets", {"preset_name": "x"}), ("/presets/delete", {"preset": hostile})):
                wrong = await bank.post(path, data={**of_two("taxi_over"), "game": "ludo", **name})
                assert wrong.status_code == 422
                assert "There is no game “ludo”." in wrong.text
            other = await bank.post("/presets/delete", data={**of_two("taxi"), "preset": hostile})
            assert other.status_code == 200
            assert list(await web.application.presets.of("taxi_over")) == [hostile]
            assert await web.application.presets.of("taxi") == {}
            for _ in range(2):
                gone = await bank.post("/presets/delete", data={**of_two("taxi_over"), "preset": hostile})
                assert gone.status_code == 200
            assert await web.application.presets.of("taxi_over") == {}

    asyncio.run(play())


def test_a_rule_is_explained_with_its_numbers(tmp_path: Path) -> None:
    async def look() -> None:
        async with WebTable(tmp_path) as web:
            html = (await (await web.bank()).get("/?card=taxi")).text
            option = next(one for one in titles.find("taxi").meta.OPTIONS if one.name == "freeway_stop")
            assert option.explains in html
            for rule in option.rules:
                assert f'href="/rules/{rule}"' in html

    asyncio.run(look())


def test_a_bot_sits_down_at_the_start_and_is_handed_over_later(tmp_path: Path) -> None:
    async def play() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            wrong = await bank.post("/evenings", data=of_two("taxi", bot2="divine"))
            assert wrong.status_code == 422
            assert "There is no bot" in wrong.text
            assert (await bank.post("/evenings", data=of_two("taxi", bot2="greedy"))).status_code == 303
            assert [web.table.bot_of(seat) for seat in (1, 2)] == ["", "greedy"]
            assert "a bot plays" in (await bank.get("/tablet")).text
            taken = {"seat": "2", "level": "", "command_id": "hand-it-back"}
            assert (await bank.post("/tablet/bot", data=taken)).status_code == 303
            assert web.table.bot_of(2) == ""

    asyncio.run(play())
