"""Where a file rests: on this machine, on another one's disk, or in a folder that is synchronised.

SQLite's write-ahead log needs memory that all its users share, which no network gives. What
synchronises a folder copies the file and its log at different moments.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from remembrancer.core.caution import Caution

_MOUNTS = Path("/proc/self/mounts")
_NETWORK = re.compile(
    r"nfs\d?|cifs|smb\d?|smbfs|9p|afs|ncpfs|coda|ceph|glusterfs|beegfs|lustre|webdav|davfs2?"
    r"|fuse\.(sshfs|davfs2?|rclone|glusterfs|s3fs|ceph.*|gvfsd-fuse)|vboxsf|drvfs"
)
# A folder's name, as its program makes it -> how the program is called.
_CLOUDS = (
    (re.compile(r"Dropbox( \(.+\))?"), "Dropbox"),
    (re.compile(r"OneDrive( ?- ?.+)?"), "OneDrive"),
    (re.compile(r"(com~apple~CloudDocs|iCloud ?Drive|Mobile Documents)"), "iCloud Drive"),
    (re.compile(r"(Google ?Drive|My Drive|GoogleDrive-.+|\.?DriveFS)"), "Google Drive"),
    (re.compile(r"Next[cC]loud\d*"), "Nextcloud"),
    (re.compile(r"own[cC]loud"), "ownCloud"),
    (re.compile(r"pCloud ?Drive"), "pCloud"),
)
# What a program leaves inside the folder that it synchronises.
_MARKS = (
    (".stfolder", "Syncthing"),
    (".stversions", "Syncthing"),
    (".dropbox", "Dropbox"),
    (".dropbox.cache", "Dropbox"),
    (".nextcloudsync.log", "Nextcloud"),
    (".owncloudsync.log", "ownCloud"),
    (".tmp.drivedownload", "Google Drive"),
)


@dataclass(frozen=True, slots=True)
class Folder:
    """What is known of a file's folder: the type of a network's file system, who synchronises."""

    network: str = ""
    cloud: str = ""

    def cautions(self, path: Path) -> list[Caution]:
        """What the person should know about a store at `path`."""
        found: list[Caution] = []
        facts = {"path": str(path)}
        if self.network:
            sentence = (
                f"{path} lies on a network drive ({self.network}); keep the store on a disk of "
                "this machine, and use only one machine at a time until then."
            )
            found.append(Caution("network", sentence, {**facts, "type": self.network}))
        if self.cloud:
            sentence = (
                f"{path} lies in a folder that {self.cloud} synchronises, which can mix up what is "
                "written; move the store to another folder and let only backups be synchronised."
            )
            found.append(Caution("cloud", sentence, {**facts, "program": self.cloud}))
        return found


def looked_at(path: Path) -> Folder:
    """What is known of the folder of a file, which need not exist."""
    return Folder(_network(path), _cloud(path))


def _network(path: Path) -> str:
    text = str(path)
    if text.startswith(("\\\\", "//")) and not text.startswith(("\\\\?\\", "\\\\.\\")):
        return "UNC"
    if not sys.platform.startswith("linux"):
        return ""
    try:
        mounts = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
    return network_of(text, mounts)


def network_of(path: str, mounts: str) -> str:
    """The type of the network file system that holds a path, by a table of mounts; else empty."""
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = _spelled(fields[1])
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind if _NETWORK.fullmatch(kind) else ""


def _spelled(point: str) -> str:
    """A mount point with its octal escapes (such as \\040 for a blank) written out."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), point)


def _cloud(path: Path) -> str:
    for folder in path.parents:
        for name, program in _CLOUDS:
            if name.fullmatch(folder.name):
                return program
    for folder in path.parents:
        for mark, program in _MARKS:
            if os.path.lexists(folder / mark):
                return program
    return ""
