"""The journal, live."""
