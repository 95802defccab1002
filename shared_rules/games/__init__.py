"""The titles, for the engine and the loader: each folder here with a module `title` is one, under its folder's name.

Nothing has to be edited for another title. A title's modules are imported when they are first asked for, from sources
or from what they were compiled to, so a program carries only the games that it plays.
"""

import os

# MicroPython has no os.path; both Pythons give the path of this file.
_HERE = __file__.replace("\\", "/")
FOLDER = _HERE.rsplit("/", 1)[0] if "/" in _HERE else "."

_TITLE_FILES = ("title.py", "title.mpy", "title.pyc")

_names: list[str] = []


def names() -> list[str]:
    """The names of all titles, sorted."""
    if not _names:
        for name in sorted(os.listdir(FOLDER)):
            if "." in name or name.startswith("_"):
                continue
            files = files_in(FOLDER + "/" + name)
            if any([file in files for file in _TITLE_FILES]):
                _names.append(name)
    return list(_names)


def find(name: str) -> object:
    """The title of this name, None if there is none."""
    return _module(name, "title")


def meta(name: str) -> object:
    """The figures and options of the title of this name without its rules, None if there is none."""
    return _module(name, "meta")


def files_in(folder: str) -> list[str]:
    """The names of the files in a folder; [] if it is no folder."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _module(name: str, part: str) -> object:
    if name not in names():
        return None
    # MicroPython has no importlib; with a list of what is wanted both Pythons give the innermost module.
    return __import__("shared_rules.games." + name + "." + part, None, None, (part,))
