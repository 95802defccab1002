"""The tests of devices in parts, one file of tests each, that run side by side and each leave what they hit.

All is kept in `build/firmware_coverage`: a part that was run to its end is not run again until the firmware, the
instrumenter or that file of tests changes. A part that was stopped has told what it hit until then.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from instrument import HITS, POINTS, ROOT, Point, hits_of, make_copy, recorder, sources
from plugin import HITS_IN_PYTHON, POINTS_MODULE

HERE = Path(__file__).resolve().parent
KEPT = ROOT / "build" / "firmware_coverage"
STATE = "state.json"
LIMIT_S = 600
"""A part that takes longer is stopped."""
FOLDERS = ("tests/firmware", "tests/virtual_table", "tests/wire", "tests/motion", "tests/fault_scripts")
ALONE = ("tests/companion/devices/test_real_devices.py",)
NOTHING_IN_THEM = {
    "test_tools.py": "the builder, which runs on no device",
    "test_lean_text.py": "the text that the builder compiles, which runs on no device",
    "test_sources.py": "reads the sources",
    "test_protocol_page.py": "reads a page",
    "test_physics.py": "the simulator of motion",
    "test_process.py": "how processes live and end; the table's firmware is in other tests, too",
    "test_shims.py": "what takes the place of the chip's modules, on small programmes of its own",
    "test_small_board.py": "small programmes of its own",
    "test_script_files.py": "reads the files of scripts",
    "test_player.py": "the player's own commands",
}
NOT_FOR_COPIES = "not heap and not half_an_hour and not days and not allocates"
"""Measures of memory are no measures there, and long runs repeat what short ones do."""

ONLY = {
    "tests/fault_scripts/test_scripts.py": "reader or supply or plug or crashes or cell or slides or uids or forged or "
    "notifications or wants"
}
"""Of a slow part, what others do not run anyway: the scripts of dice and of lost links repeat tests of the firmware."""


def parts() -> list[str]:
    """Files of tests, from the repository's root."""
    found = [path.relative_to(ROOT).as_posix() for name in FOLDERS for path in sorted((ROOT / name).glob("test_*.py"))]
    return [name for name in [*found, *ALONE] if Path(name).name not in NOTHING_IN_THEM]


def _digest(names: list[str]) -> str:
    whole = hashlib.sha256()
    for name in names:
        whole.update(name.encode() + b"\0" + (ROOT / name).read_bytes() + b"\0")
    return whole.hexdigest()


def _now() -> str:
    asked = ["git", "rev-parse", "--short", "HEAD"]
    revision = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return f"{time.strftime('%Y-%m-%d')}, revision {revision or 'unknown'}"


class Run:
    """One run over all parts, which goes on where an earlier one ended; `fresh` begins anew, `as_it_is` takes what is
    there, whatever has changed. `originals`: the sources that were copied."""

    def __init__(self, fresh: bool = False, as_it_is: bool = False, kept: Path = KEPT) -> None:
        self._kept = kept
        tools = [(HERE / name).relative_to(ROOT).as_posix() for name in ("instrument.py", "plugin.py")]
        digest = _digest([*sources(), *tools])
        state = kept / STATE
        self._state = json.loads(state.read_text()) if state.is_file() else {}
        self.originals = kept / "originals"
        if as_it_is and self._state:
            rows = json.loads((kept / "copy" / POINTS).read_text())
            self.points = [Point(**row) for row in rows]
            return
        if self._state.get("sources") != digest or fresh or not self.originals.is_dir():
            shutil.rmtree(kept, ignore_errors=True)
            for name in sources():
                (self.originals / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, self.originals / name)
            seconds = self._state.get("seconds", {})
            self._state = {"sources": digest, "made": _now(), "parts": {}, "seconds": seconds}
        shutil.rmtree(kept / "copy", ignore_errors=True)
        self.points = make_copy(kept / "copy", self.originals)
        self._save()

    @property
    def made(self) -> str:
        """When the copy was made, and of which revision."""
        return str(self._state.get("made", ""))

    def _save(self) -> None:
        (self._kept / STATE).write_text(json.dumps(self._state, indent=1))

    def _folder(self, part: str) -> Path:
        return self._kept / part.removesuffix(".py").replace("/", ".")

    def go(self, workers: int = 2) -> None:
        """Runs what was not run yet, the longest first."""
        before, seconds = self._state["parts"], self._state["seconds"]
        waiting = [part for part in parts() if before.get(part, {}).get("digest") != _digest([part])]
        waiting.sort(key=lambda part: -seconds.get(part, LIMIT_S))
        with ThreadPoolExecutor(workers) as pool:
            for part, result in zip(waiting, pool.map(self._one, waiting), strict=True):
                before[part] = result
        self._save()

    def _one(self, part: str) -> dict[str, object]:
        folder = self._folder(part)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._kept / "copy", folder)
        (folder / POINTS_MODULE).write_text(recorder(len(self.points), folder))
        places = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "CABSTAND_FIRMWARE_COPY": str(folder), "PYTHONPATH": places}
        chosen = f"{NOT_FOR_COPIES} and ({ONLY[part]})" if part in ONLY else NOT_FOR_COPIES
        command = [sys.executable, "-m", "pytest", "-q", "-p", "plugin", "-p", "no:cacheprovider", "-k", chosen]
        begun, digest = time.monotonic(), _digest([part])
        with (folder / "pytest.txt").open("w") as words:
            process = subprocess.Popen(
                [*command, part], cwd=ROOT, env=environment, stdout=words, stderr=words, start_new_session=True
            )
            try:
                process.wait(LIMIT_S)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            except BaseException:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        seconds = round(time.monotonic() - begun)
        said = ((folder / "pytest.txt").read_text().strip().splitlines() or [""])[-1].strip("= ")
        if process.returncode < 0:
            said = f"stopped after {seconds} s"
        print(f"{part}: {said}", flush=True)
        result = {"digest": digest, "seconds": seconds, "said": said, "code": process.returncode}
        (folder / "result.json").write_text(json.dumps(result))
        self._state["parts"][part] = result
        self._state["seconds"][part] = seconds
        self._save()
        return result

    def results(self) -> dict[str, dict[str, object]]:
        """Part → `seconds`, `said` (pytest's last line), `code`."""
        return {part: self._state["parts"][part] for part in parts() if part in self._state["parts"]}

    def hits(self) -> tuple[set[int], set[int]]:
        """What was hit under MicroPython, and what in Python."""
        found: tuple[set[int], set[int]] = (set(), set())
        for part in self.results():
            for name, hits in zip((HITS, HITS_IN_PYTHON), found, strict=True):
                if (self._folder(part) / name).is_file():
                    hits |= hits_of(self._folder(part), name)
        return found
