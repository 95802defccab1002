"""Players for Destination London that are no people. They look at the state with the eyes of their seat."""
