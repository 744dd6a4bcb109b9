//! How a function uses what its pointers lead to: which offsets it accesses, which pointers it loads from there and follows in turn, what it compares with
//! null, frees, scans for a 0. Every function once, callees before callers; flow and context do not matter. Nothing rests on it: it proposes descriptions, of
//! which each has to be proved sufficient.

use std::collections::{BTreeMap, BTreeSet};

use belay_ir::{
    Builtin, Callee, CastOp, FuncId, FuncKind, Function, GlobalId, InstId, Op, Operand, Program, Target, Terminator,
    Type,
};

/// Pointers are followed so many times at most.
const DEPTH: usize = 4;
/// Possible values of a register that are kept.
const VALUES: usize = 12;
/// Offsets into one object that a register may have before it may have any.
const OFFSETS: usize = 4;
/// Rounds over a function's instructions.
const ROUNDS: usize = 8;

/// Where a pointer comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// A parameter.
    Param(u32),
    /// A variable of static storage: the pointer to it.
    Global(GlobalId),
    /// Loaded from what another leads to.
    Loaded(usize, u64),
}

/// What is done with where a pointer leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Where the pointer comes from.
    pub origin: Origin,
    /// Whether anything is read or written there.
    pub is_accessed: bool,
    /// Whether anything is written there.
    pub is_written: bool,
    /// Where accesses at known offsets end.
    pub end: u64,
    /// Whether there are accesses before the pointer.
    pub is_negative: bool,
    /// Whether offsets vary.
    pub varies: bool,
    /// Whether the pointer is compared with null.
    pub is_null_tested: bool,
    /// Whether a 0 is looked for.
    pub is_zero_tested: bool,
    /// Whether it may be freed.
    pub is_freed: bool,
    /// Whether it is called.
    pub is_called: bool,
    /// Whether pointers are loaded from varying offsets.
    pub has_pointers: bool,
}

/// A number that may say how many elements there are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Count {
    /// A parameter.
    Param(u32),
    /// A member of what a pointer leads to.
    Member(usize, u64),
}

/// What a register may hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Value {
    /// A pointer, so many bytes moved; none if that is not known.
    Pointer(usize, Option<i64>),
    /// A number that was read there.
    Content(usize),
    /// A number.
    Count(Count),
    /// A function.
    Function(FuncId),
}

/// How one function uses its pointers.
#[derive(Clone, Default, Debug)]
pub struct Usage {
    /// The pointers, those that others are loaded from first.
    pub nodes: Vec<Node>,
    /// Numbers that are compared with others, or say how much is copied.
    pub counts: BTreeSet<Count>,
    /// Functions that it calls, those of callees too.
    pub calls: BTreeSet<FuncId>,
    /// Pointers to functions that it calls through: where they are kept.
    pub called_through: BTreeSet<(GlobalId, u64)>,
    results: BTreeSet<Value>,
    by_origin: BTreeMap<Origin, usize>,
}

/// The uses of all functions that are asked for.
pub struct Usages<'p> {
    program: &'p Program,
    known: BTreeMap<FuncId, Usage>,
    open: BTreeSet<FuncId>,
}

impl<'p> Usages<'p> {
    /// Nothing is known yet.
    pub fn new(program: &'p Program) -> Usages<'p> {
        Usages { program, known: BTreeMap::new(), open: BTreeSet::new() }
    }

    /// How a function uses its pointers. Of one that is under way nothing is known.
    pub fn of(&mut self, id: FuncId) -> Usage {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let function = &self.program.functions[id];
        if !function.is_defined() || !self.open.insert(id) {
            return Usage::default();
        }
        let usage = Walk { usages: self, function, found: Usage::default(), values: BTreeMap::new() }.run();
        self.open.remove(&id);
        self.known.insert(id, usage.clone());
        usage
    }
}

impl Usage {
    fn node(&mut self, origin: Origin) -> Option<usize> {
        if let Some(known) = self.by_origin.get(&origin) {
            return Some(*known);
        }
        if let Origin::Loaded(from, _) = origin
            && self.depth(from) + 1 >= DEPTH
        {
            return None;
        }
        self.nodes.push(Node {
            origin,
            is_accessed: false,
            is_written: false,
            end: 0,
            is_negative: false,
            varies: false,
            is_null_tested: false,
            is_zero_tested: false,
            is_freed: false,
            is_called: false,
            has_pointers: false,
        });
        self.by_origin.insert(origin, self.nodes.len() - 1);
        Some(self.nodes.len() - 1)
    }

    fn depth(&self, node: usize) -> usize {
        match self.nodes[node].origin {
            Origin::Param(_) | Origin::Global(_) => 0,
            Origin::Loaded(from, _) => self.depth(from) + 1,
        }
    }

    fn access(&mut self, node: usize, offset: Option<i64>, size: Option<u64>, is_written: bool) {
        let node = &mut self.nodes[node];
        node.is_accessed = true;
        node.is_written |= is_written;
        match (offset, size) {
            (Some(offset), Some(size)) => match u64::try_from(offset) {
                Ok(offset) => node.end = node.end.max(offset.saturating_add(size)),
                Err(_) => node.is_negative = true,
            },
            (None, _) | (_, None) => node.varies = true,
        }
    }

    /// A pointer is called: if it is kept in static storage, there.
    fn call_through(&mut self, node: usize) {
        if let Origin::Loaded(from, at) = self.nodes[node].origin
            && let Origin::Global(global) = self.nodes[from].origin
        {
            self.called_through.insert((global, at));
        }
    }

    /// The pointers that are loaded from where one leads, by offset.
    pub fn loaded(&self, from: usize) -> impl Iterator<Item = (u64, usize)> + '_ {
        self.by_origin.iter().filter_map(move |(origin, node)| match origin {
            Origin::Loaded(of, offset) if *of == from => Some((*offset, *node)),
            Origin::Loaded(..) | Origin::Param(_) | Origin::Global(_) => None,
        })
    }

    /// The pointer that a parameter is.
    pub fn of_param(&self, index: u32) -> Option<usize> {
        self.by_origin.get(&Origin::Param(index)).copied()
    }
}

/// A walk over the instructions of a function.
struct Walk<'w, 'p> {
    usages: &'w mut Usages<'p>,
    function: &'p Function,
    found: Usage,
    values: BTreeMap<InstId, BTreeSet<Value>>,
}

impl Walk<'_, '_> {
    fn run(mut self) -> Usage {
        for (index, param) in self.function.params.iter().enumerate() {
            if param.ty == Type::Ptr && param.byval.is_none() {
                self.found.node(Origin::Param(index as u32));
            }
        }
        for _ in 0..ROUNDS {
            let before = (self.values.clone(), self.found.nodes.clone(), self.found.calls.len());
            for (_, inst) in self.function.placed_insts() {
                self.step(inst);
            }
            for block in self.function.blocks.iter() {
                self.end(&block.term);
            }
            if before == (self.values.clone(), self.found.nodes.clone(), self.found.calls.len()) {
                break;
            }
        }
        self.found
    }

    fn values(&mut self, operand: Operand) -> Vec<Value> {
        match operand {
            Operand::Inst(inst) => self.values.get(&inst).into_iter().flatten().copied().collect(),
            Operand::Param(index) => match self.found.by_origin.get(&Origin::Param(index)) {
                Some(node) => vec![Value::Pointer(*node, Some(0))],
                None => vec![Value::Count(Count::Param(index))],
            },
            Operand::Global { global, offset } if !self.usages.program.globals[global].constant => {
                let node = self.found.node(Origin::Global(global));
                node.map(|node| Value::Pointer(node, Some(offset))).into_iter().collect()
            }
            Operand::Func(function) => vec![Value::Function(function)],
            Operand::Global { .. }
            | Operand::Int { .. }
            | Operand::F32(_)
            | Operand::F64(_)
            | Operand::Null
            | Operand::Undef(_) => Vec::new(),
        }
    }

    fn set(&mut self, inst: InstId, new: impl IntoIterator<Item = Value>) {
        let known = self.values.entry(inst).or_default();
        for value in new {
            let moved = known.iter().filter(|other| same_pointer(other, &value)).count();
            let widened = match value {
                Value::Pointer(node, Some(_)) if moved >= OFFSETS && !known.contains(&value) => {
                    Value::Pointer(node, None)
                }
                other => other,
            };
            if known.len() < VALUES {
                known.insert(widened);
            }
        }
    }

    fn step(&mut self, inst: InstId) {
        let (op, ty) = (&self.function.insts[inst].op, self.function.insts[inst].ty);
        match op {
            Op::Cast { op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::Bitcast, value }
            | Op::Freeze { value } => {
                let values = self.values(*value);
                self.set(inst, values);
            }
            Op::Cast { op: CastOp::PtrToInt | CastOp::IntToPtr, value } => {
                let values = self.values(*value);
                self.set(inst, values);
            }
            Op::PtrAdd { base, offset } => {
                let by = offset.as_int().map(|value| value as i64);
                let moved = |value: Value| match value {
                    Value::Pointer(node, at) => Some(Value::Pointer(node, at.zip(by).map(|(at, by)| at + by))),
                    Value::Content(_) | Value::Count(_) | Value::Function(_) => None,
                };
                let values: Vec<Value> = self.values(*base).into_iter().filter_map(moved).collect();
                self.set(inst, values);
            }
            Op::Select { then, otherwise, .. } => {
                let values = [self.values(*then), self.values(*otherwise)].concat();
                self.set(inst, values);
            }
            Op::Phi { incoming } => {
                let values: Vec<Value> = incoming.iter().flat_map(|(_, value)| self.values(*value)).collect();
                self.set(inst, values);
            }
            Op::Binary { lhs, rhs, .. } => {
                let numbers = |value: &Value| matches!(value, Value::Count(_) | Value::Content(_));
                let values: Vec<Value> =
                    [self.values(*lhs), self.values(*rhs)].concat().into_iter().filter(numbers).collect();
                self.set(inst, values);
            }
            Op::Compare { lhs, rhs, .. } => self.compare(*lhs, *rhs),
            Op::Load { ptr, .. } => self.load(inst, *ptr, ty),
            Op::Store { ptr, value, .. } => {
                let size = self.function.operand_type(*value).map(bytes_of);
                self.access(*ptr, size, true);
            }
            Op::MemCopy { dst, src, len, .. } => {
                self.copied(*src, *len, false);
                self.copied(*dst, *len, true);
            }
            Op::MemSet { dst, len, .. } => self.copied(*dst, *len, true),
            Op::Call { callee, args, .. } => self.call(inst, *callee, args),
            Op::Overflows { .. }
            | Op::Unary { .. }
            | Op::FloatBinary { .. }
            | Op::FloatUnary { .. }
            | Op::FloatFma { .. }
            | Op::FloatCompare { .. }
            | Op::Cast { .. }
            | Op::Arbitrary { .. }
            | Op::Alloca { .. }
            | Op::LifetimeStart { .. }
            | Op::LifetimeEnd { .. }
            | Op::StackSave
            | Op::StackRestore { .. }
            | Op::Extract { .. }
            | Op::VaStart { .. }
            | Op::VaCopy { .. }
            | Op::VaEnd { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => {}
        }
    }

    fn end(&mut self, term: &Terminator) {
        match term {
            Terminator::Return(results) => {
                for result in results {
                    let values = self.values(*result);
                    self.found.results.extend(values);
                }
            }
            Terminator::Switch { value, cases, .. } if cases.iter().any(|(case, _)| *case == 0) => {
                self.compare(*value, Operand::int(8, 0));
            }
            Terminator::Switch { .. }
            | Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Unreachable { .. } => {}
        }
    }

    fn compare(&mut self, lhs: Operand, rhs: Operand) {
        for (one, other) in [(lhs, rhs), (rhs, lhs)] {
            let (is_null, is_zero) = (other == Operand::Null, other.as_int() == Some(0));
            for value in self.values(one) {
                match value {
                    Value::Pointer(node, _) => self.found.nodes[node].is_null_tested |= is_null || is_zero,
                    Value::Content(node) => self.found.nodes[node].is_zero_tested |= is_zero,
                    Value::Count(count) => {
                        self.found.counts.insert(count);
                    }
                    Value::Function(_) => {}
                }
            }
        }
    }

    fn load(&mut self, inst: InstId, ptr: Operand, ty: Option<Type>) {
        let size = ty.map(bytes_of);
        self.access(ptr, size, false);
        let mut loaded = Vec::new();
        for value in self.values(ptr) {
            let Value::Pointer(node, at) = value else { continue };
            let at = at.and_then(|at| u64::try_from(at).ok());
            match (ty, at) {
                (Some(Type::Ptr), Some(at)) => {
                    if let (Origin::Global(global), _) = (self.found.nodes[node].origin, at) {
                        loaded.extend(self.kept_function(global, at).map(Value::Function));
                    }
                    let child = self.found.node(Origin::Loaded(node, at));
                    loaded.extend(child.map(|child| Value::Pointer(child, Some(0))));
                }
                (Some(Type::Ptr), None) => self.found.nodes[node].has_pointers = true,
                (_, at) => {
                    loaded.push(Value::Content(node));
                    loaded.extend(at.map(|at| Value::Count(Count::Member(node, at))));
                }
            }
        }
        self.set(inst, loaded);
    }

    /// The function whose address a variable is initialised with.
    fn kept_function(&self, global: GlobalId, at: u64) -> Option<FuncId> {
        let init = self.usages.program.globals[global].init.as_ref()?;
        let relocation = init.relocations.iter().find(|relocation| relocation.offset == at)?;
        match relocation.target {
            Target::Func(function) => Some(function),
            Target::Global(_) => None,
        }
    }

    fn access(&mut self, ptr: Operand, size: Option<u64>, is_written: bool) {
        for value in self.values(ptr) {
            if let Value::Pointer(node, at) = value {
                self.found.access(node, at, size, is_written);
            }
        }
    }

    fn copied(&mut self, ptr: Operand, len: Operand, is_written: bool) {
        let size = len.as_int().and_then(|len| u64::try_from(len).ok());
        self.access(ptr, size, is_written);
        for value in self.values(len) {
            if let Value::Count(count) = value {
                self.found.counts.insert(count);
            }
        }
    }

    fn call(&mut self, inst: InstId, callee: Callee, args: &[Operand]) {
        let targets: Vec<FuncId> = match callee {
            Callee::Direct(function) => vec![function],
            Callee::Indirect(operand, _) => self.called(operand),
        };
        for target in targets {
            self.found.calls.insert(target);
            match self.usages.program.functions[target].kind {
                FuncKind::Defined => self.apply(inst, target, args),
                FuncKind::Builtin(builtin) => self.call_builtin(builtin, args),
                FuncKind::Extern => {}
            }
        }
    }

    fn called(&mut self, operand: Operand) -> Vec<FuncId> {
        let mut targets = Vec::new();
        for value in self.values(operand) {
            match value {
                Value::Function(function) => targets.push(function),
                Value::Pointer(node, _) => {
                    self.found.nodes[node].is_called = true;
                    self.found.call_through(node);
                }
                Value::Content(_) | Value::Count(_) => {}
            }
        }
        targets
    }

    fn call_builtin(&mut self, builtin: Builtin, args: &[Operand]) {
        let texts: Vec<Operand> = match builtin {
            Builtin::Strlen | Builtin::Puts | Builtin::Fputs | Builtin::Printf | Builtin::Perror => {
                args.iter().take(1).copied().collect()
            }
            _ => Vec::new(),
        };
        for text in texts {
            for value in self.values(text) {
                if let Value::Pointer(node, _) = value {
                    self.found.access(node, None, None, false);
                    self.found.nodes[node].is_zero_tested = true;
                }
            }
        }
        if matches!(builtin, Builtin::Free | Builtin::Realloc)
            && let Some(freed) = args.first()
        {
            for value in self.values(*freed) {
                if let Value::Pointer(node, _) = value {
                    self.found.nodes[node].is_freed = true;
                }
            }
        }
    }

    /// What a callee does to its pointers is done to the arguments.
    fn apply(&mut self, inst: InstId, target: FuncId, args: &[Operand]) {
        let usage = self.usages.of(target);
        let given: Vec<Vec<Value>> = args.iter().map(|arg| self.values(*arg)).collect();
        let mut stand_for: Vec<Vec<(usize, Option<i64>)>> = Vec::new();
        for node in &usage.nodes {
            let meant: Vec<(usize, Option<i64>)> = match node.origin {
                Origin::Param(index) => pointers(given.get(index as usize)),
                Origin::Global(global) => {
                    self.found.node(Origin::Global(global)).map(|node| (node, Some(0))).into_iter().collect()
                }
                Origin::Loaded(from, at) => {
                    let from = stand_for[from].clone();
                    let sum = |moved: Option<i64>| u64::try_from(moved? + at as i64).ok();
                    let places = from.into_iter().filter_map(|(node, moved)| Some((node, sum(moved)?)));
                    let places: Vec<(usize, u64)> = places.collect();
                    places
                        .into_iter()
                        .filter_map(|(node, at)| Some((self.found.node(Origin::Loaded(node, at))?, Some(0))))
                        .collect()
                }
            };
            for (mine, moved) in &meant {
                self.found.join(*mine, *moved, node);
                if node.is_called {
                    self.found.call_through(*mine);
                }
            }
            stand_for.push(meant);
        }
        for count in &usage.counts {
            match count {
                Count::Param(index) => {
                    for value in given.get(*index as usize).into_iter().flatten() {
                        if let Value::Count(count) = value {
                            self.found.counts.insert(*count);
                        }
                    }
                }
                Count::Member(node, at) => {
                    for (mine, moved) in &stand_for[*node] {
                        let at = moved.and_then(|moved| u64::try_from(moved + *at as i64).ok());
                        self.found.counts.extend(at.map(|at| Count::Member(*mine, at)));
                    }
                }
            }
        }
        self.found.calls.extend(&usage.calls);
        self.found.called_through.extend(&usage.called_through);
        let mut results = Vec::new();
        for result in &usage.results {
            if let Value::Pointer(node, at) = result {
                for (mine, moved) in &stand_for[*node] {
                    results.push(Value::Pointer(*mine, at.zip(*moved).map(|(at, moved)| at + moved)));
                }
            }
        }
        self.set(inst, results);
    }
}

impl Usage {
    /// What a callee does to a pointer, which is one of mine moved.
    fn join(&mut self, mine: usize, moved: Option<i64>, other: &Node) {
        if other.is_accessed {
            let end = (!other.varies && other.end > 0).then_some(other.end);
            if other.end > 0 {
                self.access(mine, moved, Some(other.end), other.is_written);
            }
            if end.is_none() {
                self.access(mine, None, None, other.is_written);
            }
            self.nodes[mine].is_negative |= other.is_negative;
        }
        let node = &mut self.nodes[mine];
        node.is_null_tested |= other.is_null_tested;
        node.is_zero_tested |= other.is_zero_tested;
        node.is_freed |= other.is_freed;
        node.is_called |= other.is_called;
        node.has_pointers |= other.has_pointers;
    }
}

fn same_pointer(one: &Value, other: &Value) -> bool {
    matches!((one, other), (Value::Pointer(one, _), Value::Pointer(other, _)) if one == other)
}

fn pointers(values: Option<&Vec<Value>>) -> Vec<(usize, Option<i64>)> {
    let pointer = |value: &Value| match value {
        Value::Pointer(node, moved) => Some((*node, *moved)),
        Value::Content(_) | Value::Count(_) | Value::Function(_) => None,
    };
    values.into_iter().flatten().filter_map(pointer).collect()
}

fn bytes_of(ty: Type) -> u64 {
    match ty {
        Type::Int(width) => u64::from(width).div_ceil(8),
        Type::F32 => 4,
        Type::F64 | Type::Ptr => 8,
    }
}
