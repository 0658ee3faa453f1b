"""Modules as one script. That the script does what the modules do is for tests/browser to say."""

from graphlib import CycleError

import pytest

from lesson20.site.bundle import bundle, carrying, in_order
from lesson20.site.errors import PageError

SUM = """\
// Adds.
export const [ONE, TWO] = [1, 2];
export function sum(a, b) {
  return a + b;
}
const secret = 3;
export class Sum {}
export async function later() {}
"""
PAGE = """\
import { ONE, sum as add } from "./sum.js";
import {
  Sum,
} from "./sum.js";
export const file = new URL("data.json", import.meta.url);
const it = "a word such as export or import is no statement here";
"""


def test_a_module_is_a_function_of_those_it_imports():
    script = bundle({"sum": SUM, "page": PAGE}, "docs/scenes")
    assert "const { ONE, sum: add } = modules.sum;" in script
    assert "const {\n  Sum,\n} = modules.sum;" in script
    assert "return { ONE, TWO, sum, Sum, later };" in script
    assert 'file = new URL("data.json", moduleAddress);' in script
    assert "return { file };" in script
    assert "\nexport" not in script
    assert "\nimport" not in script


def test_what_is_imported_comes_first_and_once():
    modules = {
        "a": 'import { c } from "./c.js";\nimport { d } from "./d.js";\n',
        "b": 'import { d } from "./d.js";\n',
        "c": 'import { d } from "./d.js";\nexport const c = d;\n',
        "d": "export const d = 1;\n",
        "unused": "export const u = 1;\n",
    }
    order = in_order(modules, ["b", "a"])
    assert sorted(order) == ["a", "b", "c", "d"]
    assert order.index("d") < order.index("c") < order.index("a")
    assert order.index("d") < order.index("b")


@pytest.mark.parametrize(
    "statement",
    [
        "export default class {}",
        "export { sum };",
        "export let count = 0;",
        'export * from "./sum.js";',
        'import sum from "./sum.js";',
        'import * as all from "./sum.js";',
        'import "./sum.js";',
        'import { sum } from "../elsewhere/sum.js";',
        'import { sum } from "./sum.js"',
        "  export const indented = 1;",
        'const late = await import("./sum.js");',
    ],
)
def test_what_is_not_understood_is_named(statement):
    with pytest.raises(PageError) as raised:
        bundle({"page": f"// First.\n\n{statement}\n"}, "docs/scenes")
    assert (raised.value.page, raised.value.line) == ("docs/scenes/page.js", 3)
    assert statement.strip() in str(raised.value)


def test_a_circle_is_refused():
    modules = {
        "a": 'import { b } from "./b.js";\nexport const a = 1;\n',
        "b": 'import { a } from "./a.js";\nexport const b = 1;\n',
    }
    with pytest.raises(CycleError):
        in_order(modules, ["a"])


def test_data_is_carried_by_a_script():
    assert carrying('{"a": 1}\n') == 'document.currentScript.data = {"a": 1};\n'
