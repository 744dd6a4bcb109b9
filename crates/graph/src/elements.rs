//! What elements of arrays and fields of blocks have in common: functions, places in an object that both states have, or blocks of their own.
//!
//! Places are bounded by the object's size, where simple bounds of the offsets imply that: then the bounds do not grow from merge to merge.

use belay_ir::Program;
use belay_linear::{LinExpr, Rat};
use belay_symbolic::{AllocId, AllocKind, Content, Field, Life, ListNode, OwnBlock, Places, State, Value, residue};

use super::lists::{Side, is_plain};
use super::pairing::{Pairer, SlotKind};

/// A way to join contents.
type Way<'p> = fn(&mut Pairer<'p>, &[(Side, Content)]) -> Option<Content>;

impl<'p> Pairer<'p> {
    /// What elements have in common: blocks of their own where no pointer is null, lists, or blocks.
    pub(super) fn common_element(&mut self, contents: &[(Side, Content)]) -> Option<Content> {
        let (_, first) = contents.first()?;
        if contents.iter().all(|(_, content)| content == first) && is_plain(first) {
            return Some(first.clone());
        }
        self.first_way(
            contents,
            [
                |_, contents| common_functions(contents),
                Self::common_places,
                Self::common_blocks,
                |pairer, contents| pairer.own_list(contents).map(Content::Own),
                Self::common_blocks_or_null,
            ],
        )
    }

    /// What the first way says that says anything; the others leave no trace.
    pub(super) fn first_way<const N: usize>(
        &mut self,
        contents: &[(Side, Content)],
        ways: [Way<'p>; N],
    ) -> Option<Content> {
        ways.into_iter().find_map(|way| {
            let mut attempt = self.clone();
            let content = way(&mut attempt, contents)?;
            *self = attempt;
            Some(content)
        })
    }

    /// The object that all contents lead into.
    fn shared_object(&mut self, contents: &[(Side, Content)]) -> Option<(AllocId, Option<AllocId>, Option<AllocId>)> {
        let (mut left, mut right) = (None, None);
        for (side, content) in contents {
            let id = match content {
                Content::Same(Value::Pointer(id, _)) => *id,
                Content::Among(Places { first: Value::Pointer(id, _), .. }) => *id,
                _ => return None,
            };
            let known = if side.is_left() { &mut left } else { &mut right };
            if known.is_some_and(|known| known != id) {
                return None;
            }
            *known = Some(id);
        }
        let made = match (left, right) {
            (Some(AllocId::Global(a)), None | Some(AllocId::Global(_))) | (None, Some(AllocId::Global(a))) => {
                let id = AllocId::Global(a);
                let same = |other: Option<AllocId>| other.is_none_or(|other| other == id);
                (same(left) && same(right)).then_some(id)
            }
            (Some(a), Some(b)) if self.is_paired_or_fixed(a, b) => self.object(a, b),
            (Some(a), None) => self.made_of(a),
            (None, Some(b)) => {
                let own = self.objects.iter().find(|(_, other)| **other == b).map(|(own, _)| *own);
                own.and_then(|own| self.made_of(own))
            }
            (_, _) => None,
        }?;
        Some((made, left, right))
    }

    /// Blocks that are not paired may be elements' own.
    fn is_paired_or_fixed(&self, left: AllocId, right: AllocId) -> bool {
        let heap = self.left.allocations.get(&left).is_some_and(|known| known.kind == AllocKind::Heap);
        self.objects.get(&left) == Some(&right) || !heap
    }

    /// Places in one object at multiples of a stride.
    pub(super) fn common_places(&mut self, contents: &[(Side, Content)]) -> Option<Content> {
        let (made, left, right) = self.shared_object(contents)?;
        let mut divisor = Rat::ZERO;
        let mut start: Option<Rat> = None;
        let mut offsets: Vec<(bool, LinExpr, LinExpr)> = Vec::new();
        for (side, content) in contents {
            let (first, last, stride) = match content {
                Content::Same(Value::Pointer(_, offset)) => (offset, offset, 0),
                Content::Among(Places { first: Value::Pointer(_, first), last: Value::Pointer(_, last), stride }) => {
                    (first, last, *stride)
                }
                _ => return None,
            };
            first.terms().iter().for_each(|(_, factor)| divisor = divisor.gcd(factor));
            let from = start.get_or_insert_with(|| first.offset().clone());
            divisor = divisor.gcd(&(first.offset() - &*from));
            // A stride of a single place says nothing.
            if first != last {
                divisor = divisor.gcd(&Rat::from(stride as i64));
            }
            offsets.push((side.is_left(), first.clone(), last.clone()));
        }
        let start = start?;
        if divisor.is_zero() {
            let place = Value::Pointer(made, LinExpr::constant(start));
            return Some(Content::Among(Places { first: place.clone(), last: place, stride: 1 }));
        }
        let stride = divisor.to_i64().and_then(|stride| u64::try_from(stride).ok())?;
        let rest = residue(&LinExpr::constant(start), stride)?;
        let room = LinExpr::constant(stride as i64);
        let ends = (self.size_of(self.left, left, right), self.size_of(self.right, right, left));
        let ends = (ends.0?.minus(&room), ends.1?.minus(&room));
        let ends = self.end_of_text(made, &offsets).filter(|_| stride == 1).unwrap_or(ends);
        for (is_left, first, last) in &offsets {
            let (state, end) = if *is_left { (self.left, &ends.0) } else { (self.right, &ends.1) };
            if !is_at_least_zero(state, first) || !follows_in_two(state, &end.minus(last)) {
                return None;
            }
        }
        let last = match ends.0 == ends.1 && ends.0.is_constant() {
            true => ends.0,
            false => self.slot(&ends.0, &ends.1, SlotKind::Offset, "last".to_owned()),
        };
        let first = Value::Pointer(made, LinExpr::constant(rest as i64));
        Some(Content::Among(Places { first, last: Value::Pointer(made, last), stride }))
    }

    /// The end of a string in the object that none of these places is behind: words of a line, which are read up to a 0.
    fn end_of_text(&self, made: AllocId, places: &[(bool, LinExpr, LinExpr)]) -> Option<(LinExpr, LinExpr)> {
        let is_zero = |value: &Value| {
            let Value::Int(slot) = value else { return false };
            self.sides_of(slot)
                .is_some_and(|(a, b)| [a, b].iter().all(|side| side.is_constant() && side.offset().is_zero()))
        };
        let ends = self.state.cells.iter().filter(|cell| cell.alloc == made && cell.width == 1 && is_zero(&cell.value));
        let is_behind = |(a, b): &(&LinExpr, &LinExpr)| {
            places.iter().all(|(is_left, _, last)| {
                let (state, end) = if *is_left { (self.left, *a) } else { (self.right, *b) };
                follows_in_two(state, &end.minus(last))
            })
        };
        ends.filter_map(|cell| self.sides_of(&cell.offset)).find(is_behind).map(|(a, b)| (a.clone(), b.clone()))
    }

    /// The size of an object in one state; `other` is what it is in the other one.
    fn size_of(&self, state: &State, own: Option<AllocId>, other: Option<AllocId>) -> Option<LinExpr> {
        let id = own.or_else(|| {
            let other = other?;
            match other {
                AllocId::Global(_) => Some(other),
                AllocId::Made(_) if std::ptr::eq(state, self.right) => self.objects.get(&other).copied(),
                AllocId::Made(_) => self.objects.iter().find(|(_, right)| **right == other).map(|(left, _)| *left),
            }
        })?;
        extent(self.program, state, id)
    }

    fn common_blocks(&mut self, contents: &[(Side, Content)]) -> Option<Content> {
        let none = |content: &Content| match content {
            Content::Same(Value::Null) | Content::Own(_) => true,
            Content::Block(block) => block.null,
            Content::Same(_) | Content::Between(..) | Content::NonZero | Content::Among(_) => false,
        };
        if contents.iter().any(|(_, content)| none(content)) {
            return None;
        }
        self.common_blocks_or_null(contents)
    }

    /// The same, where no block leads to another of its size, as those of a list do.
    pub(super) fn common_single_blocks(&mut self, contents: &[(Side, Content)]) -> Option<Content> {
        let leads_on = |(side, content): &(Side, Content)| {
            let Content::Same(Value::Pointer(id, _)) = content else { return false };
            let state = self.side(*side);
            let size = |id: &AllocId| state.allocations.get(id).map(|known| &known.size);
            let alike = |value: &Value| matches!(value, Value::Pointer(next, _) if size(next) == size(id));
            let listed = |value: &Value| matches!(value, Value::Pointer(next, _) if state.segment_of(*next).is_some());
            let own = state.cells.iter().filter(|cell| cell.alloc == *id);
            own.map(|cell| &cell.value).any(|value| alike(value) || listed(value))
        };
        if contents.iter().any(leads_on) {
            return None;
        }
        self.common_blocks(contents)
    }

    fn common_blocks_or_null(&mut self, contents: &[(Side, Content)]) -> Option<Content> {
        let (mut blocks, mut known, mut null) = (Vec::new(), Vec::new(), false);
        let mut sizes: Vec<(bool, LinExpr)> = Vec::new();
        let mut exact = true;
        let mut terminated = true;
        let given = contents.iter().any(|(_, content)| matches!(content, Content::Block(block) if block.given));
        let kind = if given { AllocKind::Argument } else { AllocKind::Heap };
        for (side, content) in contents {
            let state = self.side(*side);
            match content {
                Content::Same(Value::Null) => null = true,
                Content::Same(Value::Pointer(id, offset)) => {
                    let block = state.allocations.get(id)?;
                    let live = block.kind == kind && block.life == Life::Live;
                    let at_start = offset.is_constant() && offset.offset().is_zero();
                    sizes.push((side.is_left(), block.size.clone()));
                    terminated &= is_terminated(state, *id, &block.size);
                    if !live || !at_start || !self.take(side.of(*id)) {
                        return None;
                    }
                    blocks.push(side.of(*id));
                }
                Content::Block(block) if block.given != given => return None,
                Content::Block(block) => {
                    let Value::Int(least) = &block.least else { return None };
                    null |= block.null;
                    exact &= block.most.as_ref() == Some(&block.least);
                    terminated &= block.terminated;
                    sizes.push((side.is_left(), least.clone()));
                    known.push((*side, block.clone()));
                }
                Content::Same(_) | Content::Between(..) | Content::NonZero | Content::Own(_) | Content::Among(_) => {
                    return None;
                }
            }
        }
        let (least, most) = self.common_size(&sizes, exact)?;
        let width = self.program.layout.pointer_bytes();
        let node = ListNode { size: 0, link: None, branches: Vec::new(), entry: 0, width };
        let said: Vec<(Side, &[Field])> = known.iter().map(|(side, block)| (*side, block.fields.as_slice())).collect();
        let fields = self.fields_among(&node, &blocks, &said);
        let known: Vec<&OwnBlock> = known.iter().map(|(_, block)| block).collect();
        let most = most.or_else(|| self.common_limit(contents, &known));
        Some(Content::Block(OwnBlock { least, most, null, terminated, given, fields }))
    }

    /// The greatest of the numbers that sizes are known not to exceed, if all of them are not above it.
    fn common_limit(&self, contents: &[(Side, Content)], known: &[&OwnBlock]) -> Option<Value> {
        let limit = |block: &OwnBlock| match &block.most {
            Some(Value::Int(most)) if most.is_constant() => Some(most.clone()),
            Some(_) | None => None,
        };
        let most = known.iter().filter_map(|block| limit(block)).max_by(|a, b| a.offset().cmp(b.offset()))?;
        let fits = contents.iter().all(|(side, content)| match content {
            Content::Same(Value::Pointer(id, _)) => {
                let state = self.side(*side);
                state.allocations.get(id).is_some_and(|block| is_at_least_zero(state, &most.minus(&block.size)))
            }
            Content::Block(block) => limit(block).is_some(),
            Content::Same(_) | Content::Between(..) | Content::NonZero | Content::Own(_) | Content::Among(_) => true,
        });
        fits.then_some(Value::Int(most))
    }

    /// The bounds of sizes: one number in each state, or a least one.
    fn common_size(&mut self, sizes: &[(bool, LinExpr)], exact: bool) -> Option<(Value, Option<Value>)> {
        let one = |left: bool| {
            let mut own = sizes.iter().filter(|(side, _)| *side == left).map(|(_, size)| size);
            let first = own.next();
            (first.cloned(), own.all(|size| Some(size) == first))
        };
        let ((left, same_left), (right, same_right)) = (one(true), one(false));
        let left_beside = || right.as_ref().and_then(|size| self.beside(size, 1));
        let right_beside = || left.as_ref().and_then(|size| self.beside(size, 0));
        let both = (left.clone().or_else(left_beside), right.clone().or_else(right_beside));
        if let (Some(a), Some(b), true) = (both.0, both.1, exact && same_left && same_right) {
            let size = match a == b && a.is_constant() {
                true => a,
                false => self.slot(&a, &b, SlotKind::Size, "size".to_owned()),
            };
            return Some((Value::Int(size.clone()), Some(Value::Int(size))));
        }
        let positive = sizes.iter().all(|(is_left, size)| {
            let state = if *is_left { self.left } else { self.right };
            is_at_least_zero(state, &size.plus_constant(&Rat::MINUS_ONE))
        });
        Some((Value::Int(LinExpr::constant(i64::from(positive))), None))
    }
}

/// One of all these functions.
fn common_functions(contents: &[(Side, Content)]) -> Option<Content> {
    let functions = contents.iter().map(|(_, content)| match content {
        Content::Same(Value::Function(functions)) => Some(functions),
        _ => None,
    });
    let all: Option<Vec<_>> = functions.collect();
    Some(Content::Same(Value::Function(all?.into_iter().flatten().copied().collect())))
}

pub(super) fn extent(program: &Program, state: &State, id: AllocId) -> Option<LinExpr> {
    match id {
        AllocId::Global(global) => {
            let size = program.globals[global].size?;
            Some(LinExpr::constant(i64::try_from(size).ok()?))
        }
        AllocId::Made(_) => state.allocations.get(&id).map(|known| known.size.clone()),
    }
}

fn is_terminated(state: &State, id: AllocId, size: &LinExpr) -> bool {
    state.cells.iter().any(|cell| {
        cell.alloc == id
            && cell.width == 1
            && matches!(&cell.value, Value::Int(number) if number.is_constant() && number.offset().is_zero())
            && follows_in_two(state, &cell.offset)
            && follows_in_two(state, &size.minus(&cell.offset).plus_constant(&Rat::MINUS_ONE))
    })
}

/// The least and the greatest value of a number by the bounds of its variables.
pub(super) fn bounds_of(state: &State, number: &LinExpr) -> Option<(i64, i64)> {
    let most = -&least_of(state, &number.negated())?;
    Some((least_of(state, number)?.to_i64()?, most.to_i64()?))
}

/// The least value alone.
pub(super) fn lowest(state: &State, number: &LinExpr) -> Option<i64> {
    least_of(state, number)?.to_i64()
}

/// The greatest value; where it is not known, that of the widest type.
pub(super) fn highest(state: &State, number: &LinExpr) -> i64 {
    least_of(state, &number.negated()).and_then(|least| (-&least).to_i64()).unwrap_or(i64::MAX)
}

/// A number that an expression is never below by the bounds of its variables, or by one of the constraints.
fn least_of(state: &State, expr: &LinExpr) -> Option<Rat> {
    let constraints = &state.knowledge.constraints;
    let listed = constraints.iter().filter_map(|known| {
        let ((var, many), (same, one)) = expr.terms().first().zip(known.expr.terms().first())?;
        let factor = many / one;
        let rest = expr.add_scaled(&-&factor, &known.expr);
        (var == same && factor.is_positive() && rest.is_constant()).then(|| rest.offset().clone())
    });
    let by_variables = || {
        let mut least = expr.offset().clone();
        for (var, factor) in expr.terms() {
            let bounds = constraints.iter().filter_map(|known| match known.expr.terms() {
                [(own, one)] if own == var && one.is_positive() == factor.is_positive() => {
                    Some(-&(known.expr.offset() / one))
                }
                _ => None,
            });
            let best = bounds.reduce(|a, b| if factor.is_positive() { a.max(b) } else { a.min(b) });
            least += &(factor * &best?);
        }
        Some(least)
    };
    listed.chain(by_variables()).max()
}

/// True if an expression is not negative by the bounds of its variables, or by one of the constraints.
pub(super) fn is_at_least_zero(state: &State, expr: &LinExpr) -> bool {
    least_of(state, expr).is_some_and(|least| !least.is_negative())
}

/// The same by two constraints: the end of a string that was measured is not behind another one, which is inside the block.
fn follows_in_two(state: &State, expr: &LinExpr) -> bool {
    let first = |known: &LinExpr| known.terms().iter().any(|(var, factor)| expr.coefficient(*var) == *factor);
    is_at_least_zero(state, expr)
        || state
            .knowledge
            .constraints
            .iter()
            .any(|known| first(&known.expr) && is_at_least_zero(state, &expr.minus(&known.expr)))
}
