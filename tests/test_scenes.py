"""The data file of the scenes holds what the package computes."""

import json
from pathlib import Path

import numpy as np

from lesson20 import experiments, scenes, words

FILE = Path(__file__).parents[1] / "docs" / "scenes" / "data.json"


def test_the_committed_file_is_up_to_date():
    committed, fresh = json.loads(FILE.read_text("utf-8")), json.loads(scenes.text())
    assert same(committed, fresh), "docs/scenes/data.json is not what the package says: make scenes"


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


def test_it_is_written_as_it_is_compared(tmp_path):
    file = tmp_path / "data.json"
    scenes.main(file)
    assert file.read_text("utf-8") == scenes.text()
