"""The doors of the program: which command opens which, and how a failure is told."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Open the door that the command line names and return the exit code.

    0 is success, 1 a failure told in one sentence, 2 wrong usage.
    """
    os.umask(0o077)  # what is written here is the person's alone
    if argv is None:
        code = _short_way(sys.argv[1:])
        if code is not None:
            return code
    return _open(argv)


def _short_way(words: Sequence[str]) -> int | None:
    """The exit code of a command that a running host served, or None."""
    if "mcp" not in words:
        return None
    from remembrancer.doors.shortcut import over_the_bridge

    return over_the_bridge(words)


def _open(argv: Sequence[str] | None) -> int:
    from remembrancer.core.errors import RemembrancerError
    from remembrancer.doors.commands import parser
    from remembrancer.doors.telling import complain

    try:
        arguments = parser().parse_args(argv)
        return int(arguments.door(arguments))
    except SystemExit as ended:  # argparse has told what was wrong
        return ended.code if isinstance(ended.code, int) else 2
    except RemembrancerError as error:
        complain(str(error))
    except BrokenPipeError:
        # Whoever read our output has gone; the interpreter must not flush into it at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        complain(_of_the_system(error))
    except KeyboardInterrupt:
        complain("Broken off.")
    return 1


def _of_the_system(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename is not None else ""
    return f"{where}{error.strerror or error}."


if __name__ == "__main__":
    sys.exit(main())
