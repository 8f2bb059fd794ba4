from recplat.diagnostics import Location
from recplat.document import Entry, Mapping, Node, Sequence, parse


def entry(node: Node | None, key: str) -> Entry:
    assert isinstance(node, Mapping)
    return node.entries[key]


def place(location: Location) -> tuple[int, int, int, int]:
    return location.line, location.column, location.end_line, location.end_column


def test_key_and_value_have_their_own_places():
    at = entry(parse("# note\ntrain: \n  epochs:   12  # more\n", "f.yaml"), "train")
    epochs = entry(at.node, "epochs")
    assert place(at.location) == (2, 1, 2, 6)
    assert place(epochs.location) == (3, 3, 3, 9)
    assert place(epochs.node.location) == (3, 13, 3, 15)
    assert epochs.node.location.file == "f.yaml"


def test_quotes_belong_to_the_place():
    assert place(entry(parse("a: 'b c' ", "f"), "a").node.location) == (1, 4, 1, 9)


def test_columns_are_characters():
    at = entry(parse("名前: 値段\nx: {😀: 1, b: 2}", "f"), "名前")
    assert place(at.location) == (1, 1, 1, 3)
    assert place(at.node.location) == (1, 5, 1, 7)
    inner = entry(entry(parse("x: {😀: 1, b: 2}", "f"), "x").node, "b")
    assert place(inner.location) == (1, 11, 1, 12)


def test_byte_order_mark_and_crlf_do_not_shift_places():
    root = parse("\ufeffa: 1\r\nb: 22\r\n".encode(), "f")
    assert place(entry(root, "a").node.location) == (1, 4, 1, 5)
    assert place(entry(root, "b").node.location) == (2, 4, 2, 6)


def test_block_ends_with_its_last_child():
    root = parse("a:\n  b: 1\n  c: [2,\n    3]\n\n\n# note\nd: 4\n", "f")
    assert place(entry(root, "a").node.location) == (2, 3, 4, 7)
    assert place(root.location) == (1, 1, 8, 5)


def test_place_to_point_at_is_the_key_for_what_stands_on_lines_of_its_own():
    root = parse("a: {b: 1}\nc:\n  d: 1\n  e: 2\nf:\n  - 1\n", "f")
    assert place(entry(root, "a").place) == (1, 4, 1, 10)
    assert place(entry(root, "c").place) == (2, 1, 2, 2)
    assert place(entry(root, "f").place) == (5, 1, 5, 2)
    assert place(entry(entry(root, "c").node, "e").place) == (4, 6, 4, 7)


def test_alias_is_the_anchored_node_with_its_place():
    root = parse("a: &x {k: 1}\nb:\n  c: *x\n", "f")
    assert entry(entry(root, "b").node, "c").node is entry(root, "a").node
    assert place(entry(root, "b").node.location) == (3, 3, 3, 8)


def test_empty_value_has_a_place():
    assert place(entry(parse("a:\nb: 1", "f"), "a").node.location)[0] == 1


def test_empty_block_item():
    root = parse("- \n- a\n", "f")
    assert isinstance(root, Sequence)
    assert [item.location.line for item in root.items] == [1, 2]
