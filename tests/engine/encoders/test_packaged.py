import hashlib

import pytest

from engine.encoders.packaged import check_file, is_installed, package_folder
from engine.errors import Unavailable


def test_an_installed_package_is_found_without_importing_it():
    assert is_installed("numpy")
    assert (package_folder("numpy", "numpy==2") / "__init__.py").is_file()


def test_a_missing_package_is_refused_with_the_line_that_installs_it():
    assert not is_installed("no_such_package")
    with pytest.raises(
        Unavailable, match=r"no-such-package==1\.0 is not installed\. Run: pip install no-such-package==1"
    ):
        package_folder("no_such_package", "no-such-package==1.0")


def test_an_unchanged_file_passes(tmp_path):
    path = tmp_path / "model.bin"
    path.write_bytes(b"weights")
    assert check_file(path, hashlib.sha256(b"weights").hexdigest(), "model==1") == path


def test_a_changed_file_is_refused_with_both_digests_and_a_next_step(tmp_path):
    path = tmp_path / "model.bin"
    path.write_bytes(b"other")
    found, expected = (hashlib.sha256(content).hexdigest() for content in (b"other", b"weights"))
    with pytest.raises(Unavailable, match=f"{found[:12]}.*{expected[:12]}.*force-reinstall.*model==1"):
        check_file(path, expected, "model==1")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(Unavailable, match=r"gone\.bin of model==1 is missing"):
        check_file(tmp_path / "gone.bin", "0" * 64, "model==1")
