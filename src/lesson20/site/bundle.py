"""Makes one script of ES modules, for a page that is opened from a disk.

There a browser loads no module and fetches no file; it runs scripts. So each module becomes a
function that returns what it exports, and its data files become scripts that carry them.
"""

import re
from graphlib import TopologicalSorter

from lesson20.site.errors import PageError

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";$', re.MULTILINE)
_NAMES = r"(\w+|\[[\w, ]+\])"
_EXPORT = re.compile(rf"^export (?=(?:async )?(?:function\*?|class|const) {_NAMES})", re.MULTILINE)
_OF_A_MODULE = re.compile(r"^(?:[ \t]*(?:im|ex)port\b|.*\bimport\s*\().*", re.MULTILINE)
_WANTED = '`import { a } from "./name.js";`, or `export` before a function, a class or a const'

# What a module has and a script on a disk has not: its own address, and `fetch`.
_AROUND = """\
(() => {{
"use strict";
const moduleAddress = document.currentScript.src;
const fetch = (file) => new Promise((resolve, reject) => {{
  const script = document.createElement("script");
  script.src = `${{file}}.js`;
  script.onload = () => resolve({{ ok: true, json: () => script.data }});
  script.onerror = () => reject(new Error(`${{file}}.js did not come`));
  document.head.append(script);
}});
const modules = {{}};
{}
}})();
"""


def in_order(modules: dict[str, str], entries: list[str]) -> list[str]:
    """Return the names of modules and of all that they import, each behind those it imports.

    Args:
        modules: The texts of all modules of one folder, each under its name, as `model`.
        entries: The names of those that a page asks for.

    Raises:
        graphlib.CycleError: If modules import each other in a circle.
    """
    order: TopologicalSorter[str] = TopologicalSorter()
    names = list(entries)
    for name in names:
        imported = [found[2] for found in _IMPORT.finditer(modules[name])]
        order.add(name, *imported)
        names += [other for other in dict.fromkeys(imported) if other not in names]
    return list(order.static_order())


def bundle(modules: dict[str, str], folder: str) -> str:
    """Return one script that does what modules do.

    Args:
        modules: Their texts, each under its name, in the order in which they can run.
        folder: Their folder, as it is named in a message.

    Raises:
        PageError: If a module imports or exports in a way that this does not understand.
    """
    functions = [_function(name, text, folder) for name, text in modules.items()]
    return _AROUND.format("\n".join(functions))


def carrying(data: str) -> str:
    """Return the script that brings a data file, JSON, to the `fetch` of a bundle."""
    return f"document.currentScript.data = {data.strip()};\n"


def _function(name: str, text: str, folder: str) -> str:
    for found in _OF_A_MODULE.finditer(text):
        if not (_IMPORT.match(text, found.start()) or _EXPORT.match(text, found.start())):
            line = text.count("\n", 0, found.start()) + 1
            raise PageError(f"{folder}/{name}.js", line, _WANTED, repr(found[0].strip()))
    exported = [word for found in _EXPORT.finditer(text) for word in re.findall(r"\w+", found[1])]
    text = _IMPORT.sub(
        lambda it: f"const {{{it[1].replace(' as ', ': ')}}} = modules.{it[2]};", text
    )
    text = _EXPORT.sub("", text).replace("import.meta.url", "moduleAddress").strip()
    return f"modules.{name} = (() => {{\n{text}\nreturn {{ {', '.join(exported)} }};\n}})();"
