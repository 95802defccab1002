"""The wheel as a stranger gets it: built, installed into an empty environment, used from another folder."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.request
import venv
import zipfile
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"][
    "packages"
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this tree."""
    out = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return next(out.glob("*.whl"))


def installed(folder, requirement):
    """A new environment in `folder` with the requirement and what it depends on, as `pipx` makes it."""
    venv.create(folder, with_pip=True, symlinks=True)
    done = subprocess.run(
        [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement],
        capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    if done.returncode and re.search(r"connection|resolve|timed out|unreachable", done.stderr, re.IGNORECASE):
        sentence = f"the package index cannot be reached, so the wheel cannot be installed: {done.stderr[-300:]}"
        if os.environ.get("CI") == "true":
            pytest.fail(sentence)
        pytest.skip(sentence)
    assert done.returncode == 0, done.stderr
    return folder / "bin"


@pytest.fixture(scope="module")
def plain(wheel, tmp_path_factory):
    """The commands of an environment without extras."""
    return installed(tmp_path_factory.mktemp("plain"), str(wheel))


@pytest.fixture
def elsewhere(tmp_path):
    """How to run a command in another folder, with an empty home and nothing of this repository on the path."""
    kept = {name: value for name, value in os.environ.items() if name.startswith("LANG") or name == "PATH"}
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "COLUMNS": "100"}
    return {"cwd": tmp_path, "env": {**kept, **home}}


def free_port():
    """A port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Evening:
    """A running `cabstand play`: what it has said until it named its address, and its start page opened."""

    def __init__(self, process):
        self.process = process
        self.said = ""
        for line in process.stdout:
            self.said += line
            address = re.search(r"http://127\.0\.0\.1:\d+\S*", line)
            if address:
                break
        assert address, self.said
        # The start address hands out a cookie and leads on to the first page.
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with browser.open(address[0], timeout=30) as page:
            assert page.status == 200
            assert b"Cabstand" in page.read()

    def end(self):
        """Ctrl-C ends it in order."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=60)
        assert self.process.returncode == 0, self.process.stdout.read()


@contextlib.contextmanager
def playing(bin_folder, elsewhere):
    process = subprocess.Popen(
        [bin_folder / "cabstand", "play", "--no-browser", "--port", str(free_port())],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **elsewhere,
    )  # fmt: skip
    try:
        yield Evening(process)
    finally:
        if process.poll() is None:
            process.kill()
        process.stdout.close()


def run(command, elsewhere, timeout=120):
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, **elsewhere)


def test_the_wheel_holds_every_file_of_its_packages(wheel):
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "--", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    assert [name for name in tracked if name and (ROOT / name).exists() and name not in inside] == []


@pytest.mark.parametrize(
    "pattern",
    [
        r"companion/web/templates/.*\.html",
        r"companion/web/static/.*\.css",
        r"companion/web/static/fonts/.*\.woff2",
        r"companion/web/static/vendor/htmx\.min\.js",
        r"companion/event_log/migrations/versions/\w+\.py",
        r"shared_rules/games/taxi/boards/fumbling\.json",
        r"shared_rules/games/taxi/boards/fumbling\.layout\.json",
        r"shared_rules/games/taxi/decks/(journey|passenger|expense)\.json",
        r"shared_rules/games/taxi/decks/(journey|passenger|expense)\.en\.json",
        r"firmware/table/main\.py",
        r"firmware/drivers/mfrc522\.py",
        r".*\.dist-info/licenses/LICENSE",
    ],
)
def test_the_wheel_holds_what_the_companion_needs(wheel, pattern):
    with zipfile.ZipFile(wheel) as archive:
        assert [name for name in archive.namelist() if re.fullmatch(pattern, name)]


def test_the_wheel_holds_no_tests_and_no_litter(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert [name for name in names if re.search(r"(^|/)tests?/|__pycache__|\.pyc$|\.sqlite3|\.db$", name)] == []
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == set(PACKAGES)


def test_help_names_every_command(plain, elsewhere):
    done = run([plain / "cabstand", "--help"], elsewhere)
    assert done.returncode == 0, done.stderr
    for command in ("play", "simulate", "board", "doctor"):
        assert command in done.stdout


def test_the_shipped_board_passes_its_checks(plain, elsewhere):
    done = run([plain / "cabstand", "board", "check", "fumbling"], elsewhere)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "BD-03" in done.stdout
    assert "GD-08" in done.stdout


def test_a_game_is_simulated(plain, elsewhere):
    command = [plain / "cabstand", "simulate", "--players", "2", "--games", "1", "--seed", "3"]
    done = run(command, elsewhere)
    assert done.returncode == 0, done.stderr
    assert "Wins by seat" in done.stdout


def test_playing_on_a_virtual_table_without_the_extra_says_what_to_install(plain, elsewhere):
    with playing(plain, elsewhere) as evening:
        assert "pip install 'cabstand[virtual]'" in evening.said
        assert "played by hand" in evening.said
        evening.end()


def test_every_module_of_the_companion_imports_without_the_extra(plain, elsewhere):
    program = (
        "import importlib, pkgutil, companion\n"
        "for found in pkgutil.walk_packages(companion.__path__, 'companion.'):\n"
        "    skipped = ('companion.virtual_table', 'companion.event_log.migrations', 'companion.__main__')\n"
        "    if not found.name.startswith(skipped):\n"
        "        importlib.import_module(found.name)\n"
        "        print(found.name)\n"
    )
    done = run([plain / "python", "-c", program], elsewhere)
    assert done.returncode == 0, done.stderr
    assert "companion.application" in done.stdout.split()
    missing = run([plain / "python", "-c", "import bumble"], elsewhere)
    assert "ModuleNotFoundError" in missing.stderr, "this environment was to be without the extra"


def test_the_virtual_table_plays_from_the_wheel(wheel, elsewhere, tmp_path_factory):
    with playing(installed(tmp_path_factory.mktemp("virtual"), f"{wheel}[virtual]"), elsewhere) as evening:
        family = psutil.Process(evening.process.pid).children(recursive=True)
        assert len(family) >= 2, f"the radio and the firmware are processes of their own: {evening.said}"
        evening.end()
        assert psutil.wait_procs(family, timeout=60)[1] == []
