"""A text for the companion in pieces of a packet's size, with an empty one at its end, for READ_LOG."""

PIECE = 9


class LogPieces:
    """`begin` starts, `stop` ends; `fields` are those of the LOG_TEXT that is due."""

    def __init__(self):
        self._text = b""
        self._at = -1

    def begin(self, text, offset):
        """From `offset` on; `text` is bytes."""
        self._text = text
        self._at = min(offset, len(text))

    def stop(self):
        self._text = b""
        self._at = -1

    def fields(self):
        """Those of the piece that is due, or None."""
        if self._at < 0:
            return None
        return {"offset": self._at, "text": self._text[self._at : self._at + PIECE].decode()}

    def sent(self):
        """That piece was sent."""
        if self._at == len(self._text):
            self.stop()
        else:
            self._at = min(self._at + PIECE, len(self._text))
