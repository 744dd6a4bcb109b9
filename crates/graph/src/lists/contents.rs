//! What the blocks of lists hold: the common part of several contents.

use belay_linear::LinExpr;
use belay_symbolic::{AllocId, Content, Field, ListNode, OwnList, Value, place_of};

use super::super::elements::{bounds_of, is_at_least_zero};
use super::super::pairing::Pairer;
use super::{Side, both_ends};

impl Pairer<'_> {
    /// What contents have in common.
    pub(super) fn common(&mut self, contents: &[(Side, Content)]) -> Option<Content> {
        let (_, first) = contents.first()?;
        if contents.iter().all(|(_, content)| content == first) && is_plain(first) {
            return Some(first.clone());
        }
        if let Some(indices) = self.below_a_number(contents) {
            return Some(indices);
        }
        if let Some((low, high)) = self.range(contents) {
            let number = |number: i64| Value::Int(LinExpr::constant(number));
            return Some(Content::Between(number(low), number(high)));
        }
        self.first_way(
            contents,
            [Self::common_places, Self::common_single_blocks, |pairer, contents| {
                pairer.own_list(&pairer.as_lists(contents)).map(Content::Own)
            }],
        )
    }

    /// Numbers that are not negative and all below a number of both states, or not above it, as the nodes of a graph are that edges lead to; not where they are few.
    fn below_a_number(&mut self, contents: &[(Side, Content)]) -> Option<Content> {
        let mut varies = false;
        for (side, content) in contents {
            let low = match content {
                Content::Between(Value::Int(low), Value::Int(high)) => {
                    varies |= !high.is_constant();
                    low
                }
                Content::Same(Value::Int(number)) => {
                    varies |= !number.is_constant();
                    number
                }
                _ => return None,
            };
            if !is_at_least_zero(self.side(*side), low) {
                return None;
            }
        }
        let most = varies.then(|| self.common_bound(contents, false)).flatten()?;
        Some(Content::Between(Value::Int(LinExpr::constant(0)), Value::Int(most)))
    }

    /// The range of all numbers. One that is not small has bounds that are powers of two: then it can only grow a few times.
    fn range(&self, contents: &[(Side, Content)]) -> Option<(i64, i64)> {
        let mut bounds: Option<(i64, i64)> = None;
        for (side, content) in contents {
            let (low, high) = match content {
                Content::Between(Value::Int(low), Value::Int(high)) => {
                    (bounds_of(self.side(*side), low)?.0, bounds_of(self.side(*side), high)?.1)
                }
                Content::Same(Value::Int(number)) => bounds_of(self.side(*side), number)?,
                Content::Same(_)
                | Content::Between(..)
                | Content::NonZero
                | Content::Own(_)
                | Content::Among(_)
                | Content::Block(_) => {
                    return None;
                }
            };
            let (least, most) = bounds.unwrap_or((low, high));
            bounds = Some((least.min(low), most.max(high)));
        }
        let (low, high) = bounds?;
        if high.checked_sub(low).is_some_and(|span| span <= MAX_SPAN) {
            return Some((low, high));
        }
        let wide = low.unsigned_abs().max(high.unsigned_abs()) > MAX_BOUND;
        (!wide).then(|| (rounded(low, false), rounded(high, true)))
    }

    /// Contents in which blocks of one size, of which each owner has one, are lists of at most one block.
    fn as_lists(&self, contents: &[(Side, Content)]) -> Vec<(Side, Content)> {
        let width = self.program.layout.pointer_bytes();
        let listed = |content: &Content| {
            let Content::Block(block) = content else { return None };
            let Value::Int(size) =
                block.most.as_ref().filter(|most| **most == block.least && !block.null && !block.given)?
            else {
                return None;
            };
            let node = ListNode { size: place_of(size)?, link: None, branches: Vec::new(), entry: 0, width };
            Some(Content::Own(OwnList { node, fields: block.fields.clone() }))
        };
        contents.iter().map(|(side, content)| (*side, listed(content).unwrap_or_else(|| content.clone()))).collect()
    }

    /// The lists that start in all these places, if nothing else leads to them.
    pub(in super::super) fn own_list(&mut self, contents: &[(Side, Content)]) -> Option<OwnList> {
        if let Some(tree) = self.own_tree(contents) {
            return Some(tree);
        }
        let mut forms: Vec<ListNode> = Vec::new();
        for (side, content) in contents {
            let found = match content {
                Content::Own(list) => vec![list.node.clone()],
                Content::Between(..) | Content::NonZero | Content::Among(_) | Content::Block(_) => return None,
                Content::Same(start) => self.forms_at(self.side(*side), start),
            };
            forms.extend(found);
        }
        // Links that lead from a block to the next first: otherwise each block would own the next.
        let leads_on = |node: &ListNode| {
            contents.iter().any(|(side, content)| match content {
                Content::Same(start) => self.side(*side).chain(start, node).nodes.len() > 1,
                Content::Own(list) => list.node == *node && node.link.is_some(),
                Content::Between(..) | Content::NonZero | Content::Among(_) | Content::Block(_) => false,
            })
        };
        forms.sort_by_key(|node| (!leads_on(node), node.link));
        forms.dedup();
        forms.iter().find_map(|node| {
            let mut attempt = self.clone();
            let list = attempt.own_list_of(node, contents)?;
            *self = attempt;
            Some(list)
        })
    }

    fn own_list_of(&mut self, node: &ListNode, contents: &[(Side, Content)]) -> Option<OwnList> {
        let mut blocks = Vec::new();
        let mut known: Vec<(Side, &[Field])> = Vec::new();
        for (side, content) in contents {
            match content {
                Content::Own(list) if list.node == *node || list.node.is_single_of(node, &list.fields) => {
                    known.push((*side, &list.fields));
                }
                Content::Same(Value::Null) => {}
                Content::Same(start @ Value::Pointer(..)) => {
                    let chain = self.side(*side).chain(start, node);
                    let all = both_ends(self.side(*side), &chain.nodes);
                    if *chain.ends.last()? != Value::Null || !all.into_iter().all(|id| self.take(side.of(id))) {
                        return None;
                    }
                    blocks.extend(chain.nodes.iter().map(|id| side.of(*id)));
                }
                Content::Own(_)
                | Content::Between(..)
                | Content::NonZero
                | Content::Same(_)
                | Content::Among(_)
                | Content::Block(_) => {
                    return None;
                }
            }
        }
        let fields = self.fields_among(node, &blocks, &known);
        Some(OwnList { node: node.clone(), fields })
    }
}

/// Numbers further apart are kept as a range only with bounds that are powers of two.
const MAX_SPAN: i64 = 16;

/// Greater numbers are not bounded.
const MAX_BOUND: u64 = 1 << 30;

/// The next number below or above that is a power of two, or one less, or one of those negated.
fn rounded(number: i64, up: bool) -> i64 {
    let power = number.unsigned_abs().next_power_of_two().min(2 * MAX_BOUND) as i64;
    match (number >= 0, up) {
        (true, true) if number < power => power - 1,
        (true, true) => number,
        (true, false) if number == power => number,
        (true, false) => power / 2,
        (false, false) => -power,
        (false, true) if -number == power => number,
        (false, true) => -power / 2,
    }
}

/// True if all blocks of a list can be said to hold it.
pub(in super::super) fn is_plain(content: &Content) -> bool {
    match content {
        Content::Same(Value::Int(expr)) => expr.is_constant(),
        Content::Same(Value::Null | Value::Function(_)) => true,
        Content::Same(Value::Pointer(AllocId::Global(_), offset)) => offset.is_constant(),
        Content::Same(Value::Pointer(..) | Value::Address(..) | Value::Truth(_) | Value::Top) => false,
        Content::Between(low, high) => {
            [low, high].iter().all(|bound| matches!(bound, Value::Int(number) if number.is_constant()))
        }
        Content::NonZero => true,
        Content::Among(places) => {
            let fixed =
                |value: &Value| matches!(value, Value::Pointer(AllocId::Global(_), offset) if offset.is_constant());
            fixed(&places.first) && fixed(&places.last)
        }
        Content::Block(block) => {
            let fixed = |value: &Value| matches!(value, Value::Int(size) if size.is_constant());
            fixed(&block.least)
                && block.most.iter().all(fixed)
                && block.fields.iter().all(|field| is_plain(&field.content))
        }
        Content::Own(list) => list.fields.iter().all(|field| is_plain(&field.content)),
    }
}
