from engine.sensitivity.scope import scope_of
from engine.types import RerankSetup, Setup


def test_the_list_is_named_and_so_are_the_later_stages_that_are_on():
    assert scope_of(Setup()) == "Holds for the fused list after filters and minimum channel scores."
    assert scope_of(Setup(fused_threshold=0.01)).endswith(", before the minimum fused score.")
    everything = Setup(fused_threshold=0.01, agreement="both", rerank=RerankSetup(model="english"))
    assert scope_of(everything) == (
        "Holds for the fused list after filters and minimum channel scores, "
        "before the agreement “both”, the minimum fused score and the rerank."
    )
