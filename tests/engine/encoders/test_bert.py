import numpy as np
import pytest

from engine.encoders.bert import Bert, BertShape

TOKENS = [[2, 5, 9, 3], [2, 7, 3], [2, 11, 4, 4, 8, 3]]


@pytest.fixture(scope="module")
def reference():
    """A small random BERT of the transformers library."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=12,
        hidden_size=8,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=16,
        layer_norm_eps=1e-12,
    )
    return BertModel(config, add_pooling_layer=False).eval()


def mean_of(reference, tokens):
    import torch

    with torch.inference_mode():
        hidden = reference(torch.tensor([tokens])).last_hidden_state[0].numpy().astype(np.float64)
    mean = hidden.mean(axis=0)
    return mean / np.linalg.norm(mean)


@pytest.mark.slow
def test_vectors_are_the_unit_means_of_the_transformers_model(reference):
    bert = Bert(reference.state_dict(), BertShape(heads=2, epsilon=1e-12))
    expected = [mean_of(reference, tokens) for tokens in TOKENS]
    assert bert.dimension == 8
    # One batch of three lengths, so that padding is masked, against one text at a time.
    assert np.abs(bert.sentence_vectors(TOKENS) - expected).max() < 1e-6
    assert np.abs(bert.sentence_vectors([TOKENS[0], TOKENS[0]]) - expected[0]).max() < 1e-6


@pytest.mark.slow
def test_vectors_are_float32_of_length_1(reference):
    vectors = Bert(reference.state_dict(), BertShape(heads=2, epsilon=1e-12)).sentence_vectors(TOKENS)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)
