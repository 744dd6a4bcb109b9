//! Segments are exposed before an instruction looks at what their ends lead to, and dropped where they are known to be empty.

use belay_ir::{Callee, FuncKind, Op, Operand};

use super::machine::{Machine, Step};
use super::state::{State, Value};

impl Machine<'_> {
    /// The state without segments that are known to be empty.
    pub(super) fn without_empty(&mut self, mut state: State) -> Step<Option<State>> {
        self.drop_empty_ranges(&mut state)?;
        for id in state.segments.keys().copied().collect::<Vec<_>>() {
            let Some(length) = state.segments.get(&id).map(|segment| segment.length.clone()) else { continue };
            if self.at_least(&state, &length.negated(), 0)? {
                match state.exposed(id, self.oracle)?.into_iter().next() {
                    Some(next) => state = next,
                    None => return Ok(None),
                }
            }
        }
        Ok(Some(state))
    }

    /// Exposes the segments that the operands of an instruction point to, if it looks at them.
    pub(super) fn looked_into(&mut self, state: State, op: &Op) -> Step<Vec<State>> {
        if state.segments.is_empty() {
            return Ok(vec![state]);
        }
        let operands = self.inspected(&state, op);
        let mut todo = vec![state];
        let mut done = Vec::new();
        while let Some(mut state) = todo.pop() {
            let mut hit = None;
            for operand in &operands {
                if let Value::Pointer(id, _) | Value::Address(id, _) = self.value(&mut state, *operand)
                    && state.segment_of(id).is_some()
                {
                    hit = Some(id);
                    break;
                }
            }
            match hit {
                Some(id) => {
                    self.budget.spend(1)?;
                    todo.extend(state.exposed(id, self.oracle)?);
                }
                None => done.push(state),
            }
        }
        Ok(done)
    }

    /// The operands that are more than handed on.
    fn inspected(&self, state: &State, op: &Op) -> Vec<Operand> {
        match op {
            Op::Store { ptr, .. } => return vec![*ptr],
            Op::Phi { .. } | Op::Select { .. } | Op::Freeze { .. } => return Vec::new(),
            Op::Call { callee: Callee::Direct(target), .. }
                if self.program.functions[*target].kind == FuncKind::Defined =>
            {
                return Vec::new();
            }
            _ => {}
        }
        let mut operands = Vec::new();
        op.for_each_operand(|operand| operands.push(*operand));
        let frame = state.frames.last();
        operands.retain(|operand| match operand {
            Operand::Inst(inst) => frame.is_some_and(|frame| frame.values.contains_key(inst)),
            Operand::Param(_) => true,
            _ => false,
        });
        operands
    }
}
