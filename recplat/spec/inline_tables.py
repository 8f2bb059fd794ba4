"""Writes out the tables that features imply: a feature that names no table gets its own, and `dim` moves there.

Works on nodes, so that whatever is wrong with a table later points at the feature that made it.
"""

from collections.abc import Iterator

from recplat.document import Entry, Mapping, Node, Scalar, Sequence, item_name, to_plain
from recplat.spec.make_nodes import entry_of, scalar_at, with_entries


def move_inline_tables(spec: Mapping, fixed_dim: int | None) -> Mapping:
    """`spec` with a table for each one that a feature looks up, and no `dim` on features.

    A feature that asks for another dim than its table has keeps its `dim`: a rule reports it.

    Args:
        fixed_dim: what a table gets that nobody gives a dim.
    """
    features, tables = spec.get("features"), spec.get("tables")
    if not isinstance(features, Sequence) or not isinstance(tables, Sequence | None):
        return spec
    mover = _Mover(tables.items if tables else [], fixed_dim)
    new_features: list[Node] = [mover.feature(item) for item in features.items]
    entries = dict(spec.entries)
    entries["features"] = entries["features"].with_node(Sequence(new_features, features.location))
    tables_entry = entries.get("tables") or entry_of("tables", features)
    entries["tables"] = tables_entry.with_node(Sequence(mover.finish(), (tables or features).location))
    return with_entries(spec, entries)


class _Mover:
    def __init__(self, tables: list[Node], fixed_dim: int | None) -> None:
        self.tables: list[Node] = list(tables)
        self.index = {name: i for i, table in reversed(list(enumerate(tables))) if (name := item_name(table))}
        self.fixed_dim = fixed_dim

    def feature(self, node: Node) -> Node:
        if not isinstance(node, Mapping):
            return node
        table, dim = node.entries.get("table"), node.entries.get("dim")
        if table is None or not isinstance(table.node, Scalar) or not isinstance(table.node.value, str):
            return node
        if not self._takes(table.node.value, node, table, dim):
            return node
        return with_entries(node, {key: entry for key, entry in node.entries.items() if key != "dim"})

    def _takes(self, name: str, feature: Mapping, table: Entry, dim: Entry | None) -> bool:
        """Make the table, or give it the dim; False if it has another one."""
        if name not in self.index:
            self.index[name] = len(self.tables)
            entries = {"name": entry_of("name", table.node)} | ({"dim": dim} if dim else {})
            self.tables.append(Mapping(entries, feature.location))
            return True
        known = self.tables[self.index[name]]
        if dim is None or not isinstance(known, Mapping):
            return True
        if "dim" not in known.entries:
            self.tables[self.index[name]] = with_entries(known, {**known.entries, "dim": dim})
            return True
        return to_plain(known.entries["dim"].node) == to_plain(dim.node)

    def finish(self) -> list[Node]:
        """All tables; those that still have no dim get the model's, where it prescribes one."""
        return list(self._with_fixed_dim()) if self.fixed_dim is not None else self.tables

    def _with_fixed_dim(self) -> Iterator[Node]:
        for table in self.tables:
            if isinstance(table, Mapping) and "dim" not in table.entries:
                dim = entry_of("dim", scalar_at(self.fixed_dim, table), at=table)
                yield with_entries(table, {**table.entries, "dim": dim})
            else:
                yield table
