"""Where a store rests: network drives and folders that are synchronised are known and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from notation import build
from remembrancer.service.library import Library
from remembrancer.store import folders

MOUNTS = r"""
/dev/sda1 / ext4 rw 0 0
server:/home /home/ann nfs4 rw 0 0
/dev/sdb1 /home/ann/disk ext4 rw 0 0
//box/share /mnt/the\040share cifs rw 0 0
sshfs#far /mnt/far fuse.sshfs rw 0 0
portal /run/user/1000/doc fuse.portal rw 0 0
C:\134 /mnt/c 9p rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/lib/memories.db", ""),
        ("/home/ann/memories.db", "nfs4"),
        ("/home/anna/memories.db", ""),
        ("/home/ann/disk/memories.db", ""),
        ("/mnt/the share/memories.db", "cifs"),
        ("/mnt/far/deep/memories.db", "fuse.sshfs"),
        ("/run/user/1000/doc/memories.db", ""),
        ("/mnt/c/Users/memories.db", "9p"),
    ],
)
def test_a_network_drive_is_known_by_the_mount_that_holds_the_path(path: str, kind: str) -> None:
    assert folders.network_of(path, MOUNTS) == kind


@pytest.mark.parametrize(
    ("folder", "program"),
    [
        ("Dropbox", "Dropbox"), ("Dropbox (Work)", "Dropbox"), ("OneDrive", "OneDrive"),
        ("OneDrive - Contoso", "OneDrive"), ("com~apple~CloudDocs", "iCloud Drive"),
        ("Google Drive", "Google Drive"), ("GoogleDrive-ann@example.org", "Google Drive"),
        ("Nextcloud", "Nextcloud"), ("My Dropbox notes", ""), ("cloud", ""),
    ],
)  # fmt: skip
def test_a_synchronised_folder_is_known_by_its_name(
    folder: str, program: str, tmp_path: Path
) -> None:
    assert folders.looked_at(tmp_path / folder / "a" / "memories.db").cloud == program


@pytest.mark.parametrize(("mark", "program"), [(".stfolder", "Syncthing"), (".dropbox", "Dropbox")])
def test_a_synchronised_folder_is_known_by_what_lies_in_it(
    mark: str, program: str, tmp_path: Path
) -> None:
    (tmp_path / "ours" / "deep").mkdir(parents=True)
    (tmp_path / "ours" / mark).mkdir()
    assert folders.looked_at(tmp_path / "ours" / "deep" / "memories.db").cloud == program


def test_a_store_in_such_a_folder_works_and_its_library_says_so(tmp_path: Path) -> None:
    with Library.open(tmp_path / "Dropbox" / "memories.db") as library:
        build(library, "nas: 4 GB")
        (caution,) = library.cautions
        assert caution.facts["program"] == "Dropbox"
        assert "move the store" in caution.sentence


def test_on_a_network_drive_a_store_keeps_no_write_ahead_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"server:/x {tmp_path.resolve()} nfs4 rw 0 0\n", encoding="utf-8")
    path = tmp_path / "memories.db"
    Library.open(path).close()
    monkeypatch.setattr(folders, "_MOUNTS", mounts)
    for store in (path, tmp_path / "new.db"):
        with Library.open(store) as library:
            build(library, "nas: 4 GB")
            assert library._store.connections.sql("PRAGMA journal_mode") == [("delete",)]
            assert [caution.code for caution in library.cautions] == ["network"]
    monkeypatch.undo()
    with Library.open(path) as library:
        assert library._store.connections.sql("PRAGMA journal_mode") == [("wal",)]
