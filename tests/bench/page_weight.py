"""What a phone fetches before a seat's page stands: gzipped bytes of page, styles, scripts, pictures; fonts apart."""

from __future__ import annotations

import gzip
import shutil
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.bench.figures import Figure, MissingPartError

GZIP_LEVEL = 6


def weigh(page: Any) -> dict[str, int]:
    """Bytes by address of all that the page's address asks for, gzipped as the server sends it; fonts as they are."""
    weights: dict[str, int] = {}
    answers: list[Any] = []
    tab = page.context.new_page()
    tab.on("response", lambda answer: answers.append(answer))
    tab.goto(page.url)
    tab.wait_for_timeout(1500)
    for answer in answers:
        if answer.status == 200 and not answer.headers["content-type"].startswith("text/event-stream"):
            body, path = answer.body(), urlsplit(answer.url).path
            weights[path] = len(body) if path.endswith(".woff2") else len(gzip.compress(body, GZIP_LEVEL))
    return weights


def figure(name: str, weights: dict[str, int], goal: str) -> Figure:
    """The sum without fonts, with what weighs most."""
    rest = {path: size for path, size in weights.items() if not path.endswith(".woff2")}
    heaviest = sorted(rest.items(), key=lambda item: -item[1])[:3]
    parts = ", ".join(f"{path} {size / 1000:.1f}" for path, size in heaviest)
    method = f"all {len(rest)} answers to a new tab but the event stream, gzip -{GZIP_LEVEL}; heaviest: {parts}"
    return Figure(name, sum(rest.values()) / 1000, "kB", goal, method)


def run() -> list[Figure]:
    """A table of six; a seat's page, the tablet and the wall as Chromium fetches them."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise MissingPartError("Chromium is not installed: .ci/parts")
    from playwright.sync_api import sync_playwright

    from tests.browser.running_companion import RunningCompanion, Visit

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        with RunningCompanion(Path(folder)) as companion:
            companion.evening("Ann", "Bo", "Carla", "Dev", "Eve", "Finn")
            with Visit(browser, companion) as visit:
                seat, tablet, wall = weigh(visit.phone(1)), weigh(visit.bank()), weigh(visit.wall())
        browser.close()
    fonts = {path: size for path, size in (seat | tablet | wall).items() if path.endswith(".woff2")}
    return [
        figure("seat page without fonts", seat, "at most 60"),
        figure("tablet page without fonts", tablet, ""),
        figure("wall page without fonts", wall, ""),
        Figure("fonts of all pages", sum(fonts.values()) / 1000, "kB", "at most 90", f"{len(fonts)} files as they are"),
    ]
