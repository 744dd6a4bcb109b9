//! Which locals of a function that calls `setjmp` may have changed when control comes back there.

use belay_ir::{BlockId, Cfg, Function, InstId, Op, Operand, ops};
use rustc_hash::{FxHashMap, FxHashSet};

/// A local that the function itself may write after `setjmp`.
pub struct Written {
    pub object: InstId,
    /// The instructions that write it.
    pub writes: Vec<InstId>,
    /// The object that says whether one of them did.
    pub flag: Option<InstId>,
}

/// What has happened to the stack objects of a function when control comes back to a `setjmp`.
#[derive(Default)]
pub struct Changes {
    /// Locals of blocks that are not entered at the `setjmp`.
    pub ended: Vec<InstId>,
    pub written: Vec<Written>,
    /// Locals that others may have written.
    pub open: Vec<InstId>,
}

/// The changes by `setjmp`; `None` if it is not known which stack objects live there.
pub fn find_changes(
    function: &Function,
    sites: &[InstId],
    is_setjmp: impl Fn(&Op) -> bool,
) -> Option<FxHashMap<InstId, Changes>> {
    let uses = Uses::find(function, is_setjmp)?;
    let cfg = Cfg::new(function);
    let lives = find_lives(function, &cfg);
    let mut found = FxHashMap::default();
    for site in sites {
        let (may, must) = lives.get(site)?;
        let behind = reachable_from(function, &cfg, *site);
        let mut changes = Changes::default();
        for object in &uses.objects {
            let is_scoped = matches!(function.insts[*object].op, Op::Alloca { scoped: true, .. });
            match (is_scoped, may.contains(object), must.contains(object)) {
                (true, false, _) => changes.ended.push(*object),
                (true, true, false) => return None,
                (true, true, true) | (false, _, _) => uses.add_changes(&mut changes, *object, &behind),
            }
        }
        // The flags say what was written since the last time that control came by; a buffer that was filled before that may still be in use.
        if !changes.written.is_empty() && !has_fixed_buffer(function, *site) && comes_again(function, &cfg, *site) {
            return None;
        }
        found.insert(*site, changes);
    }
    Some(found)
}

/// How the stack objects of a function are used.
struct Uses {
    objects: Vec<InstId>,
    writes: FxHashMap<InstId, Vec<InstId>>,
    volatile: FxHashSet<InstId>,
    /// Those with an access that is not volatile: a member of a struct may be volatile, or an access by a cast, where the object is not.
    plain: FxHashSet<InstId>,
    escaped: FxHashSet<InstId>,
    buffers: FxHashSet<InstId>,
}

impl Uses {
    fn find(function: &Function, is_setjmp: impl Fn(&Op) -> bool) -> Option<Self> {
        let mut uses = Uses {
            objects: Vec::new(),
            writes: FxHashMap::default(),
            volatile: FxHashSet::default(),
            plain: FxHashSet::default(),
            escaped: FxHashSet::default(),
            buffers: FxHashSet::default(),
        };
        for (_, inst) in function.placed_insts() {
            match &function.insts[inst].op {
                Op::Alloca { dynamic: true, .. } | Op::StackSave | Op::StackRestore { .. } => return None,
                Op::Alloca { .. } => uses.objects.push(inst),
                op => uses.add_use(function, inst, op, is_setjmp(op)),
            }
        }
        for (_, body) in function.blocks.iter_enumerated() {
            body.term.for_each_operand(|operand| uses.escape(function, *operand));
        }
        Some(uses)
    }

    fn add_use(&mut self, function: &Function, inst: InstId, op: &Op, is_setjmp: bool) {
        match op {
            Op::Load { ptr, volatile, .. } => self.access(function, *ptr, None, *volatile),
            Op::Store { ptr, value, volatile, .. } => {
                self.access(function, *ptr, Some(inst), *volatile);
                self.escape(function, *value);
            }
            Op::MemSet { dst, .. } => self.access(function, *dst, Some(inst), false),
            Op::MemCopy { dst, src, .. } => {
                self.access(function, *dst, Some(inst), false);
                self.access(function, *src, None, false);
            }
            Op::Call { args, .. } if is_setjmp => {
                let buffer = args.first().and_then(|buffer| base_of(function, *buffer));
                self.buffers.extend(buffer.filter(|object| is_buffer_sized(function, *object)));
            }
            Op::PtrAdd { .. } | Op::Compare { .. } | Op::LifetimeStart { .. } | Op::LifetimeEnd { .. } => {}
            Op::Binary { .. }
            | Op::Overflows { .. }
            | Op::Unary { .. }
            | ops!(floats)
            | Op::Cast { .. }
            | Op::Select { .. }
            | Op::Phi { .. }
            | Op::Arbitrary { .. }
            | Op::Freeze { .. }
            | Op::Alloca { .. }
            | Op::StackSave
            | Op::StackRestore { .. }
            | ops!(variadic)
            | Op::Call { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => op.for_each_operand(|operand| self.escape(function, *operand)),
        }
    }

    fn access(&mut self, function: &Function, ptr: Operand, write: Option<InstId>, volatile: bool) {
        let Some(object) = base_of(function, ptr) else { return };
        if volatile {
            self.volatile.insert(object);
            return;
        }
        self.plain.insert(object);
        if let Some(write) = write {
            self.writes.entry(object).or_default().push(write);
        }
    }

    fn escape(&mut self, function: &Function, operand: Operand) {
        self.escaped.extend(base_of(function, operand));
    }

    fn add_changes(&self, changes: &mut Changes, object: InstId, behind: &FxHashSet<InstId>) {
        // A buffer of `setjmp` is written by `setjmp` alone.
        if self.buffers.contains(&object) && !self.writes.contains_key(&object) {
            return;
        }
        let writes = self.writes.get(&object).into_iter().flatten();
        let writes: Vec<InstId> = writes.copied().filter(|write| behind.contains(write)).collect();
        if self.escaped.contains(&object) {
            // Of a volatile one the accesses through pointers are volatile too.
            if !self.volatile.contains(&object) || self.plain.contains(&object) {
                changes.open.push(object);
            }
        } else if !writes.is_empty() {
            changes.written.push(Written { object, writes, flag: None });
        }
    }
}

/// True if nothing but a `jmp_buf` fits into a stack object that holds one.
fn is_buffer_sized(function: &Function, object: InstId) -> bool {
    const LARGEST: u128 = 200;
    matches!(&function.insts[object].op, Op::Alloca { size, .. } if size.as_int().is_some_and(|size| size <= LARGEST))
}

/// The stack object that an address is in, by address arithmetic alone.
fn base_of(function: &Function, mut operand: Operand) -> Option<InstId> {
    loop {
        let Operand::Inst(inst) = operand else { return None };
        match &function.insts[inst].op {
            Op::Alloca { .. } => return Some(inst),
            Op::PtrAdd { base, .. } => operand = *base,
            _ => return None,
        }
    }
}

/// True if a call of `setjmp` fills the same buffer whenever it is made.
fn has_fixed_buffer(function: &Function, site: InstId) -> bool {
    let Op::Call { args, .. } = &function.insts[site].op else { return false };
    let mut place = args.first().copied();
    while let Some(Operand::Inst(inst)) = place {
        place = match &function.insts[inst].op {
            Op::Alloca { .. } => return true,
            Op::PtrAdd { base, offset } if offset.as_int().is_some() => Some(*base),
            _ => None,
        };
    }
    matches!(place, Some(Operand::Global { .. }))
}

/// True if control may come to `site` again in the same activation.
fn comes_again(function: &Function, cfg: &Cfg, site: InstId) -> bool {
    let Some((start, _)) = function.placed_insts().find(|(_, inst)| *inst == site) else { return true };
    let mut seen = FxHashSet::default();
    let mut work: Vec<BlockId> = cfg.successors(start).to_vec();
    while let Some(block) = work.pop() {
        if seen.insert(block) {
            work.extend(cfg.successors(block));
        }
    }
    seen.contains(&start)
}

/// The instructions that may come after `site`.
fn reachable_from(function: &Function, cfg: &Cfg, site: InstId) -> FxHashSet<InstId> {
    let Some((start, _)) = function.placed_insts().find(|(_, inst)| *inst == site) else { return FxHashSet::default() };
    let insts = &function.blocks[start].insts;
    let mut found: FxHashSet<InstId> = insts.iter().copied().skip_while(|inst| *inst != site).collect();
    let mut seen = FxHashSet::default();
    let mut work: Vec<BlockId> = cfg.successors(start).to_vec();
    while let Some(block) = work.pop() {
        if seen.insert(block) {
            found.extend(&function.blocks[block].insts);
            work.extend(cfg.successors(block));
        }
    }
    found
}

type Live = FxHashSet<InstId>;

/// For each call, the scoped stack objects that may live there and those that live there on every way.
fn find_lives(function: &Function, cfg: &Cfg) -> FxHashMap<InstId, (Live, Live)> {
    let mut entry: FxHashMap<BlockId, (Live, Live)> = FxHashMap::default();
    entry.insert(Function::ENTRY, Default::default());
    let mut at_calls = FxHashMap::default();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for block in cfg.reverse_postorder() {
            let Some(lives) = entry.get(block).cloned() else { continue };
            let after = pass(function, *block, lives, &mut at_calls);
            for successor in cfg.successors(*block) {
                changed |= join(&mut entry, *successor, &after);
            }
        }
    }
    at_calls
}

fn pass(
    function: &Function,
    block: BlockId,
    mut lives: (Live, Live),
    at_calls: &mut FxHashMap<InstId, (Live, Live)>,
) -> (Live, Live) {
    for inst in &function.blocks[block].insts {
        match &function.insts[*inst].op {
            Op::LifetimeStart { object } => {
                lives.0.insert(*object);
                lives.1.insert(*object);
            }
            Op::LifetimeEnd { object } => {
                lives.0.remove(object);
                lives.1.remove(object);
            }
            Op::Call { .. } => {
                at_calls.insert(*inst, lives.clone());
            }
            ops!(values)
            | ops!(accesses)
            | ops!(variadic)
            | Op::Alloca { .. }
            | Op::StackSave
            | Op::StackRestore { .. }
            | Op::Extract { .. }
            | Op::Check { .. }
            | Op::Unsupported { .. } => {}
        }
    }
    lives
}

fn join(entry: &mut FxHashMap<BlockId, (Live, Live)>, block: BlockId, (may, must): &(Live, Live)) -> bool {
    let Some(known) = entry.get_mut(&block) else {
        entry.insert(block, (may.clone(), must.clone()));
        return true;
    };
    let before = (known.0.len(), known.1.len());
    known.0.extend(may);
    known.1.retain(|object| must.contains(object));
    before != (known.0.len(), known.1.len())
}
