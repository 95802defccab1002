"""The titles, for the engine and the loader: each folder here with a module `title` is one, under its folder's name.

Nothing has to be edited for another title. A title's modules are imported when they are first asked for, from sources
or from what they were compiled to, so a program carries only the games that it plays.
"""

import os

# MicroPython has no os.path; both Pythons give the path of this file.
_HERE = __file__.replace("\\", "/")
FOLDER = _HERE.rsplit("/", 1)[0] if "/" in _HERE else "."

_ENDINGS = (".py", ".mpy", ".pyc")

_names: list[str] = []


def names() -> list[str]:
    """The names of all titles, sorted."""
    if not _names:
        for name in sorted(os.listdir(FOLDER)):
            if "." in name or name.startswith("_"):
                continue
            files = files_in(FOLDER + "/" + name)
            if any(["title" + ending in files for ending in _ENDINGS]):
                _names.append(name)
    return list(_names)


def find(name: str) -> object:
    """The title of this name, None if there is none."""
    return part(name, "title")


def meta(name: str) -> object:
    """The figures and options of the title of this name without its rules, None if there is none."""
    return part(name, "meta")


def files_in(folder: str) -> list[str]:
    """The names of the files in a folder; [] if it is no folder."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def part(name: str, module: str) -> object:
    """A module of the title of this name (`title`, `meta`, `notation`), None if there is no such title or module."""
    if name not in names():
        return None
    files = files_in(FOLDER + "/" + name)
    if not any([module + ending in files for ending in _ENDINGS]):
        return None
    # MicroPython has no importlib; with a list of what is wanted both Pythons give the innermost module.
    return __import__("shared_rules.games." + name + "." + module, None, None, (module,))
