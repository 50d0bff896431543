"""Where things live, on a platform's own terms and where the environment says otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from remembrancer import places

PLACES = """
{home}/data                   data_folder
{home}/settings/settings.json settings_file
{home}/backups                backup_folder
{home}/tokens                 token_folder
{home}/data/memories.db       default_store
{home}/data/demo.db           demo_store
"""

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such file modes")


@pytest.fixture
def moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(places.HOME_VARIABLE, str(tmp_path / "house"))
    monkeypatch.delenv(places.STORE_VARIABLE, raising=False)
    return tmp_path / "house"


@pytest.fixture
def unmoved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(places.HOME_VARIABLE, raising=False)
    monkeypatch.delenv(places.STORE_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def picture(home: Path) -> str:
    """Every place and its function, one a line, with `home` left open."""
    names = [line.split()[1] for line in PLACES.strip().splitlines()]
    found = {name: getattr(places, name)().relative_to(home).as_posix() for name in names}
    return "\n" + "".join(f"{'{home}/' + path:<29} {name}\n" for name, path in found.items())


def mode(path: Path) -> str:
    return f"{path.stat().st_mode & 0o777:04o}"


def test_one_variable_moves_data_settings_backups_and_tokens_together(moved: Path) -> None:
    assert picture(moved) == PLACES


def test_asking_for_a_place_creates_nothing(moved: Path) -> None:
    picture(moved)
    assert not moved.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the folders of other platforms differ")
@pytest.mark.usefixtures("unmoved")
def test_without_the_variable_the_platform_decides(tmp_path: Path) -> None:
    assert places.data_folder() == tmp_path / "share" / "remembrancer"
    assert places.settings_file() == tmp_path / "config" / "remembrancer" / "settings.json"
    assert places.backup_folder() == tmp_path / "share" / "remembrancer" / "backups"


@pytest.mark.usefixtures("unmoved")
def test_where_nothing_is_named_the_data_lie_where_the_platform_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert places.data_folder() == platformdirs.user_data_path("remembrancer", appauthor=False)


def test_the_file_of_a_host_stands_beside_the_store_that_a_link_leads_to(tmp_path: Path) -> None:
    (tmp_path / "team.db").touch()
    (tmp_path / "link.db").symlink_to(tmp_path / "team.db")
    assert places.host_file(tmp_path / "link.db") == tmp_path.resolve() / "team.db-host"


def test_an_empty_variable_counts_as_none(moved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(places.STORE_VARIABLE, "")
    assert places.chosen_store("") == moved / "data" / "memories.db"
    monkeypatch.setenv(places.HOME_VARIABLE, "")
    assert places.home() is None


def test_a_store_is_the_given_one_then_the_environments_then_the_default(
    moved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert places.chosen_store(None) == moved / "data" / "memories.db"
    monkeypatch.setenv(places.STORE_VARIABLE, str(tmp_path / "team.db"))
    assert places.chosen_store(None) == tmp_path / "team.db"
    assert places.chosen_store(str(tmp_path / "mine.db")) == tmp_path / "mine.db"


def test_a_tilde_and_a_relative_name_become_absolute_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert places.chosen_store("~/team.db") == Path.home() / "team.db"
    assert places.chosen_store("team.db") == tmp_path / "team.db"


@posix
def test_a_new_private_folder_is_for_this_user_alone(tmp_path: Path) -> None:
    made = places.private_folder(tmp_path / "new" / "inner")
    assert mode(made) == "0700"


@posix
def test_a_folder_of_ours_that_stood_open_is_closed(moved: Path) -> None:
    (moved / "data").mkdir(mode=0o755, parents=True)
    assert mode(places.private_folder(moved / "data")) == "0700"


@posix
@pytest.mark.usefixtures("moved")
def test_a_folder_of_the_persons_own_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o755)
    assert mode(places.private_folder(tmp_path / "shared")) == "0755"


@posix
def test_private_text_replaces_a_file_that_others_could_read(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("old")
    file.chmod(0o644)
    places.write_private(file, "grün\n")
    assert file.read_bytes() == "grün\n".encode()
    assert mode(file) == "0600"
    assert list(tmp_path.iterdir()) == [file]


def test_text_that_cannot_be_written_leaves_the_former_and_no_draft(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text("former")
    with pytest.raises(UnicodeEncodeError):
        places.write_private(file, "half \ud800")
    assert file.read_text() == "former"
    assert list(tmp_path.iterdir()) == [file]


@posix
def test_writing_through_a_link_changes_the_file_it_points_to(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    link.symlink_to(real)
    places.write_private(link, "new")
    assert real.read_text() == "new"
    assert link.is_symlink()


def test_a_resource_of_the_checkout_is_found() -> None:
    assert places.resource("icons", "inbox.svg").is_file()
    assert places.resource().name in ("resources", "_resources")


def test_resources_inside_an_installed_package_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    icons = tmp_path / "remembrancer" / "_resources" / "icons"
    icons.mkdir(parents=True)
    monkeypatch.setattr(places, "__file__", str(tmp_path / "remembrancer" / "places.py"))
    assert places.resource("icons") == icons


def test_importing_the_places_imports_no_slow_library() -> None:
    code = "import sys, remembrancer.places; print({'platformdirs', 'tempfile'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
