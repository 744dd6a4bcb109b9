//! The code of one block of C, as far as debug information tells: which instructions stand in it, and the edges by which control gets in and out.

use belay_llvm::{Bb, Context, LLVMMetadataKind, LLVMOpcode, Meta, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The scope in which an instruction stands, or `None` for one without a place.
pub fn scope_of(context: &Context, inst: Value) -> Option<Meta> {
    let location = inst.debug_location().filter(|location| location.inlined_at().is_none())?;
    location.scope().and_then(|scope| block_of(context, scope))
}

/// The block itself, where a scope only says that a block goes on in another file.
pub fn block_of(context: &Context, mut scope: Meta) -> Option<Meta> {
    while matches!(scope.kind(), LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind) {
        scope = scope.enclosing(context)?;
    }
    Some(scope)
}

/// True if `scope` is `block` or stands in it.
pub fn stands_in(context: &Context, mut scope: Meta, block: Meta) -> bool {
    while scope != block {
        if scope.is_subprogram() {
            return false;
        }
        match scope.enclosing(context) {
            Some(enclosing) => scope = enclosing,
            None => return false,
        }
    }
    true
}

/// Which instructions of a function stand in a block.
pub struct Region {
    inside: FxHashMap<Value, bool>,
    /// Whether control is inside where a basic block begins.
    begins: FxHashMap<Bb, bool>,
    /// The first basic block with an instruction inside, in the order of the text.
    first: Option<Bb>,
}

impl Region {
    /// The instructions in `block`; `None` where an instruction that is more than a jump has no place to tell by.
    pub fn find(context: &Context, function: Value, block: Meta) -> Option<Self> {
        let mut region = Region { inside: FxHashMap::default(), begins: FxHashMap::default(), first: None };
        let blocks = function.blocks();
        let mut open = Vec::new();
        for (index, bb) in blocks.iter().enumerate() {
            let known = |inst: &Value| Some(stands_in(context, scope_of(context, *inst)?, block));
            // Before the first place in a function there are only its stack objects and parameters.
            let begins = if index == 0 { Some(false) } else { bb.instructions().iter().find_map(known) };
            let Some(mut state) = begins else {
                open.push(*bb);
                continue;
            };
            region.begins.insert(*bb, state);
            for inst in bb.instructions() {
                state = known(&inst).unwrap_or(state);
                region.inside.insert(inst, state);
                if state {
                    region.first.get_or_insert(*bb);
                }
            }
        }
        // Bare jumps: whether they count as inside makes no difference to any access. All computed jumps share one that stands nowhere, with a choice of the address before it: control counts as outside there.
        for bb in open.into_iter().rev() {
            if bb.terminator().opcode() == LLVMOpcode::LLVMIndirectBr {
                region.begins.insert(bb, false);
                region.inside.extend(bb.instructions().into_iter().map(|inst| (inst, false)));
                continue;
            }
            let [jump] = bb.instructions()[..] else { return None };
            let next = match jump.successors()[..] {
                [next] => region.begins.get(&next).copied(),
                _ => None,
            };
            let state = next.unwrap_or(false);
            region.begins.insert(bb, state);
            region.inside.insert(jump, state);
        }
        Some(region)
    }

    pub fn contains(&self, inst: Value) -> bool {
        self.inside.get(&inst).copied().unwrap_or(false)
    }

    fn begins(&self, bb: Bb) -> bool {
        self.begins.get(&bb).copied().unwrap_or(false)
    }

    /// True if control may leave the block and come back to its beginning by one jump: to a label that stands just before it (`again: { … goto again; }`), or round a loop
    /// that asks nothing (`for (;;) { … continue; }`). Whether it has left cannot be told then: the label may stand at the beginning of the block as well.
    fn may_begin_anew(&self, function: Value) -> bool {
        let Some(first) = self.first.filter(|first| self.begins(*first)) else { return false };
        let mut jumps = function.blocks().into_iter().map(Bb::terminator);
        jumps.any(|jump| self.contains(jump) && jump.successors().contains(&first))
    }

    /// True if control may get into the block and from there to an instruction that names an object without passing the object's declaration, by a jump from outside or by one inside.
    pub fn is_entered_past(&self, function: Value, declaration: Bb, users: &[Value]) -> bool {
        if self.may_begin_anew(function) {
            return true;
        }
        let (mut work, mut seen): (Vec<Bb>, FxHashSet<Bb>) = (Vec::new(), FxHashSet::default());
        for bb in function.blocks() {
            let jump = bb.terminator();
            let enters = |next: &Bb| self.begins(*next) && !self.contains(jump);
            work.extend(jump.successors().into_iter().filter(enters));
            // Control gets in where the block begins amid a basic block.
            if self.contains(jump)
                && bb.instructions().into_iter().any(|inst| !self.contains(inst))
                && bb != declaration
            {
                work.extend(jump.successors());
            }
        }
        while let Some(bb) = work.pop() {
            if bb == declaration || !self.begins(bb) || !seen.insert(bb) {
                continue;
            }
            if users.iter().any(|user| user.parent() == bb) {
                return true;
            }
            work.extend(bb.terminator().successors());
        }
        false
    }

    /// The edges on which control gets in (true) or out (false); `None` if one of them can't hold anything, or is not seen.
    pub fn crossings(&self, function: Value) -> Option<Vec<(Bb, Bb, bool)>> {
        if self.may_begin_anew(function) {
            return None;
        }
        let mut found = Vec::new();
        for bb in function.blocks() {
            let terminator = bb.terminator();
            let before = self.contains(terminator);
            for next in terminator.successors().into_iter().filter(|next| self.begins(*next) != before) {
                if !matches!(terminator.opcode(), LLVMOpcode::LLVMBr | LLVMOpcode::LLVMSwitch) {
                    return None;
                }
                found.push((bb, next, !before));
            }
        }
        Some(found)
    }

    /// The instructions before which control gets in or out, inside a basic block.
    pub fn turns(&self, function: Value) -> Vec<(Value, bool)> {
        let mut found = Vec::new();
        for bb in function.blocks() {
            let mut state = self.begins(bb);
            for inst in bb.instructions() {
                let next = self.contains(inst);
                if next != state {
                    found.push((inst, next));
                }
                state = next;
            }
        }
        found
    }

    /// True if control can come back to `bb` without leaving the block.
    pub fn goes_round(&self, bb: Bb) -> bool {
        self.reaches(bb, bb)
    }

    /// True if control can get from the end of one basic block to another without leaving the block.
    pub fn reaches(&self, from: Bb, to: Bb) -> bool {
        let stays = |bb: Bb| bb.instructions().into_iter().all(|inst| self.contains(inst));
        let inner = |bb: Bb| {
            let is_inside = self.contains(bb.terminator());
            bb.terminator().successors().into_iter().filter(move |next| is_inside && self.begins(*next))
        };
        let mut work: Vec<Bb> = inner(from).collect();
        let mut seen = FxHashSet::default();
        while let Some(bb) = work.pop() {
            if bb == to {
                return true;
            }
            if seen.insert(bb) && stays(bb) {
                work.extend(inner(bb));
            }
        }
        false
    }
}
