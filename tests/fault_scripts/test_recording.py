"""What is recorded on the real bench page, at a real virtual table and in a running evening, can be played again."""

import asyncio

import httpx
import pytest

from companion.application import Application
from companion.devices.facts import TagAppeared, TagGone
from companion.fault_scripts.player import play
from companion.fault_scripts.script import parse_script
from companion.fault_scripts.targets import ProcessTarget, VirtualTarget, runner_for
from companion.settings import Settings
from companion.tables.setup import EveningSetup, SeatSetup
from companion.web.app import create_app, start_path

DEVICES = ("table", "table2", "die", "ring")
HOST = "127.0.0.1:8000"
PATIENCE = 40
"""s; a virtual table on a busy machine falls behind its clock."""


async def until(condition, what, known=tuple):
    """`known()` says more of what is known when it never comes."""
    end = asyncio.get_running_loop().time() + PATIENCE
    while not await condition():
        assert asyncio.get_running_loop().time() < end, (what, known())
        await asyncio.sleep(0.1)


async def recorded(folder):
    """A taxi is moved, two dice are thrown, the link drops, a die is cut off from power, the taxi is taken away."""
    from companion.virtual_table.device import setup_of

    table = "virtual:" + "+".join(DEVICES)
    application = await Application.start(Settings(data_dir=folder, table=table, database_on_loop=True))
    application.allowed_hosts.add(HOST)
    app = create_app(application)
    transport = httpx.ASGITransport(app=app)
    headers = {"origin": f"http://{HOST}", "hx-request": "true"}
    try:
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}", headers=headers) as bank:
            assert (await bank.get(start_path(app))).status_code == 303

            async def act(path="/bench/act", **fields):
                answer = await bank.post(path, data=fields)
                assert answer.status_code == 200, answer.text

            async def script():
                return (await bank.get("/bench/script.toml")).text

            async def all_there():
                states = application.devices.devices()
                return len(states) == len(DEVICES) and all(one.state == "connected" for one in states)

            def came(fact, times=1):
                async def has():
                    return (await script()).count(f'fact = "{fact}"') >= times

                return until(has, fact)

            seats = [SeatSetup("Ann", "red"), SeatSetup("Bo", "blue")]

            async def lies_as_laid_out():
                lying = {}
                for fact in list(seen):
                    if isinstance(fact, TagAppeared):
                        lying[fact.uid] = fact.socket
                    elif isinstance(fact, TagGone) and lying.get(fact.uid) == fact.socket:
                        del lying[fact.uid]
                return lying == application.bench.tags_seen

            await until(all_there, "all devices")
            # Controllers are numbered as they are met, hands know them by their names.
            await application.devices.set_number(setup_of("table", folder).device_id.hex(), 0)
            seen = []
            application.witness = seen.append
            await application.tables.create_evening(EveningSetup(seats=seats, game="taxi"))
            await act(do="tidy")
            await until(
                lies_as_laid_out,
                "the taxis where they were laid",
                lambda: (application.bench.tags_seen, [one for one in seen if isinstance(one, TagAppeared | TagGone)]),
            )
            await act("/bench/record", do="start", title="A taxi is lifted, the link drops")
            uid, socket = next(iter(application.bench.tags_seen.items()))
            await asyncio.sleep(1)
            await act(do="place_tag", uid=uid, socket=str((socket + 5) % 28))
            await came("tag_appeared")
            await came("tag_gone")
            await act(do="throw", device="ring")
            await came("die_settled")
            await act(do="throw_die", kind="short", device="die")
            await came("die_settled", 2)
            await act(do="drop_link", seconds="1", device="table")
            await act(do="power_cycle", device="ring")
            await act(do="lift_tag", uid=uid)
            await came("tag_gone", 2)
            text = await script()
            await act("/bench/record", do="stop")
            return text
    finally:
        await application.close()


@pytest.mark.timeout(600)
def test_a_recording_of_an_evening_replays_on_both_targets(tmp_path, virtual_table):
    text = asyncio.run(recorded(tmp_path))
    script = parse_script(text)
    assert {"faces", "invite"} <= {step.name for step in script.steps if step.verb == "ask"}
    assert {"press_button", "throw_die", "drop_link", "power_cycle"} <= {step.name for step in script.steps}
    assert "other_event" not in text
    for target in (VirtualTarget(), ProcessTarget()):
        with runner_for(target) as runner:
            verdict = runner.run(play(script, target))
        assert verdict.wrong == [], f"{target.name}\n{text}"
        assert verdict.left_out == []
        assert [one for one in verdict.heard if one["fact"] == "die_refused"] == []
