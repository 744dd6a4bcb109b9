//! Which values are variables of the system.

use belay_ir::{CType, CallGraph, FuncId, Function, GlobalId, InstId, Op, Operand, Program, Target, Type, ops};
use belay_its::Poly;
use belay_linear::Rat;
use rustc_hash::{FxHashMap, FxHashSet};

use super::kind::{Kind, Reading};
use super::readings::Readings;
use super::relevance::Relevance;
use super::summaries::result_width;

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A parameter of a function.
    Param(FuncId, u32),
    /// The value of an instruction.
    Inst(FuncId, InstId),
    /// A global.
    Global(GlobalId),
    /// The result of a function.
    Result(FuncId),
}

/// The variables, by index.
#[derive(Clone, Debug)]
pub(super) struct Variables {
    sources: Vec<(Source, Kind)>,
    index: FxHashMap<Source, usize>,
}

impl Variables {
    /// The variables of the functions `own`, and the globals that only `reachable` functions, `own` among them, may touch.
    pub(super) fn of(
        program: &Program,
        (reachable, own): (&[FuncId], &[FuncId]),
        relevance: &Relevance,
        readings: &Readings,
    ) -> Self {
        let mut variables = Self { sources: Vec::new(), index: FxHashMap::default() };
        for (global, width) in scalar_globals(program, reachable) {
            if relevance.value(Source::Global(global)) {
                variables.add(Source::Global(global), readings.global(global, width));
            }
        }
        for id in own {
            let function = &program.functions[*id];
            let result = Source::Result(*id);
            if let (Some(width), true) = (result_width(function), relevance.value(result)) {
                variables.add(result, readings.kind(result, width));
            }
            let used = find_used_params(function);
            for (param, declared) in function.params.iter().enumerate() {
                let source = Source::Param(*id, param as u32);
                let matters = used.contains(&(param as u32)) && relevance.value(source);
                if let (Some(width), true) = (declared.ty.int_width(), matters) {
                    variables.add(source, readings.kind(source, width));
                }
            }
            for inst in crossing(function).into_iter().filter(|inst| relevance.value(Source::Inst(*id, *inst))) {
                if let Some(width) = function.insts[inst].ty.and_then(Type::int_width) {
                    variables.add(Source::Inst(*id, inst), readings.inst(*id, inst, width));
                }
            }
        }
        variables
    }

    fn add(&mut self, source: Source, kind: Kind) {
        self.index.insert(source, self.sources.len());
        self.sources.push((source, kind));
    }

    pub(super) fn len(&self) -> usize {
        self.sources.len()
    }

    pub(super) fn kind(&self, index: usize) -> Kind {
        self.sources[index].1
    }

    pub(super) fn find(&self, source: Source) -> Option<(usize, Kind)> {
        self.index.get(&source).map(|index| (*index, self.sources[*index].1))
    }

    pub(super) fn param(&self, function: FuncId, param: u32) -> Option<(usize, Kind)> {
        self.find(Source::Param(function, param))
    }

    pub(super) fn inst(&self, function: FuncId, inst: InstId) -> Option<(usize, Kind)> {
        self.find(Source::Inst(function, inst))
    }

    pub(super) fn global(&self, ptr: Operand) -> Option<usize> {
        self.find(Source::Global(global_of(ptr)?)).map(|(index, _)| index)
    }

    pub(super) fn unchanged(&self) -> Vec<Poly> {
        (0..self.len()).map(super::var).collect()
    }

    /// The globals among the variables with their initial values.
    pub(super) fn initial_globals(&self, program: &Program) -> Vec<(usize, Rat)> {
        let value = |(index, (source, kind)): (usize, &(Source, Kind))| {
            let Source::Global(global) = source else { return None };
            let bytes = &program.globals[*global].init.as_ref()?.bytes;
            let bits = bytes.iter().rev().fold(0u128, |sum, byte| (sum << 8) | u128::from(*byte));
            Some((index, super::kind::rational(kind.number(bits))))
        };
        self.sources.iter().enumerate().filter_map(value).collect()
    }

    /// The globals that a call of one of these functions may change.
    pub(super) fn collect_changed(&self, program: &Program, graph: &CallGraph, callees: &[FuncId]) -> Vec<usize> {
        let mut changed = FxHashSet::default();
        for id in graph.reachable_from(callees) {
            let function = &program.functions[id];
            for (_, inst) in function.placed_insts() {
                match &function.insts[inst].op {
                    Op::Store { ptr, .. } => changed.extend(self.global(*ptr)),
                    // What is copied or filled is no variable.
                    Op::Load { .. } | Op::MemCopy { .. } | Op::MemSet { .. } => {}
                    ops!(values) | ops!(lives) | ops!(variadic) => {}
                    Op::Call { .. } | Op::Extract { .. } | Op::Check { .. } | Op::Unsupported { .. } => {}
                }
            }
        }
        let mut sorted: Vec<usize> = changed.into_iter().collect();
        sorted.sort_unstable();
        sorted
    }

    pub(super) fn names(&self, program: &Program) -> Vec<String> {
        let name = |(index, (source, _)): (usize, &(Source, Kind))| match source {
            Source::Global(global) => format!("{}_{index}", program.globals[*global].name),
            Source::Result(id) => format!("{}_{index}", program.functions[*id].name),
            Source::Param(id, param) => format!("{}_{index}", program.functions[*id].params[*param as usize].name),
            Source::Inst(id, inst) => {
                let local = program.functions[*id].local_of_value(*inst);
                local.map_or_else(|| format!("v_{index}"), |local| format!("{}_{index}", local.name))
            }
        };
        self.sources.iter().enumerate().map(name).collect()
    }

    /// How C says that a variable is read otherwise than it is declared.
    pub(super) fn casts(&self, program: &Program) -> Vec<Option<&'static str>> {
        let declared = |source: &Source| match source {
            Source::Global(global) => Some(program.globals[*global].ctype),
            Source::Result(_) => None,
            Source::Param(id, param) => {
                let function = &program.functions[*id];
                let name = &function.params.get(*param as usize)?.name;
                function.locals.iter().find(|local| local.name == *name).map(|local| local.ctype)
            }
            Source::Inst(id, inst) => program.functions[*id].local_of_value(*inst).map(|local| local.ctype),
        };
        let cast = |(source, kind): &(Source, Kind)| match (declared(source)?, kind.reading, kind.width) {
            (CType::Signed | CType::Char, Reading::Unsigned, 8) => Some("unsigned char"),
            (CType::Signed, Reading::Unsigned, 16) => Some("unsigned short"),
            (CType::Signed, Reading::Unsigned, 32) => Some("unsigned"),
            (CType::Signed, Reading::Unsigned, 64) => Some("unsigned long long"),
            (CType::Unsigned, Reading::Signed, 8) => Some("signed char"),
            (CType::Unsigned, Reading::Signed, 16) => Some("short"),
            (CType::Unsigned, Reading::Signed, 32) => Some("int"),
            (CType::Unsigned, Reading::Signed, 64) => Some("long long"),
            (_, _, _) => None,
        };
        self.sources.iter().map(cast).collect()
    }

    pub(super) fn into_sources(self) -> Vec<Source> {
        self.sources.into_iter().map(|(source, _)| source).collect()
    }
}

/// The global that an operand is the address of.
pub(super) fn global_of(ptr: Operand) -> Option<GlobalId> {
    match ptr {
        Operand::Global { global, offset: 0 } => Some(global),
        Operand::Global { .. }
        | Operand::Inst(_)
        | Operand::Param(_)
        | Operand::Int { .. }
        | Operand::F32(_)
        | Operand::F64(_)
        | Operand::Null
        | Operand::Func(_)
        | Operand::Undef(_) => None,
    }
}

/// Integer globals that are only ever loaded and stored whole, by name: nothing else can change them. One that starts with an address holds no number that the initialiser says.
fn scalar_globals(program: &Program, reachable: &[FuncId]) -> Vec<(GlobalId, u16)> {
    let mut widths: FxHashMap<GlobalId, Option<u16>> = FxHashMap::default();
    for (id, global) in program.globals.iter_enumerated() {
        for relocation in global.init.iter().flat_map(|init| &init.relocations) {
            widths.insert(id, None);
            if let Target::Global(target) = relocation.target {
                widths.insert(target, None);
            }
        }
    }
    for id in reachable {
        let function = &program.functions[*id];
        for (_, inst) in function.placed_insts() {
            note_uses(program, function, inst, &mut widths);
        }
        for block in function.blocks.iter() {
            block.term.for_each_operand(|operand| reject(*operand, &mut widths));
        }
    }
    let mut globals: Vec<(GlobalId, u16)> =
        widths.into_iter().filter_map(|(global, width)| width.map(|width| (global, width))).collect();
    globals.sort_unstable();
    globals
}

fn note_uses(program: &Program, function: &Function, inst: InstId, widths: &mut FxHashMap<GlobalId, Option<u16>>) {
    let instruction = &function.insts[inst];
    let access = match &instruction.op {
        Op::Load { ptr, .. } => Some((*ptr, instruction.ty)),
        Op::Store { ptr, value, .. } => {
            reject(*value, widths);
            Some((*ptr, function.operand_type(*value)))
        }
        Op::MemCopy { .. } | Op::MemSet { .. } | ops!(values) | ops!(lives) | ops!(variadic) => None,
        Op::Call { .. } | Op::Extract { .. } | Op::Check { .. } | Op::Unsupported { .. } => None,
    };
    match access {
        Some((Operand::Global { global, offset: 0 }, Some(Type::Int(width))))
            if program.globals[global].size == Some(program.layout.store_size(Type::Int(width))) && width % 8 == 0 =>
        {
            let known = widths.entry(global).or_insert(Some(width));
            if *known != Some(width) {
                *known = None;
            }
        }
        Some((ptr, _)) => reject(ptr, widths),
        None => instruction.op.for_each_operand(|operand| reject(*operand, widths)),
    }
}

fn reject(operand: Operand, widths: &mut FxHashMap<GlobalId, Option<u16>>) {
    if let Operand::Global { global, .. } = operand {
        widths.insert(global, None);
    }
}

fn find_used_params(function: &Function) -> FxHashSet<u32> {
    let mut used = FxHashSet::default();
    let mut note = |operand: &Operand| {
        if let Operand::Param(param) = operand {
            used.insert(*param);
        }
    };
    for (_, inst) in function.placed_insts() {
        function.insts[inst].op.for_each_operand(&mut note);
    }
    for block in function.blocks.iter() {
        block.term.for_each_operand(&mut note);
    }
    used
}

/// The instructions whose value is used in another block than their own, phis of which count as used at their own block.
fn crossing(function: &Function) -> Vec<InstId> {
    let home: FxHashMap<InstId, belay_ir::BlockId> =
        function.placed_insts().map(|(block, inst)| (inst, block)).collect();
    let mut found = FxHashSet::default();
    for (block, body) in function.blocks.iter_enumerated() {
        let mut note = |operand: &Operand, at: belay_ir::BlockId| {
            if let Operand::Inst(inst) = operand
                && home.get(inst).is_some_and(|home| *home != at)
            {
                found.insert(*inst);
            }
        };
        for inst in &body.insts {
            match &function.insts[*inst].op {
                Op::Phi { incoming } => incoming.iter().for_each(|(from, value)| note(value, *from)),
                op => op.for_each_operand(|operand| note(operand, block)),
            }
        }
        body.term.for_each_operand(|operand| note(operand, block));
    }
    found.extend(
        function.placed_insts().map(|(_, inst)| inst).filter(|inst| matches!(function.insts[*inst].op, Op::Phi { .. })),
    );
    let mut sorted: Vec<InstId> = found.into_iter().collect();
    sorted.sort_unstable();
    sorted
}
