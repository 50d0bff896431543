"""The window: the only room that knows PySide6."""
