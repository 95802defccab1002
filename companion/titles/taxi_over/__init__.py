"""Taxi Over in the companion."""
