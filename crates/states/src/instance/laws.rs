//! What a state promises has to be found in each state that it represents: for every kind of promise a state that breaks it and nothing else.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::collections::BTreeSet;

use belay_base::Budget;
use belay_ir::{BlockId, FuncId, GlobalId, IntegerModel};
use belay_linear::knowledge::Product;
use belay_linear::{Constraint, LinExpr, Var};

use super::super::array::ArrayRange;
use super::super::element::{OwnBlock, Places};
use super::super::knowledge::{Certified, constant};
use super::super::segment::{Content, Field, ListNode, ListSegment, OwnList, at};
use super::super::state::{AllocId, AllocKind, Allocation, Cell, Frame, Life, State, Value};
use super::super::tail::Tail;
use super::instance;

/// A heap block, an object that is none, lists, and blocks that only special states list.
const BLOCK: AllocId = AllocId::Made(0);
const OBJECT: AllocId = AllocId::Made(1);
const LIST: AllocId = AllocId::Made(2);
const OTHER: AllocId = AllocId::Made(3);
const END: AllocId = AllocId::Made(4);
const EXTRA: AllocId = AllocId::Made(5);
const MORE: AllocId = AllocId::Made(6);

fn var(index: u32) -> LinExpr {
    LinExpr::var(Var(index))
}

fn number(number: i128) -> Value {
    Value::Int(constant(number))
}

fn place(id: AllocId) -> Value {
    Value::Pointer(id, constant(0))
}

fn cell(alloc: AllocId, offset: u64, width: u64, value: Value) -> Cell {
    Cell { alloc, offset: at(offset), width, value }
}

fn node() -> ListNode {
    ListNode { size: 16, link: Some(8), branches: Vec::new(), entry: 0, width: 8 }
}

fn fields(low: i128) -> Vec<Field> {
    vec![Field { offset: 0, width: 4, content: Content::Between(number(low), number(9)) }]
}

fn list(length: LinExpr, target: Value) -> ListSegment {
    ListSegment { node: node(), length, target, fields: fields(1), tail: None }
}

/// A block of a list.
fn add_node(state: &mut State, id: AllocId, next: Value) {
    state.allocations.insert(id, Allocation::block(constant(16), false));
    state.cells.extend([cell(id, 0, 4, number(5)), cell(id, 8, 8, next)]);
}

/// A block of 16 bytes that holds n and leads to an object of 8, and a list of m blocks.
fn state() -> State {
    let mut state = State { next_alloc: 10, next_var: 4, ..State::default() };
    state.frames = vec![Frame {
        function: FuncId(0),
        block: BlockId(1),
        index: 0,
        params: vec![Value::Function(BTreeSet::from([FuncId(1)]))],
        values: [(belay_ir::InstId(0), Value::Int(var(0)))].into(),
    }];
    state.allocations.insert(BLOCK, Allocation::block(constant(16), false));
    let kind = AllocKind::Argument;
    state.allocations.insert(OBJECT, Allocation { kind, align: 8, ..Allocation::block(constant(8), false) });
    state.segments.insert(LIST, list(var(1), Value::Null));
    state.cells = vec![cell(BLOCK, 0, 4, Value::Int(var(0))), cell(BLOCK, 8, 8, place(OBJECT))];
    state.given = vec![place(BLOCK), place(OBJECT), place(LIST), Value::Int(var(0)), Value::Int(var(2))];
    let bounds = [var(0).minus(&constant(1)), constant(8).minus(&var(0)), var(1)];
    state.knowledge.constraints = bounds.map(Constraint::ge).to_vec();
    state.knowledge.apart = vec![var(0).minus(&constant(3))];
    state.knowledge.products = vec![Product { left: var(0), right: var(0), value: var(2) }];
    state
}

fn represents(general: &State, special: &State) -> bool {
    let budget = Budget::steps(1_000_000);
    instance(general, special, IntegerModel::Machine, &mut Certified::new(&budget)).unwrap().is_some()
}

/// Some change of a state.
type Change = fn(&mut State);

/// Looks that each change makes a state that is not represented any more, though it was before.
fn break_each(general: &State, changes: &[(&str, Change)]) {
    assert!(represents(general, general), "{general:#?}");
    for (name, change) in changes {
        let mut special = general.clone();
        change(&mut special);
        assert!(!represents(general, &special), "{name}: {special:#?}");
    }
}

fn block(state: &mut State) -> &mut Allocation {
    state.allocations.get_mut(&BLOCK).unwrap()
}

#[test]
fn what_is_said_of_objects_holds() {
    break_each(
        &state(),
        &[
            ("dead", |it| block(it).life = Life::Dead),
            ("perhaps dead", |it| block(it).life = Life::Maybe),
            ("no block", |it| block(it).kind = AllocKind::Argument),
            ("perhaps no block", |it| block(it).kind = AllocKind::Either),
            ("a block", |it| it.allocations.get_mut(&OBJECT).unwrap().kind = AllocKind::Heap),
            ("smaller", |it| block(it).size = constant(15)),
            ("larger", |it| block(it).size = constant(17)),
            ("of any size", |it| block(it).size = var(3)),
            ("less aligned", |it| block(it).align = 8),
            ("not listed", |it| drop(it.allocations.remove(&BLOCK))),
            ("one for two", |it| it.given[1] = place(BLOCK)),
            ("elsewhere in it", |it| it.given[0] = Value::Pointer(BLOCK, constant(4))),
            ("null", |it| it.given[0] = Value::Null),
            ("a number", |it| it.given[0] = Value::Address(BLOCK, constant(0))),
            ("not known", |it| it.given[0] = Value::Top),
        ],
    );
    let mut zeroed = state();
    zeroed.cells.clear();
    block(&mut zeroed).zeroed = true;
    break_each(
        &zeroed,
        &[
            ("not zeroed", |it| block(it).zeroed = false),
            ("written", |it| it.cells.push(cell(BLOCK, 4, 4, number(1)))),
            ("a pointer", |it| it.cells.push(cell(BLOCK, 8, 8, place(OBJECT)))),
            ("anything", |it| it.cells.push(cell(BLOCK, 8, 8, Value::Top))),
            ("elements", |it| it.ranges.push(range(Content::Between(number(0), number(9))))),
        ],
    );
}

#[test]
fn what_is_said_of_memory_and_numbers_holds() {
    break_each(
        &state(),
        &[
            ("another number", |it| it.cells[0].value = Value::Int(var(0).plus(&constant(1)))),
            ("a pointer elsewhere", |it| it.cells[1].value = place(BLOCK)),
            ("null", |it| it.cells[1].value = Value::Null),
            ("no such cell", |it| drop(it.cells.pop())),
            ("in another place", |it| it.cells[1].offset = constant(0)),
            ("of another width", |it| it.cells[1].width = 4),
            ("a bound less", |it| drop(it.knowledge.constraints.remove(0))),
            ("may be 3", |it| it.knowledge.apart.clear()),
            ("another product", |it| it.knowledge.products.clear()),
            ("another value", |it| {
                it.frames[0].values.insert(belay_ir::InstId(0), number(2));
            }),
            ("no value", |it| it.frames[0].values.clear()),
            ("more functions", |it| {
                it.frames[0].params[0] = Value::Function(BTreeSet::from([FuncId(1), FuncId(2)]));
            }),
            ("another place of the program", |it| it.frames[0].index = 1),
            ("given less", |it| drop(it.given.pop())),
            ("another number of parameters", |it| it.frames[0].params.push(Value::Null)),
        ],
    );
}

#[test]
fn two_blocks_are_two() {
    let mut general = state();
    for id in [EXTRA, MORE] {
        general.allocations.insert(id, Allocation::block(constant(4), false));
        general.given.push(place(id));
    }
    break_each(
        &general,
        &[("one for both", |it| {
            it.allocations.remove(&MORE);
            it.given[6] = place(EXTRA);
        })],
    );
}

#[test]
fn nothing_is_left_out() {
    let extra = |it: &mut State, life: Life, kind: AllocKind| {
        it.allocations.insert(EXTRA, Allocation { life, kind, ..Allocation::block(constant(4), false) });
    };
    break_each(
        &state(),
        &[
            ("a write of which nothing is known", |it| it.unknown_write = true),
            ("blocks that are not listed", |it| it.forgot_block = true),
            ("a global that was written", |it| {
                it.written.insert(GlobalId(0));
            }),
            ("a block more", |it| {
                it.allocations.insert(EXTRA, Allocation::block(constant(4), false));
            }),
            ("perhaps a block more", |it| {
                let life = Life::Maybe;
                it.allocations.insert(EXTRA, Allocation { life, ..Allocation::block(constant(4), false) });
            }),
            ("a list more", |it| drop(it.segments.insert(EXTRA, list(var(1), Value::Null)))),
            ("elements with blocks of their own", |it| it.ranges.push(range(Content::Block(own_block())))),
            ("elements with lists of their own", |it| {
                it.ranges.push(range(Content::Own(OwnList { node: node(), fields: fields(1) })));
            }),
        ],
    );
    for (life, kind) in [(Life::Dead, AllocKind::Heap), (Life::Live, AllocKind::Argument)] {
        let mut special = state();
        extra(&mut special, life, kind);
        assert!(represents(&state(), &special), "{life:?} {kind:?}");
    }
}

#[test]
fn lists_are_chains_of_their_own() {
    break_each(
        &state(),
        &[
            ("that lead elsewhere", |it| it.segments.get_mut(&LIST).unwrap().target = place(OBJECT)),
            ("with other numbers", |it| it.segments.get_mut(&LIST).unwrap().fields = fields(0)),
            ("of less than no block", |it| it.segments.get_mut(&LIST).unwrap().length = constant(-1)),
            ("of larger blocks", |it| it.segments.get_mut(&LIST).unwrap().node.size = 24),
            ("with another link", |it| it.segments.get_mut(&LIST).unwrap().node.link = Some(0)),
            ("whose block has a name", |it| {
                it.segments.clear();
                it.cells[0].value = number(5);
                it.cells[1].value = Value::Null;
                it.given[2] = place(BLOCK);
            }),
            ("with lists of their own that are not told", |it| {
                let own = Content::Own(OwnList { node: node(), fields: fields(1) });
                it.segments.get_mut(&LIST).unwrap().fields.push(Field { offset: 4, width: 4, content: own });
            }),
            ("that begin amid a block", |it| {
                it.segments.clear();
                add_node(it, EXTRA, Value::Null);
                it.given[2] = Value::Pointer(EXTRA, constant(8));
            }),
            ("of dead blocks", |it| {
                it.segments.clear();
                add_node(it, EXTRA, Value::Null);
                it.allocations.get_mut(&EXTRA).unwrap().life = Life::Maybe;
                it.given[2] = place(EXTRA);
            }),
            ("that come back", |it| {
                it.segments.clear();
                add_node(it, EXTRA, place(EXTRA));
                it.given[2] = place(EXTRA);
            }),
            ("without their numbers", |it| {
                it.segments.clear();
                add_node(it, EXTRA, Value::Null);
                it.cells.remove(2);
                it.given[2] = place(EXTRA);
            }),
        ],
    );
    let mut chain = state();
    chain.segments.clear();
    add_node(&mut chain, EXTRA, place(MORE));
    add_node(&mut chain, MORE, Value::Null);
    chain.given[2] = place(EXTRA);
    assert!(represents(&state(), &chain));
}

/// A block with a name, of which nothing else is said, is in no list, no tree, and no element.
#[test]
fn a_block_of_a_shape_has_no_other_name() {
    let forms = [node(), ListNode { branches: vec![0], ..node() }];
    for form in forms {
        let mut general = state();
        general.segments.insert(LIST, ListSegment { node: form, fields: Vec::new(), ..list(var(1), Value::Null) });
        general.allocations.insert(EXTRA, Allocation::block(constant(16), false));
        general.given.push(place(EXTRA));
        let with = |root: AllocId| {
            let mut special = general.clone();
            special.segments.clear();
            special.allocations.insert(root, Allocation::block(constant(16), false));
            special.cells.extend([cell(root, 0, 8, Value::Null), cell(root, 8, 8, Value::Null)]);
            special.given[2] = place(root);
            special
        };
        assert!(represents(&general, &with(MORE)), "{general:#?}");
        assert!(!represents(&general, &with(EXTRA)), "{general:#?}");
    }
    let general = with_elements(Content::Block(own_block()));
    let mut special = with_words([place(EXTRA), place(EXTRA)]);
    special.allocations.remove(&MORE);
    special.cells.retain(|cell| cell.alloc != MORE);
    assert!(!represents(&general, &special));
}

#[test]
fn two_lists_share_no_block() {
    let mut general = state();
    general.segments.insert(OTHER, list(var(3), Value::Null));
    general.knowledge.constraints.push(Constraint::ge(var(3)));
    general.given.push(place(OTHER));
    break_each(
        &general,
        &[
            ("the same list twice", |it| it.given[5] = place(LIST)),
            ("a common end", |it| {
                it.segments.clear();
                add_node(it, OTHER, place(MORE));
                add_node(it, EXTRA, place(MORE));
                add_node(it, MORE, Value::Null);
                it.given[2] = place(EXTRA);
            }),
        ],
    );
}

#[test]
fn lists_lead_back() {
    let mut general = state();
    let wide = ListNode { size: 24, ..node() };
    let tail = Some(Tail { id: END, before: place(OBJECT), link: Some(16) });
    general.segments.insert(LIST, ListSegment { node: wide, tail, ..list(var(1), Value::Null) });
    general.given.push(place(END));
    let two = |before: Value, back: Value, last: AllocId| {
        let mut special = general.clone();
        special.segments.clear();
        for (id, next, prev) in [(EXTRA, place(MORE), before), (MORE, Value::Null, back)] {
            add_node(&mut special, id, next);
            special.allocations.get_mut(&id).unwrap().size = constant(24);
            special.cells.push(cell(id, 16, 8, prev));
        }
        (special.given[2], special.given[5]) = (place(EXTRA), place(last));
        special
    };
    assert!(represents(&general, &two(place(OBJECT), place(EXTRA), MORE)));
    for special in [
        two(place(BLOCK), place(EXTRA), MORE),
        two(Value::Null, place(EXTRA), MORE),
        two(place(OBJECT), place(OBJECT), MORE),
        two(place(OBJECT), place(MORE), MORE),
        two(place(OBJECT), place(EXTRA), EXTRA),
    ] {
        assert!(!represents(&general, &special), "{special:#?}");
    }
}

/// A list whose first block leads back to its last one, parted where a walk stands: each part stands before the other.
#[test]
fn parts_stand_before_each_other() {
    const LAST: AllocId = AllocId::Made(7);
    let wide = || ListNode { size: 24, ..node() };
    let mut general = state();
    general.next_var = 5;
    let tail = |id, before| Some(Tail { id, before: place(before), link: Some(16) });
    let before = ListSegment { node: wide(), tail: tail(END, LAST), ..list(var(1), place(OTHER)) };
    let behind = ListSegment { node: wide(), tail: tail(LAST, END), ..list(var(4), Value::Null) };
    general.segments = [(LIST, before), (OTHER, behind)].into();
    general.given.push(place(OTHER));
    let of = |blocks: &[(AllocId, Value, Value)], walk: AllocId| {
        let mut special = general.clone();
        special.segments.clear();
        for (id, next, prev) in blocks {
            add_node(&mut special, *id, next.clone());
            special.allocations.get_mut(id).unwrap().size = constant(24);
            special.cells.push(cell(*id, 16, 8, prev.clone()));
        }
        (special.given[2], special.given[5]) = (place(EXTRA), place(walk));
        special
    };
    let one = |prev| of(&[(EXTRA, Value::Null, prev)], EXTRA);
    let two = |first, second, walk| of(&[(EXTRA, place(MORE), first), (MORE, Value::Null, second)], walk);
    for special in [one(place(EXTRA)), two(place(MORE), place(EXTRA), EXTRA), two(place(MORE), place(EXTRA), MORE)] {
        assert!(represents(&general, &special), "{special:#?}");
    }
    for special in [
        one(place(OBJECT)),
        one(Value::Null),
        two(place(EXTRA), place(EXTRA), MORE),
        two(place(EXTRA), place(EXTRA), EXTRA),
        two(place(MORE), place(MORE), MORE),
        two(place(OBJECT), place(EXTRA), EXTRA),
    ] {
        assert!(!represents(&general, &special), "{special:#?}");
    }
}

/// The words of the first block.
fn range(content: Content) -> ArrayRange {
    ArrayRange { alloc: BLOCK, from: constant(0), to: constant(16), step: 8, width: 8, content }
}

/// Blocks of 4 to 8 bytes that hold a 0.
fn own_block() -> OwnBlock {
    let (least, most) = (number(4), Some(number(8)));
    OwnBlock { least, most, null: false, terminated: true, given: false, fields: Vec::new() }
}

/// A state whose block holds such elements, instead of what it held.
fn with_elements(content: Content) -> State {
    let mut general = state();
    general.cells.clear();
    general.ranges = vec![range(content)];
    general
}

/// The same with two words, and two blocks of 6 bytes that end in 0.
fn with_words(words: [Value; 2]) -> State {
    let mut special = with_elements(Content::Block(own_block()));
    special.ranges.clear();
    for (index, (id, word)) in [EXTRA, MORE].into_iter().zip(words).enumerate() {
        special.allocations.insert(id, Allocation::block(constant(6), false));
        special.cells.extend([cell(id, 5, 1, number(0)), cell(BLOCK, 8 * index as u64, 8, word)]);
    }
    special
}

#[test]
fn each_element_has_a_block_of_its_own() {
    let general = with_elements(Content::Block(own_block()));
    let words = || with_words([place(EXTRA), place(MORE)]);
    assert!(represents(&general, &words()));
    for shared in [[place(EXTRA), place(EXTRA)], [place(EXTRA), Value::Null], [place(EXTRA), place(OBJECT)]] {
        assert!(!represents(&general, &with_words(shared.clone())), "{shared:?}");
    }
    let changes: [(&str, Change); 8] = [
        ("that has a name", |it| it.given[1] = place(EXTRA)),
        ("that is smaller", |it| it.allocations.get_mut(&MORE).unwrap().size = constant(3)),
        ("that is larger", |it| it.allocations.get_mut(&MORE).unwrap().size = constant(9)),
        ("that does not end", |it| it.cells.retain(|cell| cell.alloc != MORE)),
        ("that ends behind its end", |it| it.cells.iter_mut().for_each(|cell| cell.offset = constant(6))),
        ("that is perhaps dead", |it| it.allocations.get_mut(&MORE).unwrap().life = Life::Maybe),
        ("that is no block", |it| it.allocations.get_mut(&MORE).unwrap().kind = AllocKind::Argument),
        ("amid which they lead", |it| it.cells[1].value = Value::Pointer(EXTRA, constant(1))),
    ];
    for (name, change) in changes {
        let mut special = words();
        change(&mut special);
        assert!(!represents(&general, &special), "{name}: {special:#?}");
    }
    break_each(
        &general,
        &[
            ("that may be null", |it| it.ranges[0].content = Content::Block(OwnBlock { null: true, ..own_block() })),
            ("that need not end", |it| {
                it.ranges[0].content = Content::Block(OwnBlock { terminated: false, ..own_block() })
            }),
            ("of other numbers", |it| {
                it.ranges[0].content = Content::Block(OwnBlock { least: number(3), ..own_block() });
            }),
            ("of any number", |it| it.ranges[0].content = Content::Block(OwnBlock { most: None, ..own_block() })),
            ("that were given", |it| it.ranges[0].content = Content::Block(OwnBlock { given: true, ..own_block() })),
        ],
    );
}

#[test]
fn elements_lead_to_their_places() {
    let places = |first: i128, last: i128, stride: u64| {
        let place = |offset| Value::Pointer(OBJECT, constant(offset));
        Content::Among(Places { first: place(first), last: place(last), stride })
    };
    let general = with_elements(places(0, 8, 4));
    assert!(represents(&general, &with_elements(places(4, 8, 4))));
    for other in [places(0, 12, 4), places(-4, 8, 4), places(0, 8, 2), places(2, 6, 4), Content::Same(Value::Null)] {
        assert!(!represents(&general, &with_elements(other.clone())), "{other:?}");
    }
}
