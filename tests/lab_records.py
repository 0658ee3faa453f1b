"""What each figure of `lab_figures` is drawn from in the tests."""

from functools import partial

from lesson20 import records, units

SENTENCES = (
    "the flowers that the girl likes at the market are red",
    "the flower that the girl likes at the market is red",
)


def stored(name):
    return records.stored(name).record


def unit_run():
    record = stored("number-unit")
    return units.follow(record.model, record.unit, SENTENCES)


LAB_RECORDS = {
    "led_astray": partial(stored, "agreement"),
    "by_attractors": partial(stored, "agreement"),
    "silenced": partial(stored, "number-unit"),
    "number_unit": unit_run,
    "recall_solved": partial(stored, "forget-bias"),
    "adding_solved": partial(stored, "forget-bias"),
    "blame_before": partial(stored, "blame-by-distance"),
    "blame_after": partial(stored, "blame-by-distance"),
    "cliff": partial(stored, "clipping"),
    "short_order": partial(stored, "clipping"),
    "long_order": partial(stored, "clipping"),
    "dilemma": partial(stored, "dilemma"),
    "hold_and_learn": partial(stored, "dilemma"),
    "learnt_by_length": partial(stored, "dilemma"),
    "endless_belt": partial(stored, "forget-gate"),
    "forgetting_units": partial(stored, "forget-gate"),
}
