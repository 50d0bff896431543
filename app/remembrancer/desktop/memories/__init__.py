"""Every memory: the list, the editor, its revisions."""
