import pytest
from pydantic import ValidationError

from engine.types import ChannelSetup, Setup


def test_setup_is_a_hashable_value_that_refuses_unknown_and_impossible_knobs():
    changed = Setup().with_channel("dense", weight=0.5)
    assert changed.channel("dense").weight == 0.5
    assert Setup().channel("dense").weight == 1.0
    assert hash(Setup.model_validate_json(changed.model_dump_json())) == hash(changed)
    with pytest.raises(ValidationError, match="greater than 0"):
        Setup(k=0)
    with pytest.raises(ValidationError, match="less than or equal to 10"):
        Setup().with_channel("dense", weight=11)
    with pytest.raises(ValidationError, match="the channel 'dense' stands twice"):
        Setup(channels=(ChannelSetup(name="dense"), ChannelSetup(name="bm25"), ChannelSetup(name="dense", weight=2)))
    with pytest.raises(ValidationError, match="extra"):
        Setup.model_validate({"kk": 1})


def test_nothing_is_not_given_the_average_score():
    assert Setup(absence="zero", normaliser="min-max").absence == "zero"
    with pytest.raises(ValidationError, match="where 0 is the average"):
        Setup(absence="zero", normaliser="z-score")
