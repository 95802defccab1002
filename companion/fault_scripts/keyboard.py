"""Lines that a person types while the table goes on. No thread waits for them, so Ctrl-C ends everything at once."""

from __future__ import annotations

import asyncio
import os
import sys


class InputEndedError(Exception):
    """Nobody can press Enter any more."""


class Keyboard:
    """Standard input and output; what comes while a question is open is shown above it, and the question again."""

    def __init__(self) -> None:
        self._typed = bytearray()
        self._question = ""

    def say(self, text: str) -> None:
        """Shows a line."""
        if self._question:
            print(f"\r{text}{' ' * max(0, len(self._question) - len(text))}\n{self._question}", end="", flush=True)
        else:
            print(text, flush=True)

    async def line(self, question: str) -> str:
        """What is typed before Enter. `InputEndedError` at the end of input."""
        print(question, end="", flush=True)
        self._question = question
        try:
            while b"\n" not in self._typed:
                data = await self._more()
                if not data:
                    print(flush=True)
                    raise InputEndedError("The input ended")
                self._typed += data
        finally:
            self._question = ""
        line, _, rest = self._typed.partition(b"\n")
        self._typed = bytearray(rest)
        return line.decode(errors="replace")

    async def _more(self) -> bytes:
        loop = asyncio.get_running_loop()
        descriptor = sys.stdin.fileno()
        ready = asyncio.Event()
        try:
            loop.add_reader(descriptor, ready.set)
        except OSError:  # a file: it can be read at once
            return os.read(descriptor, 4096)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(descriptor)
        return os.read(descriptor, 4096)
