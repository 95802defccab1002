"""Does each command once, for the session: a repeat gets the result of the first time.

A companion numbers its commands from any start upwards and says with RESUME which number was its last. The results of
the newest `KEPT` are remembered until another companion comes.
"""

from shared_rules.wire.messages import DONE, STALE, UNKNOWN_COMMAND
from shared_rules.wire.sequence import distance

KEPT = 8
MOST_AHEAD = 64  # a number farther ahead was never a next one


class CommandDesk:
    """`handlers` maps names of commands to functions of (fields, number) that return a status and a detail."""

    def __init__(self, handlers):
        self._handlers = handlers
        self._companion_id = None
        self._newest = 0
        self._results = []

    def open(self, companion_id, last_number):
        """A companion has resumed. Results are kept when it is the same one, whose last command may come again; those
        before it that never arrived count as given, else they would add up until no number is credible."""
        if companion_id != self._companion_id:
            self._companion_id = companion_id
            self._newest = last_number
            self._results = []
        elif distance(last_number, self._newest) > 1:
            self._newest = (last_number - 1) & 0xFFFF

    def handle(self, name, number, fields, status=DONE):
        """(status, detail) of this command, which is done unless its number is known or not credible, or `status` says
        already why not. Whatever becomes of it, its number was given: else those of refused commands would add up."""
        for result in self._results:
            if result[0] == number:
                return result[1], result[2]
        if not 0 < distance(number, self._newest) <= MOST_AHEAD:
            return STALE, 0
        detail = 0
        if status == DONE:
            status, detail = self.do(name, number, fields) if name in self._handlers else (UNKNOWN_COMMAND, 0)
        self._newest = number
        if len(self._results) >= KEPT:
            self._results.pop(0)
        self._results.append((number, status, detail))
        return status, detail

    def do(self, name, number, fields):
        """(status, detail) of a command that is done whatever its number is."""
        return self._handlers[name](fields, number)


def done_or(status, detail):
    """The pair for a handler whose callee returns 0 for good or the position of a bad field."""
    return (status, detail) if detail else (DONE, 0)
