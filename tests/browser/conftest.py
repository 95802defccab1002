"""A running companion and a real Chromium for the tests of this folder, and the rule that nothing is fetched from
afar.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from running_companion import RunningCompanion, Visit  # noqa: E402

CHROMIUM = "/usr/bin/chromium"


# Playwright keeps a loop running in this thread; it must be gone before another file's tests run loops of their own.
@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    from playwright.sync_api import sync_playwright

    found = CHROMIUM if Path(CHROMIUM).exists() else shutil.which("chromium")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing: run .ci/parts")
        pytest.skip("Chromium is not installed here: run .ci/parts")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[RunningCompanion]:
    """A companion without a table."""
    with RunningCompanion(tmp_path) as running:
        yield running


@pytest.fixture
def visit(chromium: object, companion: RunningCompanion) -> Iterator[Visit]:
    """Opens pages as different people; at the end no script may have failed and no other host been asked."""
    with Visit(chromium, companion) as opened:
        yield opened


@pytest.fixture(scope="module")
def virtual(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningCompanion]:
    """A companion with the virtual table, or with what the file of tests names as its `TABLE`."""
    if importlib.util.find_spec("bumble") is None:
        if os.environ.get("CI"):
            pytest.fail("The virtual table's parts are missing: pip install -e '.[virtual,dev]'")
        pytest.skip("The virtual table's parts are not installed: pip install -e '.[virtual,dev]'")
    table = getattr(request.module, "TABLE", "virtual")
    with RunningCompanion(tmp_path_factory.mktemp("virtual"), table=table) as running:
        yield running


@pytest.fixture
def visit_virtual(chromium: object, virtual: RunningCompanion) -> Iterator[Visit]:
    """As `visit`, of the companion with the virtual table."""
    with Visit(chromium, virtual) as opened:
        yield opened
