"""What a reader does with a scene, and what it says and shows then.

What it should say is computed with the package, for the state that each test names.
"""

import json
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from lesson20 import (
    agreement,
    blame,
    experiments,
    figures,
    grammar,
    influence,
    records,
    rnn,
    scenes,
)
from lesson20 import words as wordbook

DOCS = Path(__file__).parents[2] / "docs"
SCREEN = {"width": 1280, "height": 900}
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(x, digits):
    return f"{round(x, digits) + 0.0:.{digits}f}".rstrip("0").rstrip(".").replace("-", "−")


def short(x, digits=2):
    """A second hand at what drawing.js does: a half is rounded up."""
    if x in {0, np.inf}:
        return "above 10³⁰⁸" if x else "0"
    exact = Decimal(float(x))
    unit = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    rounded = exact.quantize(unit, ROUND_HALF_UP)
    power = rounded.adjusted()
    if -4 < power < 5:
        return f"{float(rounded):,.15g}"
    return f"{float(rounded.scaleb(-power)):g} × 10{str(power).translate(SUPERSCRIPT)}"


def reading(pair=1, step=7):
    net = wordbook.net(wordbook.SEEDS[0], 1.2)
    orders = wordbook.ORDERS[pair - 1]
    one, other = (rnn.unroll(net, wordbook.read(order))[step] for order in orders)
    apart = f"{np.linalg.norm(one - other):.2f}"
    if step == 0:
        return "Nothing is read yet: all states are zero."
    if step == 7:
        return f"The same 7 words are read, and the end states lie {apart} apart."
    first, second = (order[step - 1] for order in orders)
    return f"After “{first}” and “{second}”, word {step} of 7, the states lie {apart} apart."


def gains(sigma=1.5, phi="tanh", net=1, sentence=1, words=""):
    read = tuple(words.split()) or wordbook.SENTENCES[sentence - 1]
    seed = wordbook.SEEDS[net - 1]
    return experiments.blame_by_word(read, seed, sigma_1=sigma, activation=phi)


def blame_(**state):
    record = gains(**state)
    back, gain = len(record.words) - 1, record.gain[0]
    if not back:
        return "A single word has no earlier one to blame."
    steps = "1 word" if back == 1 else f"{back} words"
    verdict = "It arrives, smaller or larger."
    if gain < 0.01 or gain > 10:
        verdict = "Almost nothing arrives." if gain < 1 else "It has exploded."
    arrived = f"Blame reaching “{record.words[0]}”, {steps} back: {short(gain)}"
    return f"{arrived}, bound {short(record.bound[0])}. {verdict}"


def theorem(a=8.0, b=8.0, c=-8.0, d=-8.0, drive="rest"):
    W = np.array([[a, b], [c, d]])
    if drive == "same":
        J = blame.jacobians(
            rnn.RNN(np.eye(2), W), rnn.unroll(rnn.RNN(np.eye(2), W), [[0.5, -0.3]] * 30)
        )
    else:
        z = {
            "rest": [[0, np.arctanh(0.5)]] * 30,
            "turns": [[0, 4], [4, 0]] * 15,
            "linear": np.zeros((30, 2)),
        }
        J = (1 / np.cosh(z[drive]) ** 2)[..., None] * W
    norms = [np.linalg.norm(blame.products(J[:n])[0], 2) for n in (1, 10, 30)]
    rho, sigma_1 = experiments._spectral_radius(W), np.linalg.norm(W, 2)
    listed = ", ".join(short(norm, 4) for norm in norms)
    found = f"Spectral radius ρ = {plain(rho, 2)}, σ₁ = {plain(sigma_1, 2)}. "
    return f"{found}Largest gain after 1, 10 and 30 steps: {listed}."


def belt(f=0.6, i=0.8, o=1.0):
    h = agreement.cell(f, i, o)
    kept = f"{plain(f, 2)}⁵ = {short(f**5)}"
    verdict = f"h = {plain(h, 3)}: {agreement.verdict(h)}."
    return f"{verdict} Along the belt, blame on “flowers”, 5 words back, is {kept}."


def threshold(g=1.5, n=20):
    steps = "1 step" if n == 1 else f"{n} steps"
    found = f"At g = {plain(g, 2)} the gain after {steps} is {short(influence(g, n))}"
    side = "below" if g < blame.influence_threshold() else "above"
    with np.errstate(over="ignore"):
        bound = np.float64(g) ** n
    return f"{found}, bound {short(bound)}. This is {side} the threshold, 1.253."


TRAINED = scenes.trained()
MODEL = records.stored("number-unit").record.model


def trained(*, subject=1, first=35, second=9, third=0, unit=-1, silent=False):
    unit = TRAINED["unit"] if unit < 0 else unit
    between = [TRAINED["modifiers"][n - 1] for n in (first, second, third) if n]
    sentence = " ".join([f"the {TRAINED['nouns'][subject]}", *between]).split()
    model = MODEL.without(unit) if silent else MODEL
    x = np.array([grammar.INDEX[word] for word in sentence])
    chances = rnn.softmax(model.run(x[:, None]).outputs[-1, 0])
    of_singular, of_plural = (
        sum(chances[grammar.INDEX[pair[number]]] for pair in grammar.VERBS) for number in (0, 1)
    )
    share = of_plural / (of_singular + of_plural)
    number = "plural" if share > 0.5 else "singular"
    right = (share > 0.5) == TRAINED["plural"][subject]
    who = f"With unit {unit} {'silenced' if silent else 'at work'} the verb is {number}"
    told = "as it should be" if right else "which is wrong"
    shown = f"{plain(100 * share, 1)} % goes to plural forms."
    return f"{who}, {told}: of the chance of a verb, {shown}"


class Kind(NamedTuple):
    page: str
    says: Callable[..., str]


SCENES = {
    "reading": Kind("recurrent-cell/", reading),
    "blame": Kind("blame/", blame_),
    "theorem": Kind("blame/", theorem),
    "belt": Kind("lstm/", belt),
    "threshold": Kind("in-code/", threshold),
    "trained": Kind("labs/train-the-belt/", trained),
}
every_scene = pytest.mark.parametrize("name", SCENES)


class Scene:
    """A scene in a tab of its own."""

    def __init__(self, tab, name, query=""):
        self.tab, self.name, self.page = tab, name, tab.page
        self.element = self.page.locator(f"scene-{name}")
        path = urlsplit(self.page.url).path
        if query or path != f"/{SCENES[name].page}" or self.element.count() != 1:
            tab.open(SCENES[name].page + query)
        else:  # the page is open already
            tab.problems.clear()
            self.button("Reset").click()
        self.element.scroll_into_view_if_needed()

    def says(self, **state):
        self.says_text(SCENES[self.name].says(**state))

    def says_text(self, text):
        expect(self.element.locator(".scene-finding")).to_have_text(text)
        expect(self.element.locator(".scene-status")).to_have_text(text)  # a moment later

    def control(self, name):
        controls = self.element.locator("input, select")
        return self.element.get_by_label(name).and_(controls).first  # “Then”, before “Then again”

    def value(self, name):
        """The number that stands beside a slider."""
        label = self.element.locator("label", has_text=name)
        return float(label.locator(".scene-value").inner_text().replace("−", "-"))

    def press(self, name, *keys):
        self.control(name).focus()
        for key in keys:
            self.page.keyboard.press(key)

    def click_at(self, name, share):
        """Click on a slider, so far from its left end."""
        slider = self.control(name)
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        self.page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)

    def button(self, name):
        return self.element.get_by_role("button", name=name)


@pytest.fixture(scope="module")
def tab(open_tab):
    """One tab for all, since every test opens its page anew."""
    return open_tab(viewport=SCREEN)


@pytest.fixture(scope="module")
def palettes(open_tab):
    return {name: open_tab(viewport=SCREEN, color_scheme=name) for name in ["light", "dark"]}


@pytest.fixture(scope="module")
def phone(open_tab):
    return open_tab(viewport={"width": 320, "height": 640}, has_touch=True)


@pytest.fixture
def scene(tab):
    return lambda name, query="": Scene(tab, name, query)


@every_scene
def test_at_first_it_says_what_the_figure_shows(scene, name):
    opened = scene(name)
    opened.says()
    assert opened.tab.problems == []


SIGMA, OWN = "Size of the weights, σ₁", "Or your own words"
GATE_F, GATE_I, GATE_O = "Forget gate f", "Input gate i", "Output gate o"


@pytest.mark.parametrize(
    ("name", "control", "keys", "state"),
    [
        ("reading", "Words read", ["ArrowLeft"], {"step": 6}),
        ("reading", "Words read", ["Home"], {"step": 0}),
        ("reading", "Words read", ["Home", "ArrowRight", "End"], {"step": 7}),
        ("reading", "Sentence", ["ArrowDown"], {"pair": 2}),
        ("blame", SIGMA, ["ArrowRight", "ArrowRight"], {"sigma": 1.7}),
        ("blame", SIGMA, ["End"], {"sigma": 6}),
        ("blame", SIGMA, ["Home"], {"sigma": 0}),
        ("blame", "Squashing", ["ArrowDown"], {"phi": "sigmoid"}),
        ("blame", "Sentence", ["ArrowDown", "ArrowDown"], {"sentence": 3}),
        ("theorem", "W_h [1, 2]", ["ArrowLeft"], {"b": 7.9}),
        ("theorem", "W_h [1, 1]", ["Home"], {"a": -10}),
        ("theorem", "W_h [2, 1]", ["End"], {"c": 10}),
        ("theorem", "W_h [2, 2]", ["ArrowRight"], {"d": -7.9}),
        ("theorem", "What it reads", ["ArrowDown"], {"drive": "turns"}),
        ("theorem", "What it reads", ["ArrowDown"] * 3, {"drive": "linear"}),
        ("belt", GATE_F, ["ArrowRight"], {"f": 0.61}),
        ("belt", GATE_I, ["Home"], {"i": 0}),
        ("belt", GATE_O, ["ArrowLeft"], {"o": 0.99}),
        ("threshold", "Size of the weights, g", ["End"], {"g": 3}),
        ("threshold", "Steps, n", ["ArrowRight"], {"n": 25}),
        ("threshold", "Steps, n", ["End"], {"n": 1000}),
        ("threshold", "Steps, n", ["Home"], {"n": 1}),
        ("trained", "Subject", ["ArrowUp"], {"subject": 0}),
        ("trained", "Then", ["Home"], {"first": 0}),
        ("trained", "Then again", ["ArrowDown"], {"second": 10}),
        ("trained", "And last", ["End"], {"third": 52}),
        ("trained", "Unit", ["Home"], {"unit": 0}),
        ("trained", "Silence this unit", ["Space"], {"silent": True}),
    ],
)
def test_a_control_is_used_by_keyboard(scene, name, control, keys, state):
    used = scene(name)
    used.press(control, *keys)
    used.says(**state)


@pytest.mark.parametrize(
    ("name", "control", "field", "near"),
    [
        ("reading", "Words read", "step", 3),
        ("blame", SIGMA, "sigma", 1.8),
        ("theorem", "W_h [1, 1]", "a", -4),
        ("theorem", "W_h [1, 2]", "b", -4),
        ("theorem", "W_h [2, 1]", "c", -4),
        ("theorem", "W_h [2, 2]", "d", -4),
        ("belt", GATE_F, "f", 0.3),
        ("belt", GATE_I, "i", 0.3),
        ("belt", GATE_O, "o", 0.3),
        ("threshold", "Size of the weights, g", "g", 1.11),
        ("threshold", "Steps, n", "n", 10),
    ],
)
def test_a_slider_is_used_by_pointer(scene, name, control, field, near):
    used = scene(name)
    used.click_at(control, 0.3)
    value = used.value(control)
    assert value == pytest.approx(near, abs=1)
    used.says(**{field: int(value) if field in {"step", "n"} else value})


@pytest.mark.parametrize(
    ("name", "control", "option", "state"),
    [
        ("reading", "Sentence", "the cat that the dog saw ran", {"pair": 3}),
        ("blame", "Sentence", " ".join(wordbook.SENTENCES[5]), {"sentence": 6}),
        ("blame", "Squashing", "sigmoid", {"phi": "sigmoid"}),
        ("theorem", "What it reads", "any words, but no squashing", {"drive": "linear"}),
        ("trained", "Subject", "the girl", {"subject": 4}),
        ("trained", "Then", "near the dogs", {"first": 14}),
        ("trained", "Then again", "(nothing)", {"second": 0}),
        ("trained", "And last", "often", {"third": 52}),
        ("trained", "Unit", "unit 3", {"unit": 3}),
    ],
)
def test_something_is_chosen_from_a_list(scene, name, control, option, state):
    used = scene(name)
    used.control(control).select_option(label=option)
    used.says(**state)


TURN = 1.5 * np.array([np.cos(0.8), np.sin(0.8)])
ROTATION = {"a": TURN[0], "b": -TURN[1], "c": TURN[1], "d": TURN[0], "drive": "same"}
PRESETS = [
    ("theorem", "Radius 0, and the words decide",
     {"a": 1.2, "b": -1.2, "c": 1.2, "d": -1.2, "drive": "turns"}),
    ("theorem", "The author's rotation", ROTATION),
    ("theorem", "The transient", {"a": 0.9, "b": 3, "c": 0, "d": 0.9, "drive": "linear"}),
    ("belt", "Author's second run", {"f": 1, "i": 0.1}),
    ("belt", "Only f as in the second", {"f": 1, "i": 0.8}),
    ("belt", "Only i as in the second", {"f": 0.6, "i": 0.1}),
    ("belt", "f 0.97", {"f": 0.97, "i": 0.1}),
    ("threshold", "g = 0.5", {"g": 0.5}),
    ("threshold", "g = 0.9", {"g": 0.9}),
    ("threshold", "g = 2.0", {"g": 2}),
]  # fmt: skip


@pytest.mark.parametrize("way", ["keyboard", "pointer"])
@pytest.mark.parametrize(("name", "preset", "state"), PRESETS)
def test_a_preset_is_set_and_marked(scene, name, preset, state, way):
    used = scene(name)
    button = used.button(preset)
    if way == "keyboard":
        button.focus()
        used.page.keyboard.press("Enter")
    else:
        button.click()
    used.says(**state)
    expect(button).to_have_attribute("aria-pressed", "true")
    assert used.element.locator("[aria-pressed=true]").count() == 1


def test_the_first_presets_are_found_again(scene):
    for name, preset, elsewhere in [
        ("theorem", "Radius 0, and yet it explodes", "?theorem-a=1"),
        ("belt", "Author's first run", "?belt-f=0.9&belt-o=0.3"),
        ("threshold", "g = 1.5", "?threshold-g=3"),
    ]:
        used = scene(name, elsewhere)
        used.button(preset).click()
        used.says()


def test_the_author_s_numbers_are_printed(scene):
    used = scene("belt")
    expect(used.element.locator(".scene-finding")).to_contain_text("h = −0.5:")
    used.button("Author's second run").click()
    expect(used.element.locator(".scene-finding")).to_contain_text("h = 0.638:")
    expect(used.element.locator(".scene-verdict")).to_have_text("▲ plural: are")
    used.button("f 0.97").click()
    expect(used.element.locator(".scene-finding")).to_contain_text("0.97⁵ = 0.86.")

    used = scene("threshold")
    for g, row in {
        0.5: "0.4266, 0.0083, 0.0001, 0",
        0.9: "0.7679, 0.0989, 0.0152, 0.0004",
        1.5: "1.2798, 0.8562, 1.218, 1.154",
        2.0: "1.7064, 2.2703, 2.4696, 1.3574",
    }.items():
        used.button(f"g = {g}").click()
        shown = used.element.locator(".scene-row")
        expect(shown).to_have_text(f"Gain after 1, 5, 10, 20 steps: {row}.")


@pytest.mark.parametrize("way", ["keyboard", "pointer"])
def test_steps_forward_and_back(scene, way):
    used = scene("reading", "?reading-step=3")

    def push(name):
        if way == "pointer":
            return used.button(name).click()
        used.button(name).focus()
        return used.page.keyboard.press("Space")

    push("Step")
    used.says(step=4)
    push("Back")
    push("Back")
    used.says(step=2)
    for _ in range(4):
        push("Back")
    used.says(step=0)


def test_the_strips_grow_and_show_the_states(scene):
    record = experiments.reading()
    for step in (7, 3, 0):
        used = scene("reading", f"?reading-step={step}")
        for strip, h in enumerate([record.h_first, record.h_second]):
            table = used.element.locator(".scene-pair .scene-heat").nth(strip)
            rows = [
                [cell.inner_text() for cell in row.locator("td").all()]
                for row in table.locator("tr").all()[1:]
            ]
            wanted = [
                [f"{round(v, 1) + 0.0:.1f}".replace("-", "−") for v in unit] for unit in h[1:].T
            ]
            assert rows == [unit[:step] + [""] * (7 - step) for unit in wanted]


def test_the_numbers_of_the_step_are_shown(scene):
    used = scene("reading", "?reading-step=4")
    record = experiments.reading()
    for n, (order, h) in enumerate(
        [(record.first, record.h_first), (record.second, record.h_second)]
    ):
        table = used.element.locator(".scene-numbers").nth(n)
        assert table.locator("caption").inner_text() == f"Step 4: “{order[3]}”"
        for row, entries in enumerate([wordbook.vector(order[3]), h[3], h[4]]):
            shown = table.locator("tr").nth(row).locator("td").all_inner_texts()
            assert shown == [f"{v:.2f}".replace("-", "−") for v in entries]


def test_the_sixty_weights_are_sixty(scene):
    used = scene("reading")
    fold = used.element.locator("details")
    fold.locator("summary").click()
    assert "60 weights: 24 in W_x, 36 in W_h" in fold.inner_text()
    net = wordbook.net(wordbook.SEEDS[0], 1.2)
    shown = [float(t.replace("−", "-")) for t in fold.locator("td").all_inner_texts()]
    np.testing.assert_allclose(
        np.reshape(shown, (6, 10)), np.hstack([net.W_x, net.W_h]), atol=0.05 + 1e-9
    )


@pytest.mark.parametrize(
    "state",
    [{}, {"sigma": 6.0}, {"sigma": 6.0, "sentence": 6}, {"sigma": 3.2, "phi": "sigmoid", "net": 5}],
)
def test_each_bar_has_the_gain_of_its_word(scene, state):
    query = "&".join(f"blame-{field}={value}" for field, value in state.items())
    by_word, by_sentence = scene("blame", f"?{query}").element.locator(".scene svg").all()
    record = gains(**state)
    pairs = zip(record.words, record.gain, strict=True)
    listed = ", ".join(f"{word} {short(gain)}" for word, gain in pairs)
    assert by_word.get_attribute("aria-label") == f"Gain by word: {listed}."
    texts = by_word.locator("text").all_text_contents()
    assert all(short(gain) in texts for gain in record.gain)
    bars = [
        (float(bar.get_attribute("x")), float(bar.get_attribute("width")))
        for bar in by_word.locator("rect").all()
    ]
    for (x, width), gain in zip(bars, record.gain, strict=True):
        end = 178 + 84 * np.clip(np.log10(gain) / 9, -1, 1)
        assert (x if gain < 1 else x + width) == pytest.approx(end, abs=1)
    for n in range(1, 8):
        first = gains(**(state | {"sentence": n}))
        assert f"{n} {first.words[0]} {short(first.gain[0])}" in by_sentence.get_attribute(
            "aria-label"
        )


def test_the_same_dial_gives_huge_blame_in_one_sentence_and_nearly_none_in_another(scene):
    used = scene("blame")
    used.press(SIGMA, "End")
    used.says(sigma=6)
    expect(used.element.locator(".scene-finding")).to_contain_text("It has exploded.")
    used.control("Sentence").select_option(index=5)
    used.says(sigma=6, sentence=6)
    expect(used.element.locator(".scene-finding")).to_contain_text("Almost nothing arrives.")


@pytest.mark.parametrize("way", ["keyboard", "pointer"])
def test_other_networks_come_round_again(scene, way):
    used = scene("blame", "?blame-net=11")
    another = used.button("Another random network")
    for net in (12, 1, 2):
        if way == "pointer":
            another.click()
        else:
            another.focus()
            used.page.keyboard.press("Enter")
        used.says(net=net)
        expect(another).to_have_text(f"Another random network (this is {net} of 12)")


def test_own_words_are_read_and_given_up_again(scene):
    used = scene("blame")
    used.control(OWN).press_sequentially("Blooms SHE  bought")
    used.says(words="blooms she bought")
    expect(used.control("Sentence")).to_have_value("own")
    used.control("Sentence").select_option(index=1)
    used.says(sentence=2)
    expect(used.control(OWN)).to_have_value("")
    used.control("Sentence").select_option(label="your own words")
    expect(used.control(OWN)).to_have_value(" ".join(wordbook.SENTENCES[1]))
    used.says(sentence=2)


def test_the_trained_net_needs_its_number_unit(scene):
    used = scene("trained")
    expect(used.element.locator(".scene-verdict")).to_contain_text("▲ plural: the flowers that")
    used.control("Silence this unit").click()
    used.says(silent=True)
    expect(used.element.locator(".scene-verdict")).to_contain_text("▼ singular: the flowers that")
    expect(used.element.locator(".scene-finding")).to_contain_text("which is wrong")


def test_the_belt_of_the_chosen_unit_is_drawn(scene):
    used = scene("trained", "?trained-unit=7&trained-second=0")
    sentence = ["the", "flowers", "that", "the", "girl", "likes"]
    trace = MODEL.run(np.array([grammar.INDEX[word] for word in sentence])[:, None]).trace
    drawing = used.element.locator(".scene svg")
    c = zip(sentence, trace.c[1:, 0, 7], strict=True)
    listed = ", ".join(f"{word} {plain(value, 2)}" for word, value in c)
    assert drawing.get_attribute("aria-label") == f"Belt of unit 7 after each word: {listed}."
    texts = drawing.locator("text").all_text_contents()
    gates = [f"{f:.2f} {i:.2f}" for f, i in zip(trace.f[:, 0, 7], trace.i[:, 0, 7], strict=True)]
    assert [text for text in texts if text in gates] == gates


def test_one_word_has_no_earlier_one(scene):
    used = scene("blame")
    used.control(OWN).fill("flowers")
    used.says(words="flowers")


def test_typed_words_are_text_and_at_most_twelve(scene):
    used = scene("blame")
    typed = [f"<img src=x onerror=alert({n})>&lt;b>".replace(" ", "") for n in range(3)]
    used.control(OWN).fill(" ".join([*typed, *(f"w{n}" for n in range(40))]))
    read = [*(word[:24] for word in typed), *(f"w{n}" for n in range(9))]
    used.says(words=" ".join(read))
    assert used.element.locator("img, b").count() == 0
    assert used.element.locator(".scene svg").first.locator("rect").count() == 12
    used.page.reload()
    used.says(words=" ".join(read))
    assert used.element.locator("img, b").count() == 0
    assert used.tab.problems == []


STATES = {
    "reading": {"pair": 2, "step": 3},
    "blame": {"sigma": 4.4, "phi": "sigmoid", "net": 3, "sentence": 5},
    "theorem": {"a": 0.9, "b": 3.0, "c": 0.0, "d": -0.9, "drive": "linear"},
    "belt": {"f": 0.97, "i": 0.25, "o": 0.5},
    "threshold": {"g": 1.24, "n": 1000},
    "trained": {"subject": 4, "first": 12, "second": 0, "third": 51, "unit": 7},
}


def query(name, state):
    return "&".join(f"{name}-{field}={value}" for field, value in state.items())


@every_scene
def test_the_state_lives_in_the_address(scene, name):
    given = scene(name, f"?other=1&{query(name, STATES[name])}")
    given.says(**STATES[name])
    given.button("Reset").click()
    given.says()
    expect(given.page).to_have_url(re.compile(rf"/{SCENES[name].page}\?other=1(#.*)?$"))


def test_a_change_is_written_into_the_address_and_read_from_it(scene):
    used = scene("belt")
    used.press(GATE_F, "ArrowRight")
    used.control(GATE_O).fill("0.25")
    expect(used.page).to_have_url(re.compile(r"/lstm/\?belt-f=0\.61&belt-o=0\.25(#.*)?$"))
    used.page.reload()
    used.says(f=0.61, o=0.25)


def test_a_preset_comes_back_to_the_last_digit(scene):
    used = scene("theorem")
    used.button("The author's rotation").click()
    used.says(**ROTATION)
    used.page.wait_for_url("**theorem-a=*")
    used.page.reload()
    expect(used.button("The author's rotation")).to_have_attribute("aria-pressed", "true")


MANGLED = ["", " ", "abc", "-11", "99999", "NaN", "Infinity", "\0", "1e9", "0x1g", "1,5"]


@every_scene
def test_a_mangled_address_falls_back(scene, name):
    fields = f"Object.entries(customElements.get('scene-{name}').fields)"
    read = f"mangled => {fields}.map(([field, {{ read }}]) => [field, mangled.map(read)])"
    page = scene(name).page
    for field, values in page.evaluate(read, MANGLED):
        assert set(values) == {None} or (name, field) == ("blame", "words")
    names = page.evaluate(f"{fields}.map(([field]) => field)")
    mangled = scene(name, "?" + "&".join(f"{name}-{field}=%00" for field in names[:-1]))
    mangled.says()
    assert mangled.tab.problems == []


def test_one_mangled_part_leaves_the_others(scene):
    scene("belt", "?belt-f=0.9&belt-i=1.1&belt-o=x").says(f=0.9)


LINK = re.compile(r"\]\([\w-]+\.md\?(([a-z]+)-[^)#]*)#[^)]*\)")


@pytest.mark.parametrize("way", ["keyboard", "pointer", "another page"])
@every_scene
def test_three_settings_for_the_class_show_something_else(scene, name, way):
    """Every part of each is understood, and is not what the scene showed before."""
    url = SCENES[name].page
    text = (DOCS / f"{url.strip('/')}.md").read_text("utf-8")
    settings = [query for query, kind in LINK.findall(text) if kind == name]
    assert len(settings) == 3
    used = scene(name)
    shown = used.element.evaluate("scene => scene.state")
    for setting in settings if way != "another page" else settings[:1]:
        link = used.page.locator(f"article a[href*='?{setting}#']")
        link.evaluate("link => (link.closest('details').open = true)")
        if way == "keyboard":
            link.focus()
            used.page.keyboard.press("Enter")
            expect(used.element.locator(".scene")).to_be_focused()
        elif way == "pointer":
            link.click()
        else:
            used = scene(name, f"?{setting}")
        state = used.element.evaluate("scene => scene.state")
        given = dict(part.split("=") for part in setting.split("&"))
        written = {
            f"{name}-{field}": json.dumps(value).strip('"') for field, value in state.items()
        }
        assert written.items() >= given.items()
        assert state != shown
        shown = state
        used.says(**state)
        expect(used.element).to_be_in_viewport()
        used.page.wait_for_url(f"**{setting}*")


def test_the_point_lies_where_the_figure_has_it(scene):
    figure = figures.influence_map(experiments.influence_map())
    figure.draw_without_rendering()
    [axes] = figure.axes
    height = figure.bbox.height * 72 / figure.dpi
    for g, n in [(0.3, 1), (1.25, 30), (3.0, 1000)]:
        used = scene("threshold", f"?threshold-g={g}&threshold-n={n}")
        x, y = axes.transData.transform((g, n)) * 72 / figure.dpi
        move = used.element.locator(".scene-point").get_attribute("transform")
        found = [float(number) for number in re.findall(r"[\d.]+", move)]
        assert found == pytest.approx([x, height - y], abs=0.5)


def test_a_click_on_the_map_moves_the_point_there(scene):
    used = scene("threshold")
    drawing = used.element.locator("figure svg")
    drawing.scroll_into_view_if_needed()
    box = drawing.locator(".part-plane").bounding_box()
    for across, up, g, n in [(0.2, 0.5, 0.84, 30), (0.9, 1, 2.73, 1000)]:
        used.page.mouse.click(
            box["x"] + across * box["width"], box["y"] + (1 - up) * box["height"] + 0.5
        )
        assert used.value("Size of the weights, g") == pytest.approx(g, abs=0.02)
        assert used.value("Steps, n") == n
    used.says(g=used.value("Size of the weights, g"), n=1000)
    used.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    used.page.mouse.down()
    used.page.mouse.move(box["x"] - 50, box["y"] + box["height"] + 50)
    used.page.mouse.up()
    used.says(g=0.3, n=1)


def test_it_plays_to_the_end_and_stops(scene):
    used = scene("reading", "?reading-step=5")
    used.button("Play").click()
    expect(used.button("Pause")).to_be_visible()
    used.says()
    expect(used.button("Play")).to_be_visible()


def test_play_can_be_stopped(scene):
    used = scene("reading", "?reading-step=1")
    used.button("Play").click()
    expect(used.element.locator(".scene-value")).to_have_text("2")
    used.button("Pause").click()
    step = int(used.element.locator(".scene-value").inner_text())
    used.page.wait_for_timeout(1500)
    used.says(step=step)
    assert step in {2, 3}  # one word may be read before the click


def test_nothing_plays_out_of_view(scene):
    used = scene("reading", "?reading-step=0")
    used.button("Play").click()
    expect(used.element.locator(".scene-value")).to_have_text("1")
    used.page.evaluate("scrollTo(0, 0)")
    expect(used.element).not_to_be_in_viewport()
    expect(used.element.get_by_role("button", name="Play")).to_be_attached()
    step = used.element.locator(".scene-value").inner_text()
    used.page.wait_for_timeout(1500)
    assert used.element.locator(".scene-value").inner_text() == step != "7"


def test_without_motion_play_shows_the_end_at_once(open_tab):
    used = Scene(open_tab(viewport=SCREEN, reduced_motion="reduce"), "reading", "?reading-step=2")
    used.button("Play").click()
    assert used.element.locator(".scene-value").inner_text() == "7"
    used.says()


@every_scene
def test_all_controls_are_reached_by_tab_in_their_order(scene, name):
    used = scene(name)
    used.element.evaluate("scene => { scene.tabIndex = -1; scene.focus(); }")
    wanted = used.element.evaluate(
        "scene => [...scene.querySelectorAll('.scene :is(input, select, button, summary)')]"
        ".map((control) => control.labels?.[0]?.textContent || control.textContent)"
    )
    reached = []
    for _ in wanted:
        used.page.keyboard.press("Tab")
        reached.append(
            used.page.evaluate(
                "document.activeElement.labels?.[0]?.textContent"
                " || document.activeElement.textContent"
            )
        )
        assert used.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert reached == wanted
    assert len(wanted) > 3


@pytest.mark.parametrize("palette", ["light", "dark"])
@every_scene
def test_axe_finds_nothing(palettes, name, palette):
    used = Scene(palettes[palette], name)
    used.element.locator("details").evaluate_all("all => all.forEach((fold) => (fold.open = true))")
    found = Axe().run(used.page, context=f"scene-{name}")
    assert found.response["violations"] == []
    assert len(found.response["passes"]) > 5


@every_scene
def test_it_is_at_home_on_a_small_phone(phone, name):
    used = Scene(phone, name)
    used.page.evaluate("audit.unfold()")
    for fault in [
        "tooWide()",
        "cutOff()",
        "figures()",
        f"labels('scene-{name}:has(figure[hidden])')",
    ]:
        assert used.page.evaluate(f"audit.{fault}") == []
    for control in used.element.locator("input, select, button").all():
        assert control.bounding_box()["height"] >= 24
    used.button("Reset").tap()
    used.says()


def test_two_of_a_kind_on_one_page(scene):
    used = scene("belt", "?belt-f=0.9&belt-2-f=0.3")
    used.element.evaluate("scene => scene.after(Object.assign("
        "document.createElement('scene-belt'), { innerHTML: '<figure></figure>' }))")  # fmt: skip
    second = used.page.locator("scene-belt").nth(1)
    used.element = used.page.locator("scene-belt").first
    finding = second.locator(".scene-finding")
    expect(finding).to_have_text(belt(f=0.3))
    second.get_by_label(GATE_I).fill("0.2")
    expect(finding).to_have_text(belt(f=0.3, i=0.2))
    used.says(f=0.9)
    used.page.wait_for_url("**/lstm/?belt-f=0.9&belt-2-f=0.3&belt-2-i=0.2*")


def test_it_lives_after_an_in_site_navigation(scene):
    used = scene("belt", "?belt-f=0.9")
    used.tab.wait_until_quiet()  # the theme has to know the pages
    used.page.evaluate("window.isTheSame = true")
    for target, name in [("in-code/", "threshold"), ("lstm/", "belt"), ("blame/", "blame")]:
        used.page.locator(f"nav.md-nav--primary a[href$='{target}']").first.click()
        used.page.wait_for_url(f"**/{target}*")
        used.name, used.element = name, used.page.locator(f"scene-{name}")
        used.says()
    used.press(SIGMA, "End")
    used.says(sigma=6)
    assert used.page.evaluate("window.isTheSame")
    assert used.tab.problems == []


def test_it_follows_the_palette(open_tab):
    used = Scene(open_tab(viewport=SCREEN, color_scheme="dark"), "blame", "?blame-sigma=3")
    bar = used.element.locator("rect").first
    dark = bar.evaluate("bar => getComputedStyle(bar).fill")
    used.page.locator("label.md-header__button[for^=__palette]:visible").click()
    expect(used.page.locator("body")).to_have_attribute("data-md-color-scheme", "default")
    assert bar.evaluate("bar => getComputedStyle(bar).fill") != dark
    used.says(sigma=3.0)
    used.press(SIGMA, "Home")
    used.says(sigma=0)


@every_scene
def test_its_present_state_prints(scene, name):
    state = STATES[name]
    used = scene(name, f"?{query(name, state)}")
    used.says(**state)
    used.page.emulate_media(media="print")
    try:
        # A box that is ticked is part of the state; what only changes it is not.
        waiting = used.element.locator("button, [type=range], [type=text]")
        assert waiting.count()
        assert not any(control.is_visible() for control in waiting.all())
        assert used.element.locator(".scene-finding").is_visible()
        assert used.element.locator("figure").is_visible() == (name == "threshold")
        drawn = used.element.locator(".scene svg, .scene-heat, .scene-point")
        assert drawn.first.is_visible()
        assert used.element.locator(".scene-value, .scene select").first.is_visible()
    finally:
        used.page.emulate_media(media="screen")


@every_scene
def test_without_javascript_the_figure_stands(open_tab, name):
    page = open_tab(viewport=SCREEN, java_script_enabled=False).page
    page.goto(SCENES[name].page)
    element = page.locator(f"scene-{name}")
    assert element.locator("figure svg").is_visible()
    assert element.locator("figcaption").inner_text().endswith(".")
    assert element.locator(".scene").count() == 0


FAULTS = {
    "missing": lambda route: route.fulfill(status=404, body="no"),
    "cut short": lambda route: route.fulfill(body='{"words": {"the": [1,'),
    "empty": lambda route: route.fulfill(body="{}"),
    "not reached": lambda route: route.abort(),
}


@pytest.mark.parametrize(
    ("name", "fault"), [*((name, "missing") for name in SCENES), *(("belt", f) for f in FAULTS)]
)
def test_without_its_data_the_figure_stands(open_tab, name, fault):
    tab = open_tab(viewport=SCREEN)
    tab.page.route("**/scenes/*.json", FAULTS[fault])
    tab.open(SCENES[name].page)
    element = tab.page.locator(f"scene-{name}")
    assert element.locator("figure svg").is_visible()
    assert element.locator(".scene-missing").inner_text().startswith("This figure would answer")
    assert element.locator(".scene").count() == 0
    assert [line for line in tab.problems if "Failed to load resource" not in line] == [
        line for line in tab.problems if ".json" in line
    ]
