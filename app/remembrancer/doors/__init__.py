"""The doors of the command line, one file a group of commands; each imports what it needs late.

A door is a function that takes the parsed arguments and returns the exit code.
"""
