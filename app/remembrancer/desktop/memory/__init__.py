"""One memory: how it is read, how it is edited, and how it came to be what it is."""
