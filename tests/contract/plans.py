"""What the planner makes of a statement: its tables, and to whose rows its conditions limit it.

The generic plan, in which parameters stay parameters. A scan of a personal table is *limited* when its
`user_id` must equal a parameter, or a column of rows that are limited themselves; a table without
`user_id` when the column that refers to its owner's row equals that row's key. Only conditions that
always hold count: one side of an OR limits nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.contract.schema import OWNER, PEOPLE, Connection, Reference, Schema

Node = dict[str, Any]
CONDITIONS = ("Index Cond", "Recheck Cond", "Filter", "Hash Cond", "Merge Cond", "Join Filter")

# Through a function: sent by itself, the driver would bind the parameters that are to stay open.
_EXPLAIN = """
create or replace function pg_temp.generic_plan(sql text) returns text language plpgsql as $$
declare plan text;
begin
  execute 'explain (generic_plan, verbose, costs off, format json) ' || sql into plan;
  return plan;
end $$"""

_WORD = r'(?:"[^"]+"|\w+)'
_COLUMN = re.compile(rf"{_WORD}\.{_WORD}")
_PARAMETER = re.compile(r"\$\d+")
_EQUAL = re.compile(r"(?P<left>.+?) = (?P<right>.+)")
_SAME = re.compile(r"NOT \((?P<left>.+?) IS DISTINCT FROM (?P<right>.+)\)")
_ANY = re.compile(r"ANY \((?P<array>.+)\)")
_NULL = re.compile(r"(?P<column>.+) IS NULL")
_CAST = re.compile(r"^\((?P<value>.+)\)::[\w ]+(\[\])?$")


async def plan_of(connection: Connection, sql: str) -> Node:
    await connection.execute(_EXPLAIN)
    text = await connection.fetchval("select pg_temp.generic_plan($1)", sql)
    plan: Node = json.loads(text)[0]["Plan"]
    return plan


def nodes(plan: Node) -> Iterator[Node]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from nodes(below)


def relations(plan: Node, schema: Schema) -> tuple[set[str], set[str]]:
    """Tables that are read and tables that are written."""
    reads: set[str] = set()
    writes: set[str] = set()
    for node in nodes(plan):
        if "Relation Name" in node:
            is_write = node["Node Type"] == "ModifyTable"
            (writes if is_write else reads).add(schema.named(node["Relation Name"]))
    return reads, writes


@dataclass(frozen=True, slots=True)
class Term:
    """One side of an equality: a column of a scan, or a parameter in one block of the statement."""

    scan: str
    column: str


@dataclass
class Equalities:
    """What must be equal to what, as groups of terms."""

    groups: dict[Term, set[Term]] = field(default_factory=dict)

    def add(self, left: Term, right: Term) -> None:
        merged = self.of(left) | self.of(right)
        for term in merged:
            self.groups[term] = merged

    def of(self, term: Term) -> set[Term]:
        return self.groups.get(term, {term})

    def around(self, term: Term) -> set[Term]:
        """With what equals the same parameter in the queries around the term's own."""
        found = set(self.of(term))
        for each in self.of(term):
            block = each.scan
            while _PARAMETER.fullmatch(each.column) and "." in block:
                block = block.rpartition(".")[0]
                found |= self.of(Term(block, each.column))
        return found


@dataclass
class Reading:
    """A plan, read: which scan stands for which tables, and what equals what."""

    schema: Schema
    tables: dict[str, set[str]] = field(default_factory=dict)  # a scan's alias → its tables
    scans: dict[str, str] = field(default_factory=dict)  # alias → table, of real tables only
    inside: dict[str, set[str]] = field(default_factory=dict)  # a subquery's alias → scans in it
    equal: Equalities = field(default_factory=Equalities)
    optional: list[set[str]] = field(default_factory=list)  # scans that limit only each other
    alone: set[str] = field(default_factory=set)  # scans of one person's or nobody's rows

    def limited(self) -> set[str]:
        """Aliases of the scans that see one person's rows alone, or nobody's."""
        found: set[str] = set(self.alone)
        while more := {alias for alias in self.tables if self._is_limited(alias, found)} - found:
            found |= more
        return found

    def _is_limited(self, alias: str, found: set[str]) -> bool:
        table = self.scans.get(alias)
        if table is None:  # a subquery or CTE: its rows are as limited as those they come from
            personal = {
                scan
                for scan in self.inside.get(alias, ())
                if self.scans.get(scan) in self.schema.personal | {PEOPLE}
            }
            return bool(personal & found)
        owner = Term(alias, "id" if table == PEOPLE else OWNER)
        has_owner = owner.column in self.schema.columns.get(table, ())
        found = {each for each in found if self._may_limit(each, alias)}
        if has_owner and any(self._names_person(term, found) for term in self.equal.of(owner)):
            return True
        links = {*self.schema.references, Reference(table, "id", table)}
        return any(self._follows(alias, table, link, found) for link in links)

    def _may_limit(self, scan: str, other: str) -> bool:
        """What an outer join need not find, or a subquery looks up, limits nothing around it."""
        return all(other in group for group in self.optional if scan in group)

    def _names_person(self, term: Term, found: set[str]) -> bool:
        if _PARAMETER.fullmatch(term.column) is not None:
            return True
        is_person = term.column == OWNER or self.tables.get(term.scan) == {PEOPLE}
        return is_person and term.scan in found

    def _follows(self, alias: str, table: str, link: Reference, found: set[str]) -> bool:
        """Whether a link leads from this scan to limited rows, or from them to this scan."""
        personal = self.schema.personal | {PEOPLE}
        if link.table not in personal or link.target not in personal:
            return False
        for mine, column, theirs in (
            (link.table, link.column, link.target),
            (link.target, link.target_column, link.table),
        ):
            partners = self.equal.around(Term(alias, column)) if mine == table else set()
            other = link.target_column if theirs == link.target else link.column
            if any(self._is_column(t, theirs, other) and t.scan in found for t in partners):
                return True
        return False

    def _is_column(self, term: Term, table: str, column: str) -> bool:
        """Of a real scan the named column; of a subquery over the table any, for a plan does not
        say which is which."""
        if table not in self.tables.get(term.scan, ()):
            return False
        return term.scan not in self.scans or term.column == column


def read(plan: Node, schema: Schema) -> Reading:
    reading = Reading(schema)
    ctes = {
        node["Subplan Name"].removeprefix("CTE "): node
        for node in nodes(plan)
        if node.get("Subplan Name", "").startswith("CTE ")
    }
    _read(plan, "0", reading, ctes)
    return reading


def _read(node: Node, block: str, reading: Reading, ctes: dict[str, Node]) -> None:
    schema = reading.schema
    alias = node.get("Alias")
    if node["Node Type"] == "ModifyTable" and node["Operation"] == "Insert":
        _note_insert(node, block, reading)
    elif "Relation Name" in node and node["Node Type"] != "ModifyTable":
        table = schema.named(node["Relation Name"])
        reading.tables[node["Alias"]] = {table}
        reading.scans[node["Alias"]] = table
    elif alias is not None and node["Node Type"] in {"CTE Scan", "Subquery Scan"}:
        below = [ctes[node["CTE Name"]]] if "CTE Name" in node else node.get("Plans", [])
        within = [each for plan in below for each in nodes(plan) if "Relation Name" in each]
        reading.tables[alias] = {schema.named(each["Relation Name"]) for each in within}
        reading.inside[alias] = {each["Alias"] for each in within}
    reading.optional += _optional(node)
    # The index scans below a bitmap may be one side of an OR; the heap's recheck has it all.
    for name in CONDITIONS if node["Node Type"] != "Bitmap Index Scan" else ():
        for condition in _conjuncts(node.get(name, "")):
            _note(condition, block, reading)
    for number, below in enumerate(node.get("Plans", ())):
        _read(below, _block_of(below, block, number), reading, ctes)


def _optional(node: Node) -> Iterator[set[str]]:
    """Groups of scans whose rows need not be there for the rows around them to count."""
    sides = {"Left": {"Inner"}, "Anti": {"Inner"}, "Right": {"Outer"}, "Right Anti": {"Outer"}}
    optional = {"InitPlan", "SubPlan"} | sides.get(node.get("Join Type", ""), set())
    if node.get("Join Type") == "Full":
        optional |= {"Inner", "Outer"}
    for below in node.get("Plans", ()):
        if below.get("Parent Relationship") in optional:
            yield {each["Alias"] for each in nodes(below) if "Alias" in each}


def _block_of(node: Node, parent: str, number: int) -> str:
    """A subquery is run for the rows of the query around it, a CTE whatever becomes of that."""
    if node.get("Subplan Name", "").startswith("CTE "):
        return str(node["Subplan Name"])
    is_own = node.get("Parent Relationship") in {"InitPlan", "SubPlan"}
    return f"{parent}.{number}" if is_own else parent


def _note_insert(node: Node, block: str, reading: Reading) -> None:
    """New rows are as limited as the values of their columns are."""
    [source] = [each for each in node["Plans"] if each.get("Parent Relationship") == "Outer"]
    table = reading.schema.named(node["Relation Name"])
    scan = f"new {node['Alias']}"
    reading.scans[scan] = table
    reading.tables[scan] = {table}
    for column, value in zip(reading.schema.columns[table], source["Output"], strict=False):
        for term in _terms(value, block):
            reading.equal.add(Term(scan, column), term)


def _note(condition: str, block: str, reading: Reading) -> None:
    """What one condition, which always holds, says of owners and equalities."""
    alternatives = [_owned_alone(_bare(part)) for part in _split(condition, " OR ")]
    if None not in alternatives and len(set(alternatives)) == 1:
        reading.alone.update(alias for alias in alternatives if alias)
    equal = _SAME.fullmatch(condition) or _EQUAL.fullmatch(condition)
    if equal is not None and len(alternatives) == 1:
        for left in _terms(equal["left"], block):
            for right in _terms(equal["right"], block):
                reading.equal.add(left, right)


def _owned_alone(condition: str) -> str | None:
    """The scan whose rows are nobody's, or one parameter's, under this condition."""
    if (null := _NULL.fullmatch(condition)) is not None:
        terms = _terms(null["column"], "")
    elif (equal := _EQUAL.fullmatch(condition)) and _PARAMETER.fullmatch(equal["right"]):
        terms = _terms(equal["left"], "")
    else:
        return None
    return next((term.scan for term in terms if term.column == OWNER), None)


def _terms(side: str, block: str) -> list[Term]:
    """The column or parameter that one side of an equality is; none where it is something else."""
    side = _bare(side)
    if (among := _ANY.fullmatch(side)) is not None:
        side = _bare(among["array"])
    if _PARAMETER.fullmatch(side):
        return [Term(block, side)]
    if _COLUMN.fullmatch(side):
        alias, _, column = side.rpartition(".")
        return [Term(alias, column.strip('"'))]
    return []


def _bare(text: str) -> str:
    while (cast := _CAST.fullmatch(text)) is not None or _is_wrapped(text):
        text = cast["value"] if cast is not None else text[1:-1]
    return text


def _is_wrapped(text: str) -> bool:
    return text.startswith("(") and _closes(text) == len(text) - 1


def _closes(text: str) -> int:
    """Index of the bracket that closes the one at the beginning."""
    depth = 0
    for index, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return index
    return -1


def _conjuncts(condition: str) -> Iterable[str]:
    """The parts of a condition that all have to hold."""
    text = _bare(condition)
    parts = list(_split(text, " AND "))
    if len(parts) > 1:
        for part in parts:
            yield from _conjuncts(part)
    elif text:
        yield text


def _split(text: str, word: str) -> Iterator[str]:
    """At every occurrence of a word that is inside no brackets."""
    depth = start = index = 0
    while index < len(text):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0 and text.startswith(word, index):
            yield text[start:index]
            start = index = index + len(word)
        else:
            index += 1
    yield text[start:]
