"""Evenings whose chain holds and that this program still cannot read: their game is not installed here, or somebody
wrote something of his own and made the chain fit."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

from companion import titles
from companion.errors import CompanionError, UnreadableEveningError
from companion.event_log.store import StoredEvening
from shared_rules.engine.errors import PositionError
from shared_rules.records.record import RecordError

logger = logging.getLogger(__name__)


@contextlib.contextmanager
def readable(stored: StoredEvening) -> Iterator[None]:
    """Around whatever plays a stored evening: `UnreadableEveningError` with one sentence for all that may come of one
    that is not ours. What `CompanionError` and RecordError say already stays as it is."""
    if stored.game not in titles.names():
        there = ", ".join(str(titles.find(name).meta.TITLE) for name in titles.names())
        raise UnreadableEveningError(
            f"“{stored.title}” is an evening of “{stored.game}”, a game that is not installed here (there are: "
            f"{there}). Install that game, or delete the evening."
        )
    try:
        yield
    except (CompanionError, RecordError):
        raise
    except Exception as error:
        logger.debug("evening %s cannot be read", stored.id, exc_info=True)
        why = error.message if isinstance(error, PositionError) else f"{type(error).__name__}: {str(error)[:80]}"
        raise UnreadableEveningError(
            f"“{stored.title}” cannot be read: its log was changed from outside, or written by another Cabstand "
            f"({why.rstrip('.')}). Restore a back-up, or delete this evening."
        ) from error
