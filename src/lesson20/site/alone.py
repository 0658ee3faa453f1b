"""What makes a block run alone: the imports and definitions that it needs from earlier blocks.

This is a backward slice over the statements of a page. A name that is needed asks for the
statements that bind or change it, and those for the names that they use in turn. Only the code is
looked at. What a function does to its arguments is not seen there, but a random generator is
known to give other numbers after every use.
"""

import ast
import symtable
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from lesson20.site.blocks import Block
from lesson20.site.errors import PageError

_CALLED_LATER = (ast.FunctionDef, ast.ClassDef, ast.Lambda)
_GIVE_WHAT_IS_USED_UP = {"default_rng", "rng_of", "iter"}


@dataclass(frozen=True)
class _Statement:
    """A top-level statement of a page: its syntax tree, and its code with what it prints."""

    node: ast.stmt
    text: str

    @cached_property
    def binds(self) -> set[str]:
        """The names that it binds."""
        return _bound(self.node)

    @cached_property
    def uses(self) -> set[str]:
        """The names that it looks up, now or when the functions that it defines are called."""
        return _used(self.node)

    @property
    def is_import(self) -> bool:
        """Whether it imports."""
        return isinstance(self.node, ast.Import | ast.ImportFrom)

    @property
    def is_definition(self) -> bool:
        """Whether it defines a function or a class."""
        return isinstance(self.node, ast.FunctionDef | ast.ClassDef)

    def only(self, needed: set[str]) -> str:
        """Its text; of an import, no more than is needed."""
        if not isinstance(self.node, ast.Import | ast.ImportFrom) or self.binds <= needed:
            return self.text
        narrow = copy(self.node)
        narrow.names = [alias for alias in narrow.names if _name_of(alias) in needed]
        return ast.unparse(narrow)


def alone(block: Block, earlier: Sequence[Block]) -> str:
    """Return a block's code, below just what it needs from the blocks before it on its page.

    A block that is not run counts only for another one that is not run.
    """
    own = _statements(block)
    there = [one for one in earlier if block.options.skip or not one.options.skip]
    above = [statement for one in there for statement in _statements(one)]
    page = _Page([*above, *own])
    needed = page.needed([statement.node for statement in own], set())
    chosen: list[_Statement] = []
    for statement in reversed(above):
        if needed & (statement.binds | page.changed(statement)):
            chosen.insert(0, _Statement(statement.node, statement.only(needed)))
            needed = page.needed([statement.node], needed)
    if not chosen:
        return block.source
    text = "".join(one.text + _gap(one, other) for one, other in pairwise([*chosen, own[0]]))
    return text.rstrip("\n") + max("\n\n", _gap(chosen[-1], own[0]), key=len) + block.source


@lru_cache(maxsize=256)  # each block of a page asks for all that stand above it
def _statements(block: Block) -> list[_Statement]:
    """The statements of a block; none where it is not run, and is not even Python."""
    try:
        return list(_read(block))
    except PageError:
        if not block.options.skip:
            raise
        return []


def _read(block: Block) -> Iterator[_Statement]:
    lines = block.source.split("\n")
    for node, output in zip(block.tree.body, block.outputs(), strict=True):
        first = min(part.lineno for part in [node, *getattr(node, "decorator_list", [])])
        code = lines[first - block.line - 1 : output.end - block.line]
        printed = [f"#> {line}".rstrip() for _, line in output.lines]
        yield _Statement(node, "\n".join([*code, *printed]))


def _gap(one: _Statement, other: _Statement) -> str:
    """The line ends between two statements, as Python's style has them."""
    if one.is_definition or other.is_definition:
        return "\n\n\n"
    return "\n" if one.is_import == other.is_import else "\n\n"


class _Page:
    """What only all statements of a page tell about each of them."""

    def __init__(self, statements: Sequence[_Statement]) -> None:
        self._imported: set[str] = set()
        self._used_up: set[str] = set()
        self._bodies: dict[str, set[str]] = {}
        for statement in statements:
            if statement.is_import:
                self._imported |= statement.binds
            if any(isinstance(part, _CALLED_LATER) for part in ast.walk(statement.node)):
                self._bodies |= dict.fromkeys(statement.binds, statement.uses)
            if _GIVE_WHAT_IS_USED_UP & set(_called(statement.node)):
                self._used_up |= statement.binds

    def needed(self, statements: Sequence[ast.stmt], later: set[str]) -> set[str]:
        """The names needed before some statements, given those that are needed after them."""
        for statement in reversed(statements):
            later = self._needed_before(statement, later)
        return later

    def _needed_before(self, statement: ast.stmt, later: set[str]) -> set[str]:
        match statement:
            case ast.For(target=target, iter=source, body=body, orelse=orelse):
                again = self.needed(body, set()) - _bound(target)
                return later | self._used(source) | again | self.needed(orelse, set())
            case ast.If(test=test, body=body, orelse=orelse):
                return self._used(test) | self.needed(body, later) | self.needed(orelse, later)
            case ast.With(items=items, body=body):
                needed = self.needed(body, later)
                for item in reversed(items):
                    bound = _bound(item.optional_vars) if item.optional_vars else set()
                    needed = needed - bound | self._used(item.context_expr)
                return needed
            case ast.While() | ast.Try() | ast.Match():
                return later | self._used(statement)
            case ast.AugAssign(target=target):
                return later | self._used(statement) | _bound(target)
            case _:
                return later - _bound(statement) | self._used(statement)

    def _used(self, node: ast.AST) -> set[str]:
        """What a piece of code looks up, with what the functions among that look up in turn."""
        if isinstance(node, ast.FunctionDef):  # its body is looked at where the function is used
            return self._with_bodies(_referenced(_table(node)))
        return self._with_bodies(_used(node))

    def changed(self, statement: _Statement) -> set[str]:
        """The names whose objects a statement changes, as in `x[0] = 1`."""
        if statement.is_definition:
            return set()
        used_up = self._with_bodies(statement.uses) & self._used_up
        # What a block does to a module is undone at the block's end.
        return used_up | set(_changed(statement.node)) - self._imported

    def _with_bodies(self, names: set[str]) -> set[str]:
        """Names, and those that the functions among them look up in turn."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self._bodies.get(name, ())
        return found


def _changed(statement: ast.stmt) -> Iterator[str]:
    """The names of what is changed in place, or has a method called for its effect alone."""
    for node in ast.walk(statement):
        match node:
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store()):
                yield _root(node)
            case ast.Expr(value=ast.Call(func=ast.Attribute() as method)):
                yield _root(method)


def _root(node: ast.expr) -> str:
    """The name that `name[0].attribute(…)` begins with; empty if it begins otherwise."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _called(statement: ast.stmt) -> Iterator[str]:
    """What is called, by its last name: `default_rng` in `np.random.default_rng(20)`."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def _name_of(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _bound(node: ast.AST) -> set[str]:
    """The names that a statement, or the target of an assignment, binds."""
    names = _table(node).get_symbols()
    return {name.get_name() for name in names if name.is_assigned() or name.is_imported()}


def _used(node: ast.AST) -> set[str]:
    """The names of the page that a statement or an expression looks up."""
    return _looked_up(_table(node))


def _looked_up(table: symtable.SymbolTable) -> set[str]:
    return _referenced(table).union(*map(_looked_up, table.get_children()))


def _referenced(table: symtable.SymbolTable) -> set[str]:
    """The names of the page that a scope looks up itself."""
    names = table.get_symbols()
    return {name.get_name() for name in names if name.is_referenced() and name.is_global()}


def _table(node: ast.AST) -> symtable.SymbolTable:
    """Python's own account of the names in a piece of code."""
    is_target = isinstance(getattr(node, "ctx", None), ast.Store)
    code = ast.unparse(node) + (" = None" if is_target else "")
    return symtable.symtable(ast.unparse(_Enclosed().visit(ast.parse(code))), "a block", "exec")


class _Enclosed(ast.NodeTransformer):
    """Puts each comprehension into a function, for its variables are no names of the page."""

    def visit(self, node: ast.AST) -> ast.AST:
        """Visit the parts of a node, then enclose it."""
        node = self.generic_visit(node)
        if not isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            return node
        nothing = ast.arguments([], [], None, [], [], None, [])
        return ast.Call(ast.Lambda(nothing, node), [], [])
