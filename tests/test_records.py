import json
import sys
from dataclasses import fields, is_dataclass, replace
from functools import partial
from importlib import util
from pathlib import Path
from signal import SIGINT, SIGKILL
from subprocess import PIPE, Popen

import numpy as np
import pytest

from lesson20 import grammar, records
from lesson20.studies import STUDIES

ROOT = Path(__file__).parents[1]
TOOL = ROOT / "tools" / "experiments.py"


@pytest.fixture(scope="module")
def tool():
    spec = util.spec_from_file_location("experiments_tool", TOOL)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_is_one_record_for_each_study():
    assert {path.name for path in records.FOLDER.iterdir()} == {f"{name}.json" for name in STUDIES}


@pytest.mark.parametrize("name", STUDIES)
def test_a_record_of_the_lesson_is_small_and_its_conclusions_hold(name):
    path = records.FOLDER / f"{name}.json"
    assert path.stat().st_size <= 100_000
    stored = records.stored(name)
    assert stored.settings == stored.study.settings  # made with the settings of today
    assert 0 < stored.seconds < 600
    conclusions = stored.study.conclusions(stored.record)
    assert len(conclusions) >= 3
    for sentence, holds, measured in conclusions:
        assert holds, f"{sentence} {measured}"


@pytest.mark.parametrize("name", STUDIES)
def test_saving_what_was_loaded_changes_nothing_but_the_versions(name, tmp_path):
    stored = records.load(records.FOLDER / f"{name}.json")
    again = records.save(tmp_path, stored.study, stored.settings, stored.record, stored.seconds)
    one, other = (json.loads(path.read_text()) for path in (records.FOLDER / f"{name}.json", again))
    assert one | {"versions": {}} == other | {"versions": {}}
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.json"]


def test_the_kept_lstm_is_the_one_that_was_measured():
    record = records.load(records.FOLDER / "number-unit.json").record
    model = record.model
    for p in model.parameters.values():
        assert np.array_equal(p, p.astype(np.float32))
    rng = np.random.default_rng(1)
    hard = grammar.sentences(rng, 300, attractors=3, same=False)
    seed = record.kept
    assert grammar.verb_accuracy(model, hard) == pytest.approx(record.accuracy[seed], abs=0.06)
    unit = record.drop[seed].argmax()
    silenced = grammar.verb_accuracy(model.without(int(unit)), hard)
    assert silenced == pytest.approx(record.accuracy[seed] - record.drop[seed].max(), abs=0.12)
    words = np.array([[grammar.INDEX[word]] for word in record.words])
    c = model.run(words).trace.c[1:, 0, unit]
    np.testing.assert_allclose(c, record.c_plural[seed], rtol=2e-3, atol=2e-3)


def without(tree, *path):
    del inner(tree, path)[path[-1]]


def put(value, *path):
    def change(tree):
        inner(tree, path)[path[-1]] = value

    return change


def inner(tree, path):
    for name in path[:-1]:
        tree = tree[name]
    return tree


FAULTS = {
    "no seconds": (lambda t: without(t, "seconds"), "the file: lacks seconds"),
    "a stranger": (put(1, "more"), "the file: does not know more"),
    "another study": (put("clipping", "study"), "study: expected 'dilemma', got 'clipping'"),
    "no field": (lambda t: without(t, "record", "w"), "record: lacks w"),
    "no setting": (lambda t: without(t, "settings", "i"), "settings: lacks i"),
    "no version": (lambda t: without(t, "versions", "numpy"), "versions: lacks numpy"),
    "a number for a version": (put(2, "versions", "numpy"), "versions: numpy: expected a text"),
    "text for a number": (put("1", "record", "gain"), "record: gain: expected a list, got str"),
    "null": (put([None], "record", "gain"), "record: gain: expected a number, got None"),
    "a boolean": (put([True], "record", "gain"), "record: gain: expected a number, got True"),
    "ragged": (put([[1], [1, 2]], "record", "kept"), "record: kept: expected rows of the same"),
    "half a step": (put(1.5, "settings", "steps"), "settings: steps: expected an integer, got 1.5"),
    "a list": (put([], "settings"), "settings: expected an object, got list"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_file_is_refused_by_name(tmp_path, fault):
    change, message = FAULTS[fault]
    tree = json.loads((records.FOLDER / "dilemma.json").read_text())
    change(tree)
    path = tmp_path / "dilemma.json"
    path.write_text(json.dumps(tree))
    with pytest.raises(ValueError, match=r"dilemma\.json: ") as caught:
        records.load(path)
    assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize("text", ["", "{", "[NaN]", '{"study": Infinity}'])
def test_what_is_no_json_is_refused_by_name(tmp_path, text):
    path = tmp_path / "dilemma.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"dilemma\.json: expected JSON, got"):
        records.load(path)


def test_a_record_with_a_number_that_is_none_is_not_saved(tmp_path):
    stored = records.load(records.FOLDER / "dilemma.json")
    save = partial(records.save, tmp_path, stored.study, stored.settings, seconds=1)
    with pytest.raises(ValueError, match="record: expected finite numbers, got nan"):
        save(record=replace(stored.record, gain=np.array([np.nan])))
    with pytest.raises(ValueError, match="record: expected at most 100000 bytes"):
        save(record=replace(stored.record, gain=np.random.default_rng(0).random(30_000)))
    assert not list(tmp_path.iterdir())


def test_numbers_are_rounded_as_their_field_says(tmp_path):
    stored = records.load(records.FOLDER / "number-unit.json")
    exact = replace(stored.record, f=stored.record.f + 1 / 3, W=stored.record.W + 1e-10)
    again = records.load(records.save(tmp_path, stored.study, stored.settings, exact, 1)).record
    np.testing.assert_allclose(again.f, exact.f, rtol=5e-4)
    assert not np.array_equal(again.f, exact.f)
    assert np.array_equal(again.W, exact.W.astype(np.float32))


@pytest.mark.parametrize("study", STUDIES.values(), ids=STUDIES)
def test_every_field_of_a_study_is_described(study):
    for kind in (type(study.settings), study.record):
        assert is_dataclass(kind)
        for field in fields(kind):
            assert f"{field.name}: " in kind.__doc__


# The runner, on a study of slow pieces

SLOW = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
from importlib import util
from pathlib import Path
import numpy as np
from dataclasses import replace
from lesson20.studies import STUDIES
spec = util.spec_from_file_location("experiments_tool", sys.argv[1])
tool = util.module_from_spec(spec)
spec.loader.exec_module(tool)
study = STUDIES["dilemma"]
def piece(n):
    time.sleep(0.2)
    return {"x": np.array(float(n))}
def assemble(settings, results):
    part = study.pieces(settings)["all"]()
    return study.assemble(settings, {"all": part | {"slope": part["slope"] * len(results)}})
slow = replace(
    study,
    settings=replace(study.settings, runs=10, T=()),
    pieces=lambda settings: {f"piece {n}": lambda n=n: piece(n) for n in range(4)},
    assemble=assemble,
)
slow.pieces.__module__ = study.pieces.__module__
tool.STUDIES["dilemma"] = slow
sys.argv[1:] = ["dilemma", "--records", sys.argv[2], "--pieces", sys.argv[3]]
tool.main()
"""


def start(folder):
    command = [sys.executable, "-c", SLOW, TOOL, folder / "records", folder / "pieces"]
    return Popen(command, stdout=PIPE, stderr=PIPE, text=True)


def wait_for(process, line):
    while line not in (came := process.stdout.readline()):
        assert came, process.stderr.read()


@pytest.mark.parametrize("signal", [SIGINT, SIGKILL])
def test_a_run_that_was_interrupted_goes_on_where_it_was(tmp_path, signal):
    process = start(tmp_path)
    wait_for(process, "dilemma 3/4")  # so two pieces are finished
    process.send_signal(signal)
    _, told = process.communicate()
    assert process.returncode != 0
    assert ("what is finished is kept" in told) == (signal == SIGINT)
    assert not (tmp_path / "records").exists()
    kept = sorted(path.name for path in (tmp_path / "pieces" / "dilemma").glob("*.json"))
    assert kept[:2] == ["piece-0.json", "piece-1.json"]

    (tmp_path / "pieces" / "dilemma" / "piece-1.json").write_text("{half a piece")
    again = start(tmp_path)
    told, _ = again.communicate()
    assert again.returncode == 0
    assert "piece 0" not in told
    assert "dilemma 2/4: piece 1" in told
    assert (tmp_path / "records" / "dilemma.json").exists()


def test_pieces_of_other_settings_or_other_code_are_made_again(tool, tmp_path, monkeypatch, capsys):
    study = STUDIES["dilemma"]
    settings = replace(study.settings, runs=10, T=())
    make = partial(tool.make, study, tmp_path, tmp_path / "pieces")
    made = []
    for change in ("first", "same", "settings", "code"):
        if change == "settings":
            settings = replace(settings, runs=11)
        if change == "code":
            monkeypatch.setattr(tool.checks, "__file__", __file__)
        make(settings)
        made.append("dilemma 1/1: all" in capsys.readouterr().out)
    assert made == [True, False, True, True]
    assert records.load(tmp_path / "dilemma.json").settings == settings


def test_the_check_names_the_study_whose_conclusion_fails(tool, tmp_path, capsys):
    usual = STUDIES["dilemma"]
    study = replace(usual, settings=replace(usual.settings, T=()))  # the check trains nothing
    stored = records.load(records.FOLDER / "dilemma.json")
    records.save(tmp_path, study, stored.settings, stored.record, 1)
    tool.check([study], tmp_path)
    assert "FAILS" not in capsys.readouterr().out
    wrong = replace(stored.record, kept=stored.record.kept[::-1])
    records.save(tmp_path, study, stored.settings, wrong, 1)
    with pytest.raises(SystemExit, match="conclusions that do not hold: dilemma"):
        tool.check([study], tmp_path)
    assert "FAILS" in capsys.readouterr().out
