//! The laws of heap shapes, for examples of every kind.
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use belay_base::{Budget, Exhausted};
use belay_ir::{DataLayout, DataModel, IntegerModel, Program};
use belay_linear::{Constraint, LinExpr};

use super::super::element::OwnBlock;
use super::super::instance::{Matcher, Pairing, Sought, instance};
use super::super::knowledge::{Certified, Entailment, constant};
use super::super::segment::{Content, Field, ListNode, ListSegment, OwnList};
use super::super::show::Names;
use super::super::state::{AllocId, Allocation, Cell, State, Value};
use super::super::tail::Tail;
use super::{HeapShape, KINDS, kind_of};

/// How often a shape is unfolded.
const DEPTH: usize = 3;

fn id(number: u32) -> AllocId {
    AllocId::Made(number)
}

fn number(number: i128) -> Value {
    Value::Int(constant(number))
}

fn place(number: u32) -> Value {
    Value::Pointer(id(number), constant(0))
}

fn form(branches: &[u64]) -> ListNode {
    ListNode { size: 32, link: Some(8), branches: branches.to_vec(), entry: 0, width: 8 }
}

/// A state with one shape, named 0, and an object 5. All names are held.
fn example(branches: &[u64], target: Value, tail: Option<(Value, Option<u64>)>) -> State {
    let mut state = State { next_alloc: 10, ..State::default() };
    state.allocations.insert(id(5), Allocation::block(constant(64), false));
    let length = state.fresh();
    state.knowledge.constraints.push(Constraint::ge(length.clone()));
    state.names = vec!["length".to_owned()];
    let fields = vec![Field { offset: 0, width: 4, content: Content::Between(number(1), number(9)) }];
    state.given = vec![place(0), place(5)];
    // The end of a tree that has no hole is no particular block.
    if tail.is_some() && (branches.is_empty() || target != Value::Null) {
        state.given.push(place(1));
    }
    let tail = tail.map(|(before, link)| Tail { id: id(1), before, link });
    state.segments.insert(id(0), ListSegment { node: form(branches), length, target, fields, tail });
    state
}

fn examples() -> Vec<State> {
    vec![
        example(&[], Value::Null, None),
        example(&[], place(5), None),
        example(&[], Value::Null, Some((Value::Null, None))),
        example(&[], place(5), Some((Value::Null, Some(16)))),
        example(&[16], Value::Null, None),
        example(&[16], place(5), None),
        example(&[16, 24], place(5), None),
        example(&[16], Value::Null, Some((place(5), Some(24)))),
        example(&[16], place(5), Some((Value::Null, Some(24)))),
    ]
}

fn represents(general: &State, special: &State) -> bool {
    let budget = Budget::steps(1_000_000);
    instance(general, special, IntegerModel::Machine, &mut Certified::new(&budget)).unwrap().is_some()
}

/// The states in which the block that a name is of is an object.
fn exposed(state: &State, name: AllocId) -> Vec<State> {
    let budget = Budget::steps(1_000_000);
    state.clone().exposed(name, &mut Certified::new(&budget)).unwrap()
}

fn names(state: &State) -> Vec<AllocId> {
    let held = |name: &AllocId| state.given.iter().any(|value| matches!(value, Value::Pointer(id, _) if id == name));
    let tails = state.segments.values().filter_map(|segment| segment.tail.as_ref()).map(|tail| tail.id);
    let tails: Vec<AllocId> = tails.filter(held).collect();
    state.segments.keys().copied().chain(tails).collect()
}

#[test]
fn every_kind_has_an_example() {
    let has = |name: &str| examples().iter().any(|state| kind_of(&state.segments[&id(0)].node).name() == name);
    assert!(KINDS.iter().all(|kind| has(kind.name())));
}

#[test]
fn a_state_represents_itself() {
    for state in examples() {
        assert!(represents(&state, &state), "{state:#?}");
    }
}

#[test]
fn what_unfolding_gives_is_represented() {
    for general in examples() {
        let mut states = vec![general.clone()];
        for _ in 0..DEPTH {
            let next = |state: &State| {
                let parts = names(state).into_iter().flat_map(|name| exposed(state, name));
                parts.collect::<Vec<State>>()
            };
            states = states.iter().flat_map(next).collect();
            states.truncate(60);
            for special in &states {
                assert!(represents(&general, special), "{special:#?}\nis not represented by\n{general:#?}");
            }
        }
    }
}

#[test]
fn a_shape_is_empty_or_not() {
    for mut state in examples() {
        assert!(exposed(&state, id(0)).len() >= 2);
        let length = state.segments[&id(0)].length.clone();
        state.knowledge.constraints.push(Constraint::ge(length.minus(&constant(1))));
        let some = exposed(&state, id(0));
        assert!(!some.is_empty() && some.iter().all(|state| state.allocations.len() == 2), "{some:#?}");
    }
}

/// What all blocks hold, or the last leads to, may be the first or the last of them: it is the block that becomes an object.
#[test]
fn what_leads_to_an_end_leads_to_its_block() {
    let held = |name: u32, mut state: State| {
        let field = Field { offset: 24, width: 8, content: Content::Same(place(name)) };
        state.segments.values_mut().for_each(|segment| segment.fields.push(field.clone()));
        (name, 24, state)
    };
    let examples = [
        held(0, example(&[], Value::Null, None)),
        held(1, example(&[], place(5), Some((Value::Null, Some(16))))),
        held(0, example(&[16], place(5), None)),
        held(1, example(&[16], place(5), Some((Value::Null, None)))),
        (1, 8, example(&[], place(1), Some((Value::Null, None)))),
    ];
    for (name, offset, state) in examples {
        let at = state.given.iter().position(|value| *value == place(name)).unwrap();
        let mut blocks = 0;
        for part in exposed(&state, id(name)) {
            let Value::Pointer(block, _) = part.given[at] else { continue };
            if part.allocations.contains_key(&block) && block != id(5) {
                assert_eq!(part.word_at(block, offset, 8).as_ref(), Some(&part.given[at]), "{part:#?}");
                blocks += 1;
            }
        }
        assert!(blocks > 0, "{state:#?}");
    }
}

#[test]
fn a_shape_is_told() {
    let program = Program::new(DataLayout::new(DataModel::default()));
    for state in examples() {
        let kind = kind_of(&state.segments[&id(0)].node).name();
        let told = Names::new(&program, IntegerModel::Machine, &state).shapes();
        assert!(told.iter().any(|shape| shape.kind == kind && shape.size == 32), "{kind}: {told:?}");
    }
}

/// A shape with another length, target or link is another one.
#[test]
fn other_shapes_are_not_represented() {
    for general in examples() {
        let other = |change: &dyn Fn(&mut ListSegment)| {
            let mut special = general.clone();
            special.segments.values_mut().for_each(change);
            special
        };
        let target = other(&|segment| {
            segment.target = if segment.target == Value::Null { place(5) } else { Value::Null };
        });
        let link = other(&|segment| segment.node.link = Some(0));
        let field = other(&|segment| segment.fields[0].content = Content::Between(number(0), number(9)));
        let length = other(&|segment| segment.length = LinExpr::constant(-1));
        for special in [target, link, field, length] {
            assert!(!represents(&general, &special), "{special:#?}\nis represented by\n{general:#?}");
        }
    }
}

/// A list whose blocks own this.
fn owners(of: Content) -> State {
    let mut state = State { next_alloc: 10, given: vec![place(0)], ..State::default() };
    let node = ListNode { size: 16, ..form(&[]) };
    let fields = vec![Field { offset: 0, width: 8, content: of }];
    let list = ListSegment { node, length: constant(1), target: Value::Null, fields, tail: None };
    state.segments.insert(id(0), list);
    state
}

/// What one block may own is what a tree may be: a list, or one block, of which the other links are null.
#[test]
fn what_is_owned_may_be_part_of_a_tree() {
    let null = |offset| Field { offset, width: 8, content: Content::Same(Value::Null) };
    let own = |node: ListNode, fields: Vec<Field>| owners(Content::Own(OwnList { node, fields }));
    let size = || number(32);
    let block = |fields| {
        let block =
            OwnBlock { least: size(), most: Some(size()), null: false, terminated: false, given: false, fields };
        owners(Content::Block(block))
    };
    let general = own(form(&[16]), Vec::new());
    let single = ListNode { link: None, ..form(&[]) };
    assert!(represents(&general, &general));
    assert!(represents(&general, &own(form(&[]), vec![null(16)])));
    assert!(represents(&general, &own(single.clone(), vec![null(8), null(16)])));
    assert!(represents(&general, &block(vec![null(8), null(16)])));
    // A link of which nothing is said may lead anywhere.
    assert!(!represents(&general, &own(form(&[]), Vec::new())));
    assert!(!represents(&general, &own(single, vec![null(8)])));
    assert!(!represents(&general, &block(vec![null(16)])));
    assert!(!represents(&own(form(&[]), Vec::new()), &general));
}

/// A block 6 above a list of blocks that each have one link, in a state where all lead up: `second` is what its other link holds.
fn above_list(second: Value) -> State {
    let mut state = example(&[], Value::Null, Some((place(6), Some(24))));
    state.allocations.insert(id(6), Allocation::block(constant(32), false));
    let segment = state.segments.get_mut(&id(0)).unwrap();
    segment.fields.push(Field { offset: 16, width: 8, content: Content::Same(Value::Null) });
    for (offset, width, value) in [(0, 4, number(3)), (8, 8, place(0)), (16, 8, second), (24, 8, Value::Null)] {
        state.cells.push(Cell { alloc: id(6), offset: constant(offset), width, value });
    }
    state.given = vec![place(6), place(5)];
    state
}

/// The same with the list read from its end.
fn turned(mut state: State) -> State {
    state.turn(id(0));
    assert!(state.segments.contains_key(&id(1)));
    state
}

#[test]
fn a_list_is_part_of_a_tree_from_either_end() {
    let general = example(&[16], Value::Null, Some((Value::Null, Some(24))));
    let special = above_list(Value::Null);
    assert!(represents(&general, &special));
    assert!(represents(&general, &turned(special)));
}

/// Both ends of a list are ways to the same blocks: such blocks are shared, and make no tree, whether they lead up or not.
#[test]
fn a_list_between_two_links_is_no_tree() {
    for (up, form_of_list) in [(Some(24), &[16][..]), (None, &[16, 24])] {
        let general = example(form_of_list, Value::Null, up.map(|up| (Value::Null, Some(up))));
        let special = above_list(place(1));
        assert!(!represents(&general, &special));
        assert!(!represents(&general, &turned(special)));
    }
}

/// An example of a kind, all of it but its line in [`KINDS`]: a block alone, or none. (Lists without a link do the same, so that it is not needed.)
struct OptionalBlock;

impl HeapShape for OptionalBlock {
    fn name(&self) -> &'static str {
        "optional block"
    }

    fn has_form(&self, node: &ListNode) -> bool {
        node.link.is_none() && !node.is_tree()
    }

    /// *Sound* because a shape of this form has at most one block: where it has one, its length is 1, and nothing of the shape is left.
    fn unfold(
        &self,
        state: &State,
        own: AllocId,
        _: AllocId,
        oracle: &mut dyn Entailment,
    ) -> Result<Vec<State>, Exhausted> {
        let Some(shape) = state.segments.get(&own).cloned() else { return Ok(Vec::new()) };
        let missing = shape.length.minus(&constant(1));
        let Some(mut full) = state.clone().with_zero(missing, oracle)? else { return Ok(Vec::new()) };
        full.segments.remove(&own);
        let block = full.allocate(Allocation::block(constant(shape.node.size.into()), false));
        full.for_each_value_mut(|value| match value {
            Value::Pointer(id, _) if *id == own => *id = block,
            _ => {}
        });
        full.set_fields(block, shape.fields);
        Ok(vec![full])
    }

    fn find(
        &self,
        matcher: &mut Matcher<'_>,
        sought: &Sought<'_>,
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted> {
        matcher.chain(sought, tries, oracle)
    }
}

#[test]
fn an_example_of_a_kind_keeps_the_laws() {
    let mut general = example(&[], Value::Null, None);
    let shape = general.segments.get_mut(&id(0)).unwrap();
    shape.node.link = None;
    let length = shape.length.clone();
    general.knowledge.constraints.push(Constraint::ge(constant(1).minus(&length)));
    assert!(OptionalBlock.has_form(&general.segments[&id(0)].node));
    let budget = Budget::steps(1_000_000);
    let parts = OptionalBlock.unfold(&general, id(0), id(0), &mut Certified::new(&budget)).unwrap();
    assert_eq!(parts.len(), 1);
    for part in &parts {
        assert!(represents(&general, part), "{part:#?}\nis not represented by\n{general:#?}");
        assert!(!represents(part, &general));
        assert!(exposed(&general, id(0)).iter().any(|known| represents(known, part) && represents(part, known)));
    }
    let kinds = KINDS.iter().map(|kind| kind.name()).chain([OptionalBlock.name()]);
    assert_eq!(kinds.collect::<std::collections::BTreeSet<_>>().len(), KINDS.len() + 1);
}
