"""Calls that may be sent again: a key in each lets every server carry it out only once.

Standard library only, like the bridge: a client waits for it to start.
"""

from __future__ import annotations

import json
import os
import re
from itertools import islice
from typing import Any, cast

KEY = "remembrancer/idempotency-key"
_MOST_PLACES = 4  # that are looked at
_CALL = b'"tools/call"'
_PARAMS = re.compile(rb'"params"\s*:\s*\{')
_META = re.compile(rb'"_meta"\s*:\s*\{')


def repeatable(line: bytes, said: dict[str, Any], longest: int) -> bytes | None:
    """The line of a tool's call with a key in it; None where it is no such call, or none fits in.

    `said` is what the line holds. All else in it stays as the client spelled it.
    """
    if _CALL not in line or said.get("method") != "tools/call":
        return None
    params = _object(said.get("params"))
    if params is None:
        return None
    meta = _object(params.get("_meta", {}))
    if meta is None:
        return None
    if KEY in meta:
        return line if isinstance(meta[KEY], str) else None
    keyed = _spliced(line, said, params, os.urandom(16).hex())
    return keyed if keyed is not None and len(keyed) <= longest else None


def _spliced(line: bytes, said: dict[str, Any], params: dict[str, Any], key: str) -> bytes | None:
    # The text is changed where it must be and compared afterwards, so that a strange spelling of a
    # line, which its server might refuse, is not made into another one on the way.
    pair = json.dumps({KEY: key})[1:-1]
    if "_meta" in params:
        places, into = _META.finditer(line), pair
    else:
        places, into = _PARAMS.finditer(line), f'"_meta":{{{pair}}}'
    meta = {**params.get("_meta", {}), KEY: key}
    meant = {**said, "params": {**params, "_meta": meta}}
    filled = params.get("_meta", params)
    spliced = into.encode() + (b"," if filled else b"")
    for place in islice(places, _MOST_PLACES):
        changed = line[: place.end()] + spliced + line[place.end() :]
        if _loaded(changed) == meant:
            return changed
    return None


def _loaded(line: bytes) -> object:
    try:
        return json.loads(line, object_pairs_hook=_once_each)
    except (ValueError, RecursionError):
        return None


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name twice")
    return found


def _object(value: object) -> dict[str, Any] | None:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
