"""The main job, start to end: a real file in, corrected by a person, seen and changed by agents."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from pytestqt.qtbot import QtBot

FIELD = Path(__file__).parents[2] / "shared" / "data" / "field" / "enthali-ids.jsonl"
