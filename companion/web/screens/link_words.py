"""How the link to the table is, in a few words: its badge, and what became of a virtual table."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from companion.devices.link_state import LinkState
from companion.web.texts import Texts

CLASSES = {"connected": "on", "searching": "off", "safe": "off", "lost": "off", "none": "none"}


@dataclass(frozen=True)
class LinkBadge:
    """`cls` colours it (on, off, none), `text` says it."""

    cls: str
    text: Markup

    def __getitem__(self, key: str) -> object:
        return self.cls if key == "class" else self.text


def virtual_words(state: str, t: Texts) -> list[Markup]:
    """What the banker should know of a virtual table in this state (of `companion.virtual_table.kept`; "" for none)."""
    return [t(f"virtual.{state}")] if state not in ("", "running") else []


def link_badge(link: LinkState, t: Texts) -> LinkBadge:
    """The badge for a link."""
    return LinkBadge(CLASSES.get(link.state, "none"), t(f"link.{link.state}"))
