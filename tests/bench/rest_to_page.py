"""From the die's rest to the page: firmware on the virtual table, 15 ms of air, the real companion, a real Chromium."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
import statistics
import tempfile
import threading
import time
from collections import deque
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure, MissingPartError, percentile

AIR_MS = 15.0
THROWS = 60
WARM_UP = 3
FACES = 12
PATIENCE_S = 60
"""For whatever must come, also on a busy machine."""
# Writes down when the tablet's question says that somebody threw; a clock shared with this program to a millisecond.
WATCH = """() => {
  window.seen = [];
  const look = () => {
    const text = document.querySelector('#dec')?.textContent ?? '';
    const thrown = /threw (\\d)/.exec(text);
    if (thrown && !window.shown) window.seen.push([performance.timeOrigin + performance.now(), Number(thrown[1])]);
    window.shown = Boolean(thrown);
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


class Hands:
    """The virtual table and a hand at its die, in a loop of their own so that the companion's work delays no clock."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.frames: deque[tuple[float, list[list[int]]]] = deque(maxlen=500)
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Runs a coroutine there and waits for it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    async def start(self) -> str:
        """Starts the table; how `Settings.table` names it."""
        from companion.virtual_table.client import VirtualTableClient
        from companion.virtual_table.launch import start_virtual_table

        self.running = await start_virtual_table(air_time_ms=AIR_MS)
        control = self.running.control
        self.client = await VirtualTableClient.connect(control)
        self.watcher = asyncio.create_task(self._watch())
        return f"hci:127.0.0.1:{self.running.hci_port},control:127.0.0.1:{control.port}:{control.token}"

    async def _watch(self) -> None:
        async for change in self.client.changes():
            if change["kind"] == "lights" and change["strip"] == "die":
                self.frames.append((time.time() * 1000, change["lights"]))

    async def stop(self) -> None:
        """Ends all of it."""
        self.watcher.cancel()
        await self.client.close()
        await self.running.stop()

    def invites(self) -> bool:
        """Whether the ring asks for a throw: two lights in the colour of whose turn it is go round. Pips and tumbling
        are white."""
        return bool(self.frames) and any(not red == green == blue for red, green, blue in self.frames[-1][1])

    def wait_for_invitation(self) -> None:
        """Returns when the ring asks for a throw."""
        patience = time.monotonic() + PATIENCE_S
        while not self.invites():
            if time.monotonic() > patience:
                raise RuntimeError(f"the ring never asked for a throw: {list(self.frames)[-1:] or 'it is dark'}")
            time.sleep(0.03)

    def rested(self, face: int) -> float:
        """When the die's ring last began to show this many pips, in milliseconds. The page may be sooner to be heard
        of than the ring."""
        pips = {pip * FACES // face for pip in range(face)}
        patience = time.monotonic() + PATIENCE_S
        while time.monotonic() < patience:
            for at, lights in reversed(list(self.frames)):
                lit = {place for place, (red, green, blue) in enumerate(lights) if red and red == green == blue}
                if lit == pips:
                    return at
            time.sleep(0.03)
        raise RuntimeError(f"the ring never showed a {face}")


def until(page: Any, condition: str) -> None:
    """Waits for a condition on the page, asked from outside: the page's own policy lets nobody evaluate text in it."""
    patience = time.monotonic() + PATIENCE_S
    while not page.evaluate(condition):
        if time.monotonic() > patience:
            raise RuntimeError(f"the tablet never came to {condition}")
        time.sleep(0.03)


def throws(hands: Hands, folder: Path, browser: Any, count: int) -> list[float]:
    """Milliseconds from ring to page, throw by throw; before them a few that nobody counts."""
    from tests.browser.running_companion import RunningCompanion, Visit

    taken: list[float] = []
    warm_up = min(WARM_UP, count - 1)
    with RunningCompanion(folder, table=hands.do(hands.start())) as companion, Visit(browser, companion) as visit:
        companion.evening("Ann", "Bo")
        tablet = visit.bank()
        tablet.evaluate(WATCH)
        patience = time.monotonic() + PATIENCE_S
        while companion.application.link.state != "connected" and time.monotonic() < patience:
            time.sleep(0.1)
        while len(taken) < count + warm_up:
            hands.wait_for_invitation()
            before = tablet.evaluate("window.seen.length")
            hands.frames.clear()  # the throw before may have shown the same face
            hands.do(hands.client.press_button())
            until(tablet, f"window.seen.length > {before}")
            at, face = tablet.evaluate("window.seen.at(-1)")
            # A one looks like the ring's last tumble, so it cannot be told when it came to rest.
            if face > 1:
                taken.append(at - hands.rested(face))
            turn = companion.table.view("bank")["turn"]
            where = companion.table.view("bank")["players"][turn - 1]["at"]
            companion.command(do="move", seat=turn, to=where)
            companion.command(do="end_turn", seat=turn)
            until(tablet, "!window.shown")
            time.sleep(0.5)  # until the die has been told that it is a six-sided one again
    return taken[warm_up:]


def run(count: int = THROWS) -> list[Figure]:
    """So many throws with the die, one every two or three seconds."""
    if importlib.util.find_spec("micropython_unix") is None:
        raise MissingPartError("the extra `virtual` is not installed: make setup")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise MissingPartError("Chromium is not installed: .ci/parts")
    from playwright.sync_api import sync_playwright

    hands = Hands()
    try:
        with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            taken = throws(hands, Path(folder), browser, count)
            browser.close()
    finally:
        hands.do(hands.stop())
        hands.loop.call_soon_threadsafe(hands.loop.stop)
    how = (
        f"{count} throws; from the ring showing the pips to the mutation of the tablet's page, virtual radio with "
        f"{AIR_MS:.0f} ms a packet in the air, companion and browser on this machine"
    )
    return [
        Figure("rest decision to page, median", statistics.median(taken), "ms", "at most 100", how),
        Figure("rest decision to page, p95", percentile(taken, 95), "ms", "at most 150", how),
    ]
