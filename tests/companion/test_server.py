"""The web server under the pages: this machine first, the house when asked, the next port when one is taken."""

import asyncio
import socket

import httpx
import pytest

from companion import server
from companion.application import Application
from companion.errors import CompanionError
from companion.server import WebServer
from companion.settings import Settings


async def hello(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


async def opened(folder, said):
    application = await Application.start(Settings(folder, database_on_loop=True))
    web = WebServer(application, hello, said.append)
    application.phones = web
    return application, web


def test_phones_are_let_in_and_out_again(tmp_path, monkeypatch):
    monkeypatch.setattr(
        server, "lan_address", lambda: "127.0.0.2"
    )  # another address of this machine, as a house's would be
    said = []

    async def work():
        application, web = await opened(tmp_path, said)
        await web.start(8731)
        assert web.url is None
        hosts_before = set(application.allowed_hosts)
        url = await web.open()
        assert await web.open() == url
        async with httpx.AsyncClient() as phone:
            assert (await phone.get(url)).text == "hello"
            assert (await phone.get(web.local_url)).text == "hello"
        hosts_open = set(application.allowed_hosts)
        await web.close()
        async with httpx.AsyncClient() as phone:
            with pytest.raises(httpx.ConnectError):
                await phone.get(url)
            assert (await phone.get(web.local_url)).text == "hello"
        hosts_after = set(application.allowed_hosts)
        await application.close()
        async with httpx.AsyncClient() as phone:
            with pytest.raises(httpx.ConnectError):
                await phone.get(web.local_url)
        return hosts_before, hosts_open - hosts_before, hosts_after

    before, new, after = asyncio.run(work())
    assert before == after
    assert new == {f"127.0.0.2:{url_port(said)}"}
    assert any("everybody in this network" in sentence for sentence in said)
    assert any("Phones cannot join any more" in sentence for sentence in said)


def url_port(said):
    return next(sentence for sentence in said if "http://" in sentence).split(":")[2].split()[0].strip(":")


def test_without_a_network_there_are_no_phones(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "lan_address", lambda: None)

    async def work():
        application, web = await opened(tmp_path, [])
        await web.start(8741)
        with pytest.raises(CompanionError, match="in no network"):
            await web.open()
        await application.close()

    asyncio.run(work())


def test_ports(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with server.bind("127.0.0.1", port) as other:
            assert other.getsockname()[1] > port
    with pytest.raises(CompanionError, match="--port"):
        server.bind("192.0.2.77", 9000)  # an address that this machine does not have
