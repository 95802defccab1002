"""Programmes for people with a real board: build the firmware, put it there, test the board. Not firmware itself."""
