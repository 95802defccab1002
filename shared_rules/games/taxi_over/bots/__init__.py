"""Players for Taxi Over that are no people."""
