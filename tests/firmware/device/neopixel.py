"""A strip that remembers each frame that was sent."""


class NeoPixel:
    def __init__(self, count):
        self.buf = bytearray(3 * count)
        self.frames = []

    def __len__(self):
        return len(self.buf) // 3

    def __setitem__(self, index, colour):
        at = 3 * index
        self.buf[at], self.buf[at + 1], self.buf[at + 2] = colour[1], colour[0], colour[2]

    def fill(self, colour):
        for index in range(len(self)):
            self[index] = colour

    def write(self):
        self.frames.append(bytes(self.buf))
