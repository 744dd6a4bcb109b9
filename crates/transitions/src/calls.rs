//! Calls that were not inlined: entered, and passed over.

use belay_ir::{BlockId, Builtin, Callee, FuncId, FuncKind, Function, InstId, Op, Operand, Terminator, ops};

use super::kind::Kind;
use super::path::Path;
use super::{Extractor, Source};
use belay_rules::format::{Directive, directives};

impl<'p> Extractor<'p> {
    /// A call: into the callees that have a body, and past it.
    pub(super) fn call(
        &mut self,
        id: FuncId,
        function: &'p Function,
        (block, inst): (BlockId, InstId),
        callee: &Callee,
        args: &[Operand],
        paths: Vec<Path>,
    ) -> Vec<Path> {
        let candidates = match callee {
            Callee::Direct(callee) => vec![*callee],
            Callee::Indirect(..) => self.graph.address_taken().to_vec(),
        };
        let is_entered = |callee: &&FuncId| self.enters && self.program.functions[**callee].is_defined();
        let entered: Vec<FuncId> = candidates.iter().filter(is_entered).copied().collect();
        for path in &paths {
            for callee in &entered {
                self.enter(id, function, block, *callee, args, path.clone());
            }
        }
        let paths = match callee {
            Callee::Direct(target) => match self.call_builtin(id, function, (block, inst), *target, args, paths) {
                Ok(past) => return past,
                Err(paths) => paths,
            },
            Callee::Indirect(..) => paths,
        };
        let changed = self.variables.collect_changed(self.program, self.graph, &candidates);
        let width = function.insts[inst].ty.and_then(belay_ir::Type::int_width);
        let harmless = changed.is_empty()
            && !self.relevance.value(Source::Inst(id, inst))
            && matches!(callee, Callee::Direct(_))
            && self.is_harmless(&candidates);
        let past = |mut path: Path| {
            if harmless {
                return path;
            }
            path.exact = false;
            for index in &changed {
                let value = path.arbitrary(self.variables.kind(*index));
                path.globals.insert(*index, value);
            }
            if let Some(width) = width {
                let kind = self.readings.inst(id, inst, width);
                let value = path.arbitrary(kind);
                if let Callee::Direct(callee) = callee {
                    self.apply_summary(&self.scope(id, function, block), *callee, args, &mut path, (&value, kind));
                }
                path.values.insert(inst, value);
            }
            path
        };
        paths.into_iter().map(past).collect()
    }

    /// The paths past a call of a function with a built-in meaning that is followed here; those before it if it is none.
    fn call_builtin(
        &self,
        id: FuncId,
        function: &'p Function,
        (block, inst): (BlockId, InstId),
        callee: FuncId,
        args: &[Operand],
        paths: Vec<Path>,
    ) -> Result<Vec<Path>, Vec<Path>> {
        let FuncKind::Builtin(builtin) = self.program.functions[callee].kind else { return Err(paths) };
        if builtin.ends_run() {
            return Ok(Vec::new());
        }
        if self.only_prints(builtin, args) && !self.relevance.value(Source::Inst(id, inst)) {
            return Ok(paths);
        }
        if let (Builtin::Assume | Builtin::Assert, Some(cond)) = (builtin, args.first()) {
            let scope = self.scope(id, function, block);
            return Ok(paths.into_iter().flat_map(|path| path.assume_nonzero(&scope, *cond)).collect());
        }
        if let (Builtin::Nondet, Some(width)) = (builtin, function.insts[inst].ty.and_then(belay_ir::Type::int_width)) {
            let kind = self.readings.inst(id, inst, width);
            let asked = |mut path: Path| {
                let value = path.input(kind);
                // A truth value that is declared as a wider integer is 0 or 1 all the same.
                if is_truth_input(&self.program.functions[callee].name) {
                    path.guard.extend(Kind { width: 1, ..kind }.range(&value));
                }
                path.values.insert(inst, value);
                path
            };
            return Ok(paths.into_iter().map(asked).collect());
        }
        Err(paths)
    }

    /// Output that neither changes memory nor can go wrong: numbers and constant text in a constant format.
    fn only_prints(&self, builtin: Builtin, args: &[Operand]) -> bool {
        let text = |operand: &Operand| match operand {
            Operand::Global { global, offset } => {
                u64::try_from(*offset).ok().and_then(|offset| self.program.globals[*global].constant_text(offset))
            }
            _ => None,
        };
        match builtin {
            Builtin::Putchar => true,
            Builtin::Puts => args.first().and_then(text).is_some(),
            Builtin::Printf => {
                let Some(directives) = args.first().and_then(text).and_then(|format| directives(&format)) else {
                    return false;
                };
                directives.len() < args.len()
                    && directives.iter().zip(&args[1..]).all(|(directive, arg)| match directive {
                        Directive::Number => true,
                        Directive::Text => text(arg).is_some(),
                        Directive::Other => false,
                    })
            }
            _ => false,
        }
    }

    /// True if calls of these functions can't end the run, ask for nothing and touch no memory but through variables of the system:
    /// they come back, or stay inside for ever.
    fn is_harmless(&self, callees: &[FuncId]) -> bool {
        let calm = |function: &Function, inst: InstId| match &function.insts[inst].op {
            Op::Check { obligation, .. } => !super::ends_run(self.program, *obligation),
            Op::Call { callee: Callee::Direct(callee), .. } => self.program.functions[*callee].is_defined(),
            Op::Load { ptr, .. } | Op::Store { ptr, .. } => self.variables.global(*ptr).is_some(),
            ops!(variadic)
            | Op::Call { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | Op::Arbitrary { .. }
            | Op::Freeze { .. }
            | Op::Unsupported { .. } => false,
            ops!(arithmetic)
            | ops!(floats)
            | ops!(lives)
            | Op::Cast { .. }
            | Op::PtrAdd { .. }
            | Op::Select { .. }
            | Op::Phi { .. }
            | Op::Extract { .. } => true,
        };
        self.graph.reachable_from(callees).into_iter().all(|id| {
            let function = &self.program.functions[id];
            let stops = function.blocks.iter().any(|block| matches!(block.term, Terminator::Unreachable { .. }));
            function.is_defined() && !stops && function.placed_insts().all(|(_, inst)| calm(function, inst))
        })
    }

    fn enter(
        &mut self,
        id: FuncId,
        function: &Function,
        block: BlockId,
        callee: FuncId,
        args: &[Operand],
        mut path: Path,
    ) {
        let Some(to) = self.locations.get(&(callee, Function::ENTRY)).copied() else { return };
        let mut update = self.variables.unchanged();
        for (index, value) in &path.globals {
            update[*index] = value.clone();
        }
        for (param, arg) in args.iter().enumerate() {
            if let Some((index, kind)) = self.variables.param(callee, param as u32) {
                let value = path.operand(&self.scope(id, function, block), *arg, kind);
                update[index] = value.unwrap_or_else(|| path.arbitrary(kind));
            }
        }
        if let Some(from) = self.location(id, block) {
            self.push(from, to, path, update);
        }
    }
}

/// True for the functions whose result is a C truth value, whatever they are declared to return.
fn is_truth_input(name: &str) -> bool {
    matches!(name, "__VERIFIER_nondet_bool" | "__VERIFIER_nondet__Bool")
}
