import numpy as np

from engine.channels.bm25_grouping import fill_lists, measure_lists

# chunk 0: pairs 0 1 0; chunk 1: none; chunk 2: pairs 1 2. Pairs 0 and 2 have a folded list (3) of their own.
PAIRS, ENDS = np.array([0, 1, 0, 1, 2], dtype=np.int32), np.array([3, 3, 5], dtype=np.int64)
EXACT_OF, FOLDED_OF = np.array([0, 1, 2], dtype=np.int32), np.array([3, -1, 3], dtype=np.int32)


def test_lists_by_hand():
    sizes, highest = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int32)
    measure_lists(PAIRS, ENDS, EXACT_OF, FOLDED_OF, sizes, highest)
    assert sizes.tolist() == [1, 2, 1, 2]
    assert highest.tolist() == [0, 0, 1, 2]  # chunks of length 2 have at most 1 occurrence, those of length 3 two

    cursors = np.array([0, 1, 3, 4], dtype=np.int64)
    first_code = np.array([0, 0, 0, 1], dtype=np.int64)
    rows, codes = np.empty(6, dtype=np.uint32), np.empty(6, dtype=np.uint32)
    fill_lists(PAIRS, ENDS, EXACT_OF, FOLDED_OF, cursors, first_code, rows, codes)
    assert rows.tolist() == [0, 0, 2, 2, 0, 2]
    assert codes.tolist() == [2, 1, 0, 0, 2, 0]  # 0: once in length 2; 1: once in length 3; 2: twice in length 3
    assert cursors.tolist() == [1, 3, 4, 6]
