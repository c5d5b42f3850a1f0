import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text.chunking import Block, ChunkingOptions, Passage, chunk_blocks
from engine.types import ChunkLocation


def words(texts):
    return [len(text.split()) for text in texts]


def words_and_specials(texts):
    return [len(text.split()) + 2 for text in texts]


def characters(texts):
    return [len(text) for text in texts]


def fours(texts):
    return [-(-len(text) // 4) for text in texts]


COUNTERS = [words, words_and_specials, characters, fours]


def test_a_law_becomes_passages_with_their_place():
    law = (
        "Chương I\nQUY ĐỊNH CHUNG\nĐiều 1. Phạm vi\nLuật này quy định tiền lương.\nĐiều 2. Quyền\n"
        "1. Được nghỉ phép năm. Được trả lương.\n2. Được đình công theo luật.\n3. Được tham gia quản lý nơi làm việc."
    )
    # The title of article 2 has 5 + 1 + 3 words, which leaves 21 of 30 for its 5 + 3 + 6 + 9 = 23: two passages.
    # With 3 repeated each should have 3 + (23 − 3) / 2 = 13, so the first ends after 5 + 3 + 6 = 14.
    options = ChunkingOptions(max_tokens=30, overlap_tokens=3)
    passages = chunk_blocks([Block(law, page=3)], "luat", options, words, "vi")
    chapter = "Chương I QUY ĐỊNH CHUNG"
    assert [(passage.title, passage.text) for passage in passages] == [
        (f"{chapter} › Điều 1. Phạm vi", "Luật này quy định tiền lương."),
        (
            f"{chapter} › Điều 2. Quyền",
            "1. Được nghỉ phép năm. Được trả lương.\n2. Được đình công theo luật.",
        ),
        (f"{chapter} › Điều 2. Quyền", "công theo luật.\n3. Được tham gia quản lý nơi làm việc."),
    ]
    place = ChunkLocation(document_id="luat", chapter="Chương I", page=3)
    assert [passage.location for passage in passages] == [
        place.model_copy(update={"article": "Điều 1"}),
        place.model_copy(update={"article": "Điều 2", "paragraph": "Khoản 1–2"}),
        place.model_copy(update={"article": "Điều 2", "paragraph": "Khoản 3"}),
    ]


def test_a_document_that_fits_is_one_passage():
    blocks = [Block("First paragraph.", page=1), Block("Second paragraph.", page=2)]
    (passage,) = chunk_blocks(blocks, "note", ChunkingOptions(), words, "en")
    assert passage == Passage("First paragraph.\nSecond paragraph.", "", ChunkLocation(document_id="note", page=1))


def test_no_text_no_passage():
    assert chunk_blocks([], "empty", ChunkingOptions(), words, "en") == ()
    assert chunk_blocks([Block(" \n")], "empty", ChunkingOptions(), words, "en") == ()


def test_overlap_begins_with_a_sentence():
    text = "One two three four. Five six. Seven eight nine ten."
    passages = chunk_blocks([Block(text)], "n", ChunkingOptions(max_tokens=6, overlap_tokens=2), words, "en")
    assert [passage.text for passage in passages] == [
        "One two three four. Five six.",
        "Five six. Seven eight nine ten.",
    ]
    assert [passage.repeated for passage in passages] == [0, len("Five six.")]


def test_a_sentence_longer_than_the_budget_is_cut_at_word_ends():
    passages = chunk_blocks(
        [Block("a b c d e f g h i")], "n", ChunkingOptions(max_tokens=4, overlap_tokens=0), words, "en"
    )
    assert [passage.text for passage in passages] == ["a b c d", "e f g h", "i"]


def test_text_without_spaces_is_cut_after_sentences():
    text = "劳动合同可以解除。当事人应当提前三十日通知。"
    passages = chunk_blocks([Block(text)], "n", ChunkingOptions(max_tokens=15, overlap_tokens=0), characters, "zh")
    assert [passage.text for passage in passages] == ["劳动合同可以解除。", "当事人应当提前三十日通知。"]


def test_tokens_are_asked_for_in_few_batches():
    calls: list[int] = []

    def counting(texts):
        calls.append(len(texts))
        return words(texts)

    blocks = [block for n in range(200) for block in (Block(f"Title {n}", 1), Block(f"Some text number {n}. " * 50))]
    assert len(chunk_blocks(blocks, "n", ChunkingOptions(max_tokens=64), counting, "en")) >= 200 * 4
    assert len(calls) == 4  # special tokens, headings, words, the passages made


def test_passages_that_came_out_too_long_are_packed_anew():
    # This counter counts the spaces too: 10 words that have a token each alone have 19 together. Of 10 · 10 / 19 → 5
    # words, 9 tokens fit.
    def words_and_spaces(texts):
        return [2 * len(text.split()) - 1 for text in texts]

    options = ChunkingOptions(max_tokens=10, overlap_tokens=0)
    passages = chunk_blocks([Block("a b c d e f g h i j")], "n", options, words_and_spaces, "en")
    assert [passage.text for passage in passages] == ["a b c d e", "f g h i j"]


def test_each_knob_describes_itself():
    assert all(field.title and field.description for field in ChunkingOptions.model_fields.values())
    with pytest.raises(ValueError, match="greater than or equal to 1"):
        ChunkingOptions(max_tokens=0)


TEXT = st.text(alphabet="ab. \n1)éĐ;。好e\u0301x ", max_size=120)
LINES = st.lists(
    st.one_of(TEXT, st.sampled_from(["Chương I", "Điều 5. Quyền", "Article 2. It ends. So.", "1. One", "HEADING"])),
    max_size=6,
).map("\n".join)
BLOCKS = st.lists(
    st.builds(Block, LINES, st.one_of(st.none(), st.integers(1, 3)), st.one_of(st.none(), st.integers(1, 4))),
    max_size=8,
)


def characters_of(text: str) -> list[str]:
    return [character for character in text if not character.isspace()]


def holds_in_order(pieces: list[str], wanted: str) -> bool:
    """Whether the characters of `wanted` are found in this order going through the pieces, skipping what repeats."""
    found = iter(characters_of("".join(pieces)))
    return all(character in found for character in characters_of(wanted))


@settings(max_examples=400)
@given(BLOCKS, st.integers(1, 60), st.integers(0, 30), st.sampled_from(COUNTERS))
def test_no_text_is_lost_and_none_is_added(blocks, max_tokens, overlap, count):
    options = ChunkingOptions(max_tokens=max_tokens, overlap_tokens=overlap)
    passages = chunk_blocks(blocks, "d", options, count, "vi")
    body = "\n".join(block.text for block in blocks)
    told = [part for passage in passages for part in (passage.title, passage.text)]
    assert holds_in_order(told, body)
    flat = re.sub(r"\s", "", body)
    assert all(re.sub(r"\s", "", passage.text) in flat for passage in passages)
    assert all(re.sub(r"\s", "", part) in flat for passage in passages for part in passage.title.split(" › "))


@given(BLOCKS, st.integers(12, 60), st.integers(0, 30), st.sampled_from(COUNTERS))
def test_passages_fit(blocks, max_tokens, overlap, count):
    options = ChunkingOptions(max_tokens=max_tokens, overlap_tokens=overlap)
    for passage in chunk_blocks(blocks, "d", options, count, None):
        searched = f"{passage.title}\n{passage.text}" if passage.title else passage.text
        assert count([searched])[0] <= max_tokens


@given(st.lists(st.sampled_from(["", "", ".", ";", "\n"]), max_size=60), st.integers(8, 60), st.integers(0, 30))
def test_passages_without_their_overlap_are_the_text(signs, max_tokens, overlap):
    text = " ".join(f"W{number}x{sign}" for number, sign in enumerate(signs))  # every word once
    options = ChunkingOptions(max_tokens=max_tokens, overlap_tokens=overlap)
    flat = "".join(characters_of(text))
    done, before = 0, ""
    for passage in chunk_blocks([Block(text)], "d", options, characters, "en"):
        piece = "".join(characters_of(passage.text))
        start = flat.index(piece)
        assert done - overlap <= start <= done < start + len(piece)
        assert len(characters_of(passage.text[: passage.repeated])) == done - start
        assert before.endswith(passage.text[: passage.repeated])
        done, before = start + len(piece), passage.text
    assert done == len(flat)
