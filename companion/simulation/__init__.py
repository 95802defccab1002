"""Many games played by bots: how they are dealt and played, what is counted, and how sure one can be of it."""
