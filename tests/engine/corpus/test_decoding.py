import codecs
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.corpus.decoding import find_decoding, open_text, read_text, replaced, undecodable
from engine.errors import BadInput

FRENCH = "id;texte\n1;L'hôpital d’Angers a été fermé\n2;cœur élevé à Noël\n"
SPANISH = "id;texto\n1;La señal falla, ¿qué pasó mañana?\n"
# cp1258 has the vowels composed and the tones as combining characters.
VIETNAMESE = (
    "id;nôi dung\n1;Bô\u0323 luâ\u0323t na\u0300y quy đi\u0323nh đi\u0323a vi\u0323 pha\u0301p ly\u0301 "
    "cu\u0309a ca\u0301 nhân\n"
)


@pytest.mark.parametrize(
    ("content", "encoding", "how"),
    [
        (b"id;text\n1;plain", "utf-8", "valid"),
        ("id;text\n1;café".encode(), "utf-8", "valid"),
        (codecs.BOM_UTF8 + b"id;text", "utf-8-sig", "byte mark"),
        ("id;text\n1;café".encode("utf-16"), "utf-16", "byte mark"),
        ("id;text\n1;café".encode("utf-32"), "utf-32", "byte mark"),
        ("id;text\n1;café".encode("utf-16-le"), "utf-16-le", "guessed"),
        ("id;text\n1;café".encode("utf-16-be"), "utf-16-be", "guessed"),
        (b"1;caf\xe9", "cp1252", "guessed"),
        (FRENCH.encode("cp1252"), "cp1252", "guessed"),
        (SPANISH.encode("cp1252"), "cp1252", "guessed"),
        (VIETNAMESE.encode("cp1258"), "cp1258", "guessed"),
    ],
)
def test_the_encoding_is_found(source, content, encoding, how):
    decoding = find_decoding(source("a.csv", content))
    assert (decoding.encoding, decoding.how) == (encoding, how)


def test_only_a_guess_is_reported(source):
    file = source("a.csv", b"1;caf\xe9")
    (problem,) = find_decoding(file).problems(file)
    assert problem.kind == "guess"
    assert "read as cp1252, a guess" in problem.text
    file = source("b.csv", "1;café")
    assert find_decoding(file).problems(file) == ()


def test_an_accent_far_into_the_file_decides(source):
    content = b"id,text\n" + b"1,plain words\n" * 100_000 + "2,café\n".encode("cp1252")
    assert find_decoding(source("a.csv", content)).encoding == "cp1252"
    assert find_decoding(source("b.csv", content, head_only=True)).settings == {}


def test_a_letter_cut_by_a_block_is_no_fault(source):
    content = b"x" * ((1 << 18) - 1) + "é".encode() * 10
    assert find_decoding(source("a.txt", content)).how == "valid"


def test_few_faulty_bytes_leave_a_file_utf8(source):
    content = "texte élevé à Noël\n".encode() * 5 + b"bad \xff byte\n"
    assert find_decoding(source("a.csv", content)).encoding == "utf-8"


def test_a_given_encoding_is_taken_and_an_unknown_one_refused(source):
    decoding = find_decoding(source("a.csv", "1;é", encoding="cp1258"))
    assert (decoding.encoding, decoding.how) == ("cp1258", "given")
    for name in ("utf-9", "base64", "a\0b", "idna", "punycode", "undefined"):
        with pytest.raises(BadInput, match=f"Unknown encoding {re.escape(repr(name))}"):
            find_decoding(source("a.csv", "1;é", encoding=name))


def test_what_is_not_text_is_refused(source):
    with pytest.raises(BadInput, match=r"a.csv is a ZIP archive or an Office file by its content, not text"):
        find_decoding(source("a.csv", b"PK\x03\x04 and more"))
    with pytest.raises(BadInput, match=r"b.csv is not text: 1,120 of its first 10,240 bytes are control codes"):
        find_decoding(source("b.csv", bytes(range(256)) * 40))


def test_a_single_nul_is_still_text(source):
    assert find_decoding(source("a.csv", b"id,text\n1,a\0b\n")).encoding == "utf-8"


def test_undecodable_bytes_are_found_and_marked_only_on_demand(source):
    with open_text(source("a.txt", b"caf\xe9"), "utf-8", "") as stream:
        text = stream.read()
    assert undecodable(text) == "byte 0xE9 is no text"
    assert replaced(text) == "caf\ufffd"
    assert undecodable("café") is None


def test_a_whole_text_is_refused_or_marked(source):
    with pytest.raises(BadInput, match=r"a.txt: byte 0xE9 is no text in utf-8.*allow replacement"):
        read_text(source("a.txt", b"caf\xe9", encoding="utf-8"), "utf-8")
    text, (problem,) = read_text(source("a.txt", b"caf\xe9", encoding="utf-8", errors="replace"), "utf-8")
    assert (text, problem.kind) == ("caf\ufffd", "undecodable")


def test_line_ends_become_line_feeds(source):
    assert read_text(source("a.txt", "a\r\nb\rc\nd\u2028e"), "utf-8") == ("a\nb\nc\nd\u2028e", ())


def test_half_a_character_in_utf16_is_a_message(source):
    with pytest.raises(BadInput, match=r"a.txt cannot be read as utf-16-le text"):
        read_text(source("a.txt", b"a\x00b", encoding="utf-16-le"), "utf-16-le")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_utf8_always_comes_back(source, text):
    file = source("a.txt", text)
    assert find_decoding(file).encoding in ("utf-8", "utf-8-sig")
    assert read_text(file, "utf-8")[0] == text.removeprefix("\ufeff")


@pytest.mark.parametrize("name", ["utf-16", "utf-32", "utf-7", "cp037", "gb18030", "shift_jis", "latin-1", "mac_roman"])
def test_any_encoding_of_text_can_be_given(source, name):
    assert find_decoding(source("a.csv", "1;e", encoding=name)).encoding == name
