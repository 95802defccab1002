"""The titles. Each folder holds one, with the same file names in each; `find` is how the engine comes by it."""


def find(name: str) -> object:
    """The title of this name, None if there is none."""
    if name == "taxi":
        from shared_rules.games.taxi import title

        return title
    return None
