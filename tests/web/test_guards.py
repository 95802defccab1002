"""Every route for every role; foreign hosts and origins; bodies without end. Nothing is open that nobody opened."""

import asyncio
import re
from pathlib import Path

import pytest
from web_table import ORIGIN, WebTable

from companion.web.doorkeeper import Role
from companion.web.guards import MAX_BODY, POLICY

# Written down a second time, so that a slip in the policy is noticed: route → the roles that get in, by initial.
WHO = {
    "s": {"wall", "wall_stream", "wall_sheet", "leave", "rule"},
    "p": {
        "wall",
        "wall_stream",
        "wall_sheet",
        "leave",
        "rule",
        "seat",
        "seat_stream",
        "seat_act",
        "seat_undo",
        "seat_sheet",
        "seat_bot",
        "seat_dice",
    },
    "b": {
        "wall",
        "wall_stream",
        "wall_sheet",
        "leave",
        "rule",
        "evening_create",
        "evening_resume",
        "evening_rename",
        "evening_delete",
        "evening_forget",
        "ready",
        "ready_stream",
        "tags_learn",
        "tags_clear",
        "phones_open",
        "phones_close",
        "pairing",
        "revoke",
        "tablet",
        "tablet_stream",
        "tablet_act",
        "tablet_undo",
        "tablet_sheet",
        "preset_save",
        "preset_delete",
        "tablet_bot",
        "tablet_dice",
        "tablet_correct",
        "tablet_explain",
        "tablet_rename_seat",
        "record",
        "devices",
        "devices_stream",
        "devices_act",
        "devices_log",
        "bench",
        "bench_stream",
        "bench_act",
        "bench_start",
        "bench_record",
        "bench_script",
    },
}
EVERYBODY = {"static", "icon", "start", "join", "join_code", "claim", "theme", "home"}
INITIAL = {Role.ANONYMOUS: "", Role.SPECTATOR: "s", Role.SEAT: "p", Role.BANK: "b"}


def test_the_policy_says_what_is_written_down_here() -> None:
    for name, roles in POLICY.items():
        expected = (
            set(Role)
            if name in EVERYBODY
            else {role for role, initial in INITIAL.items() if name in WHO.get(initial, ())}
        )
        assert roles == expected, name


def test_every_route_is_in_the_policy_and_only_those(tmp_path: Path) -> None:
    async def walk() -> None:
        async with WebTable(tmp_path) as web:
            assert {route.name for route in web.app.router.routes} == set(POLICY)

    asyncio.run(walk())


@pytest.mark.parametrize("role", list(Role))
def test_each_route_lets_in_whom_it_should(tmp_path: Path, role: Role) -> None:
    async def walk() -> None:
        async with WebTable(tmp_path) as web:
            for route in web.app.router.routes:
                if route.name in (
                    "static",
                    "wall_stream",
                    "seat_stream",
                    "tablet_stream",
                    "bench_stream",
                    "devices_stream",
                    "ready_stream",
                    "leave",
                ):
                    continue  # streams do not end without a table; leaving would end the session that walks
                client = {
                    Role.ANONYMOUS: lambda: web.client(),
                }.get(role)
                who = (
                    client()
                    if client
                    else await (web.bank() if role is Role.BANK else web.joined(role, 1 if role is Role.SEAT else None))
                )
                path = re.sub(r"\{[^}]+\}", "x", route.path)
                for method in route.methods - {"HEAD"}:
                    answer = await who.request(method, path)
                    if role in POLICY[route.name]:
                        assert answer.status_code != 403 or route.name in ("start", "home"), (route.name, answer.text)
                    else:
                        assert answer.status_code == 403, route.name

    asyncio.run(walk())


def test_streams_are_guarded_too(tmp_path: Path) -> None:
    async def walk() -> None:
        async with WebTable(tmp_path) as web:
            for name in ("wall", "seat", "tablet", "bench", "ready"):
                assert (await web.client().get(f"/{name}/stream")).status_code == 403

    asyncio.run(walk())


def test_unknown_address_and_wrong_method_answer_in_the_look(tmp_path: Path) -> None:
    async def walk() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            missing, method = await bank.get("/nowhere"), await bank.get("/tablet/act")
            assert (missing.status_code, method.status_code) == (404, 405)
            for answer in (missing, method):
                assert "Cabstand" in answer.text
                assert "Traceback" not in answer.text

    asyncio.run(walk())


def test_foreign_hosts_and_origins_are_refused(tmp_path: Path) -> None:
    async def walk() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            rebound = await bank.get("/tablet", headers={"host": "evil.example:8000"})
            assert rebound.status_code == 421
            for origin in ("http://evil.example", "null", "", ORIGIN.replace("8000", "8001"), "file://127.0.0.1:8000"):
                answer = await bank.post("/evenings", data={"quick": "yes"}, headers={"origin": origin})
                assert answer.status_code == 403, origin
            assert web.application.current is None

    asyncio.run(walk())


def test_bodies_have_an_end(tmp_path: Path) -> None:
    async def endless():  # type: ignore[no-untyped-def]
        for _ in range(40):
            yield b"x" * 4096

    async def walk() -> None:
        async with WebTable(tmp_path) as web:
            bank = await web.bank()
            told = await bank.post("/evenings", content=b"x" * (MAX_BODY + 1))
            untold = await bank.post(
                "/evenings", content=endless(), headers={"content-type": "application/x-www-form-urlencoded"}
            )
            assert (told.status_code, untold.status_code) == (413, 413)

    asyncio.run(walk())


def test_every_answer_carries_the_headers_that_keep_scripts_and_frames_out(tmp_path: Path) -> None:
    async def walk() -> None:
        async with WebTable(tmp_path) as web:
            for answer in (
                await web.client().get("/"),
                await (await web.bank()).get("/"),
                await web.client().get("/nowhere"),
            ):
                policy = answer.headers["content-security-policy"]
                assert "script-src 'self';" in policy
                assert "unsafe-eval" not in policy
                assert "default-src 'none'" in policy
                assert answer.headers["x-frame-options"] == "DENY"
                assert answer.headers["cache-control"] == "no-store"

    asyncio.run(walk())


def test_the_printed_address_opens_every_browser_of_this_machine_and_no_second_one_elsewhere(tmp_path: Path) -> None:
    async def walk() -> None:
        async with WebTable(tmp_path) as web:
            from companion.web.app import start_path

            path = start_path(web.app, lasting=True)
            for at in ("127.0.0.1", "127.0.0.1", "::1"):
                browser = web.client(at=at)
                assert (await browser.get(path)).status_code == 303
                assert (await browser.get("/devices")).status_code == 200
            proxied = web.client(via="1.1 a-proxy")
            for stranger in (web.client(at="192.168.1.7"), proxied, web.client(at="x")):
                refused = await stranger.get(path)
                assert (refused.status_code, "cabstand play" in refused.text) == (403, True)
                assert (await stranger.get("/devices")).status_code == 403
            other = start_path(web.app, lasting=True)
            assert (await web.client(at="192.168.1.7").get(other)).status_code == 303
            assert (await web.client(at="192.168.1.7").get(other)).status_code == 403

    asyncio.run(walk())


def test_the_start_address_opens_straight_and_once(tmp_path: Path) -> None:
    async def walk() -> None:
        async with WebTable(tmp_path) as web:
            from companion.web.app import start_path

            path = start_path(web.app)
            first, second = web.client(), web.client()
            answer = await first.get(path)
            assert (answer.status_code, answer.headers["location"]) == (303, "/")
            cookie = answer.headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=strict" in cookie
            assert (await first.get("/")).status_code == 200
            assert (await first.get(path)).status_code == 303, "who is in already is led on"
            refused = await second.get(path)
            assert (refused.status_code, "open the address in its terminal" in refused.text) == (403, True)
            assert (await second.get("/tablet")).status_code == 403

    asyncio.run(walk())
