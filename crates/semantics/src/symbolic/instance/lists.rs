//! Segments of the general state as chains of the special one.

use belay_base::Exhausted;
use belay_logic::simplex::LinExpr;

use super::super::knowledge::{Entailment, constant};
use super::super::segment::{Content, Field, OwnList, find};
use super::super::state::{AllocId, Value};
use super::{Matcher, Pairing};

impl Matcher<'_> {
    /// The next segment to be found: one whose end is known, if there is such.
    pub(super) fn next_list(&mut self) -> Option<AllocId> {
        let segments = &self.general.segments;
        let known = |list: &AllocId| match segments.get(list).map(|segment| &segment.target) {
            Some(Value::Pointer(next, _)) if segments.contains_key(next) => self.pairing.starts.contains_key(next),
            Some(_) | None => true,
        };
        let at = self.lists.iter().position(known).or(if self.lists.is_empty() { None } else { Some(0) })?;
        Some(self.lists.remove(at))
    }

    /// Finds a segment: tries the longest chain from its start first.
    pub(super) fn list(
        &mut self,
        list: AllocId,
        todo: &[usize],
        tries: &mut u32,
        oracle: &mut dyn Entailment,
    ) -> Result<Option<Pairing>, Exhausted> {
        let (Some(segment), Some(start)) = (self.general.segments.get(&list), self.pairing.starts.get(&list)) else {
            return Ok(None);
        };
        let chain = self.special.chain(start, &segment.node);
        let taken = |id: &AllocId| self.pairing.used.contains(id) || self.taken.contains(id);
        let most = chain.nodes.iter().take_while(|id| !taken(id)).count();
        for count in (0..=most).rev() {
            if *tries == 0 {
                return Ok(None);
            }
            *tries -= 1;
            let mut attempt = self.clone();
            let nodes = &chain.nodes[..count];
            let length = nodes.iter().fold(LinExpr::default(), |sum, id| sum.plus(&self.special.count_of(*id)));
            attempt.pairing.used.extend(nodes.iter().copied());
            attempt.pairing.firsts.extend(nodes.first().map(|first| (list, *first)));
            attempt.equations.push((segment.length.clone(), length));
            let found =
                attempt.value(&segment.target, &chain.ends[count]) && attempt.fields(&segment.fields, nodes, oracle)?;
            if !found {
                continue;
            }
            if !attempt.bound(oracle)? {
                continue;
            }
            if let Some(found) = attempt.cells(todo.to_vec(), tries, oracle)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// True if each block has what the fields say of all.
    fn fields(&mut self, fields: &[Field], nodes: &[AllocId], oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        for (id, field) in nodes.iter().flat_map(|id| fields.iter().map(move |field| (id, field))) {
            let holds = match self.special.field_of(*id, field.offset, field.width) {
                Some(content) => self.content(&field.content, &content, oracle)?,
                None => false,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn content(
        &mut self,
        general: &Content,
        special: &Content,
        oracle: &mut dyn Entailment,
    ) -> Result<bool, Exhausted> {
        match (general, special) {
            (Content::Same(left), Content::Same(right)) => Ok(self.value(left, right)),
            (Content::Same(left), Content::Own(_) | Content::Between(..)) => Ok(*left == Value::Top),
            (Content::Between(low, high), Content::Same(Value::Int(number))) => {
                let known = &self.special.knowledge;
                Ok(known.non_negative(&number.minus(&constant(i128::from(*low))), oracle)?
                    && known.non_negative(&constant(i128::from(*high)).minus(number), oracle)?)
            }
            (Content::Between(low, high), Content::Between(least, most)) => Ok(low <= least && most <= high),
            (Content::Between(..), Content::Same(_) | Content::Own(_)) | (Content::Own(_), Content::Between(..)) => {
                Ok(false)
            }
            (Content::Own(_), Content::Same(Value::Null)) => Ok(true),
            (Content::Own(list), Content::Same(start)) => self.own(list, start, oracle),
            (Content::Own(left), Content::Own(right)) => {
                if left.node != right.node && !right.node.is_single_of(&left.node, &right.fields) {
                    return Ok(false);
                }
                for field in &left.fields {
                    let holds = match find(&right.fields, field.offset, field.width) {
                        Some(content) => self.content(&field.content, content, oracle)?,
                        None => false,
                    };
                    if !holds {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// True if a list starts here that ends with null and has no block that is used otherwise.
    fn own(&mut self, list: &OwnList, start: &Value, oracle: &mut dyn Entailment) -> Result<bool, Exhausted> {
        let chain = self.special.chain(start, &list.node);
        let taken = |id: &AllocId| self.pairing.used.contains(id) || self.taken.contains(id);
        if chain.ends.last() != Some(&Value::Null) || chain.nodes.iter().any(taken) {
            return Ok(false);
        }
        self.pairing.used.extend(chain.nodes.iter().copied());
        self.fields(&list.fields, &chain.nodes, oracle)
    }
}
