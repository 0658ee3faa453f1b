"""The data file of the scenes holds what the package computes."""

import json
from pathlib import Path

import numpy as np
import pytest

from lesson20 import experiments, grammar, records, scenes, words

FOLDER = Path(__file__).parents[1] / "docs" / "scenes"
FILES = {"data": scenes.data, "trained": scenes.trained}


@pytest.mark.parametrize("name", FILES)
def test_a_committed_file_is_up_to_date(name):
    committed = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    fresh = json.loads(scenes.text(FILES[name]()))
    assert same(committed, fresh), f"{name}.json is not what the package says: make scenes"


def same(one, other):
    """Equal but for the last digits, which another machine may round otherwise."""
    if isinstance(one, float) or isinstance(other, float):
        return bool(np.isclose(one, other, rtol=1e-14, atol=0))
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def test_a_change_is_seen():
    data = scenes.data()
    assert same(data, scenes.data())
    data["nets"][3]["W_h"][2][5] += 0.001
    assert not same(data, scenes.data())


def test_the_nets_of_the_file_are_those_of_the_package():
    for net, seed in zip(scenes.data()["nets"], words.SEEDS, strict=True):
        scale = 3.0 / net["sigma_1"]
        assert np.array_equal(np.array(net["W_h"]) * scale, words.net(seed, 3.0).W_h)


def test_the_map_is_that_of_the_figure():
    grid, data = experiments.influence_map(), scenes.data()["map"]
    assert data["g"] == [grid.g[0], grid.g[-1]] == [0.3, 3]
    assert data["steps"] == [1, 1000]


def test_they_are_written_as_they_are_compared(tmp_path):
    scenes.main(tmp_path)
    for name, tree in FILES.items():
        assert (tmp_path / f"{name}.json").read_text("utf-8") == scenes.text(tree())


def test_weights_come_back_as_the_float32_numbers_they_were():
    model = records.stored("number-unit").record.model
    weights = json.loads((FOLDER / "trained.json").read_text("utf-8"))["weights"]
    assert weights.keys() == model.parameters.keys()
    for name, array in weights.items():
        assert np.array_equal(np.array(array, dtype=np.float32), model.parameters[name]), name


def test_every_modifier_is_made_of_words_that_the_net_knows():
    data = scenes.trained()
    assert len(set(data["modifiers"])) == len(data["modifiers"]) == 52
    used = {word for modifier in data["modifiers"] for word in modifier.split()}
    used |= {verb for forms in data["verbs"] for verb in forms} | set(data["nouns"])
    assert used == set(grammar.WORDS) - set(grammar.ADJECTIVES) - {"."}
    assert [noun.endswith("s") for noun in data["nouns"]] == data["plural"]
