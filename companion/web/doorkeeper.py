"""Who may come in: sessions, one-time pairing codes and the start token, for the guards and the pages that pair
devices.

A *session* is what a browser's cookie stands for: a role (`Role`), for a seat also its table and number. A *pairing
code* (128 random bits, with a short form of eight letters to type) makes one session, once, within two minutes. The
*start token* stands in the address that the companion prints; it makes a bank session on the machine that started it
as often as it is opened there, on another machine once, if nobody was sooner. Only SHA-256 hashes of cookies, codes and
tokens are ever kept; the sessions are kept in a file (mode 0600) so that a phone that joined stays in after a restart,
codes and tokens live in memory alone.

Times are seconds of the given clock; rate limits are counted per address. Errors: `DoorError` with a `code` that names
a text.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from companion.tables.wording import plain_line

CODE_LIFETIME = 120.0
SHORT_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
SHORT_LENGTH = 8
TRIES_PER_MINUTE = 5
MAX_SESSIONS = 200
"""Beyond that the oldest session ends: devices that joined years ago and never left."""


class Role(StrEnum):
    """What a visitor may do: nothing yet, look on, play one seat, or run the table."""

    ANONYMOUS = "anonymous"
    SPECTATOR = "spectator"
    SEAT = "seat"
    BANK = "bank"


@dataclass(frozen=True)
class Visitor:
    """One request's visitor: its role, its seat and table (seat sessions only), the public id of its session and the
    device's own name.
    """

    role: Role = Role.ANONYMOUS
    seat: int | None = None
    table: str | None = None
    session: str = ""
    label: str = ""

    @property
    def audience(self) -> str | int:
        """The audience of `view_for`: "bank", a seat number or "spectator"."""
        if self.role is Role.BANK:
            return "bank"
        if self.role is Role.SEAT and self.seat is not None:
            return self.seat
        return "spectator"

    @property
    def actor(self) -> str:
        """How the event log names who acted: "bank", "seat:3" or "spectator"."""
        return f"seat:{self.seat}" if self.role is Role.SEAT else self.role.value


@dataclass(frozen=True)
class Invitation:
    """What a pairing code promises; kept under the hash of its code."""

    role: Role
    table: str | None
    seat: int | None
    ends: float


class DoorError(Exception):
    """A refusal at the door; `code` is one of unknown_code, too_many_tries."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class TokenBucket:
    """So many tries a minute for each key, refilled evenly; keeps nothing about keys that are full again."""

    def __init__(self, per_minute: int, clock: Callable[[], float]) -> None:
        self._rate = per_minute / 60.0
        self._size = float(per_minute)
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> bool:
        """True and one try less, or False when none is left for this key."""
        now = self._clock()
        for other in [k for k, (left, at) in self._left.items() if left + (now - at) * self._rate >= self._size]:
            del self._left[other]
        left, at = self._left.get(key, (self._size, now))
        left = min(self._size, left + (now - at) * self._rate)
        if left < 1.0:
            self._left[key] = (left, now)
            return False
        self._left[key] = (left - 1.0, now)
        return True


class Doorkeeper:
    """Keeps sessions and codes. `store` is the sessions file (None: memory only, for tests); `clock` gives seconds,
    from whenever (never the wall's time, which may jump)."""

    def __init__(self, store: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._sessions: dict[str, Visitor] = {}
        self._invitations: dict[str, Invitation] = {}
        self._start_tokens: set[str] = set()
        self._lasting: set[str] = set()
        self._tries = TokenBucket(TRIES_PER_MINUTE, clock)
        self._load()

    # -- the machine that started it -------------------------------------------------------------------------------

    def start_token(self, *, lasting: bool = False) -> str:
        """A fresh token for a start address, good for one bank session, until the companion ends. A `lasting` one goes
        on working on this machine: whoever reads its terminal may open a second browser.
        """
        token = secrets.token_urlsafe(16)
        self._start_tokens.add(_hash(token))
        if lasting:
            self._lasting.add(_hash(token))
        return token

    def claim_start(self, token: str, label: str = "", *, here: bool = False) -> str:
        """The cookie of a new bank session for a start token; `here` says that this machine itself asks. For all others
        the token is used up by it.
        """
        kept = _hash(token)
        if kept not in self._start_tokens and not (here and kept in self._lasting):
            raise DoorError("unknown_code")
        self._start_tokens.discard(kept)
        return self._open(Role.BANK, None, None, label)

    # -- pairing other devices -------------------------------------------------------------------------------------

    def invite(self, role: Role, table: str | None = None, seat: int | None = None) -> tuple[str, str]:
        """A pairing code in its long form (for a QR) and its short form (to type); both stand for the same, single
        use.
        """
        now = self._clock()
        self._invitations = {k: i for k, i in self._invitations.items() if i.ends > now}
        code = secrets.token_urlsafe(16)
        short = "".join(secrets.choice(SHORT_LETTERS) for _ in range(SHORT_LENGTH))
        invitation = Invitation(role, table, seat, now + CODE_LIFETIME)
        self._invitations[_hash(code)] = invitation
        self._invitations[_hash(short)] = invitation
        return code, short

    def peek(self, code: str, address: str) -> Invitation:
        """What a code promises, without using it up. Counts as a try from this address when the code is unknown."""
        invitation = self._invitations.get(_hash(self._tidy(code)))
        if invitation is not None and invitation.ends > self._clock():
            return invitation
        if not self._tries.take(address):
            raise DoorError("too_many_tries")
        raise DoorError("unknown_code")

    def claim(self, code: str, label: str, address: str) -> tuple[str, Invitation]:
        """Uses a code up: the cookie of the new session, and what was promised. `label` is the device's own name."""
        invitation = self.peek(code, address)
        self._invitations = {k: i for k, i in self._invitations.items() if i is not invitation}
        return self._open(invitation.role, invitation.table, invitation.seat, label), invitation

    @staticmethod
    def _tidy(code: str) -> str:
        typed = code.strip().replace(" ", "").replace("-", "")
        return typed.upper() if len(typed) == SHORT_LENGTH else code.strip()

    # -- sessions --------------------------------------------------------------------------------------------------

    def visitor(self, cookie: str | None) -> Visitor:
        """Who stands behind a cookie; an anonymous visitor for none or an unknown one."""
        return self._sessions.get(_hash(cookie), Visitor()) if cookie else Visitor()

    def visitor_by_session(self, session: str) -> Visitor:
        """The visitor of a session's public id; anonymous when it was ended meanwhile (streams look)."""
        return next((v for v in self._sessions.values() if v.session == session), Visitor()) if session else Visitor()

    def sessions(self, table: str | None = None) -> list[Visitor]:
        """All sessions, or those of one table and the bank's; oldest first."""
        return [v for v in self._sessions.values() if table is None or v.table in (None, table)]

    def revoke(self, session: str) -> bool:
        """Ends a session by its public id; False if there is none."""
        before = len(self._sessions)
        self._sessions = {k: v for k, v in self._sessions.items() if v.session != session}
        self._save()
        return len(self._sessions) < before

    def forget_table(self, table: str) -> None:
        """Ends every session that belongs to a table which is being deleted."""
        self._sessions = {k: v for k, v in self._sessions.items() if v.table != table}
        self._save()

    def _open(self, role: Role, table: str | None, seat: int | None, label: str) -> str:
        if len(self._sessions) >= MAX_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        cookie = secrets.token_urlsafe(24)
        self._sessions[_hash(cookie)] = Visitor(role, seat, table, secrets.token_hex(6), plain_line(label)[:40])
        self._save()
        return cookie

    def _load(self) -> None:
        if self._store is None or not self._store.exists():
            return
        try:
            for key, kept in json.loads(self._store.read_text("utf-8")).items():
                self._sessions[key] = Visitor(
                    Role(kept["role"]), kept["seat"], kept["table"], kept["session"], kept["label"]
                )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            # A damaged file costs a new pairing, never the evening.
            self._sessions = {}

    def _save(self) -> None:
        if self._store is None:
            return
        kept = {key: {**asdict(v), "role": v.role.value} for key, v in self._sessions.items()}
        name = ""
        try:
            self._store.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._store.parent, prefix=".sessions-")
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump(kept, out)
            os.replace(name, self._store)
        except OSError:
            # A full or vanished disk must not keep a seat out: the session lives in memory until the next restart.
            if name:
                Path(name).unlink(missing_ok=True)
