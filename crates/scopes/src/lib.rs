//! Where the lives of locals begin and end, and where that is not known.
//!
//! clang marks the life of a local with `llvm.lifetime.start` and `.end`, except where a `goto` or `switch` may jump past its declaration, and for
//! compound literals. Such an object lives as long as control is in the block of C that it belongs to (C17 6.2.4p6, 6.5.2.5p5): it comes to life where
//! control gets into the block, by whatever way, and ends where control leaves it; reaching a declaration or a literal again without leaving the block
//! is the same life. Of the function's outermost block it lives as long as the function. Where a declaration is reached again the object stays, and with it the pointers into
//! it; what it holds is indeterminate then (C17 6.2.4p6), unless it is initialised, which comes after ([`Lives::renewed`]).
//!
//! **The block** is that of the debug information: clang makes a scope for every compound statement, for every `if` and two for every `for`, and gives each
//! instruction the scope that it was made for. [`Region`] turns a scope into edges of the control flow on which a life begins or ends.
//!
//! **Why this is the block of C.** A variable's scope is that of its declaration. A literal's is that of the instructions that fill and use it, which must
//! all have one. Where C has blocks for which clang makes no scope, a literal would seem to live too long or, in the inner scope of a `for`, from which the
//! branch of the loop stands outside, too short. So these are looked for, and what stands in them has no known life:
//! - the inner scope of a `for`: the position of such a scope is that of the one around it (as are those of blocks in a macro, which are refused with them);
//! - bodies of `while` and `do` without braces, and what loops ask: there control comes back to the literal without leaving its scope, by way of a basic block that
//!   has a name of a loop (round by `goto` alone is the same life: 6.5.2.5p16). One that goes round no more than once has such a block all the same, entered from the scope;
//! - what a `switch` or such a `while` asks: its code stands before the jump, and its place behind the place of the jump;
//! - bodies of `switch` without braces: a case begins in the scope of the `switch` itself;
//! - a `switch` of a constant, of which clang keeps the case that is taken and nothing else: the function's text has one more `switch` than there are jumps, or a macro that makes one ([`switches`]).
//!
//! For an `if` without braces the scope is the whole `if`: nothing is executed between the end of a branch and the end of the statement.
//! What runs at the end of a block (`__attribute__((cleanup))`) has a place outside; such a call takes the address of a variable outside that variable's own
//! scope, which no expression of C can, and a function with one is left as it was. So is one that calls `setjmp`, and code that was not compiled here: optimisers move instructions, and their places tell nothing.
//!
//! **Uncertain lives.** What is left is refused only where it matters ([`escape`]).

mod constant;
mod escape;
mod region;
mod switches;

use belay_llvm::{Bb, Context, LLVMOpcode, LLVMValueKind, Meta, Value};
pub use constant::{ConstantLocals, find_constant_locals};
pub use escape::{has_lifetime_markers, is_call_of};
use region::{Region, block_of, scope_of, stands_in};
use rustc_hash::{FxHashMap, FxHashSet};

/// The begin or the end of an object's life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn<O> {
    /// The object.
    pub object: O,
    /// Whether it comes to life.
    pub begins: bool,
}

/// The lives of a function's stack objects, as far as clang does not mark them.
#[derive(Default)]
pub struct Lives {
    /// Objects that live only where it is said here.
    pub scoped: FxHashSet<Value>,
    /// What happens just before an instruction.
    pub before: FxHashMap<Value, Vec<Turn<Value>>>,
    /// What happens on the way from one basic block to another.
    pub between: FxHashMap<(Bb, Bb), Vec<Turn<Value>>>,
    /// Objects whose declaration stands just before an instruction and may be reached again while they live.
    pub renewed: FxHashMap<Value, Vec<Value>>,
    /// Instructions at which the end of an object's life matters and is not known, and what to say there.
    pub uncertain: FxHashMap<Value, String>,
}

/// Names of stack objects that clang makes for itself and fills before it reads them.
const MADE: [&str; 5] = ["retval", "saved_stack", "tmp", "coerce", ""];

/// True of a name that a variable of C may have, and nothing that clang makes for itself.
fn is_of_c(name: &str) -> bool {
    let is_word = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    // Where there are several, they are numbered.
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    is_word && !MADE.contains(&stem) && !name.starts_with("__vla_expr")
}

/// What the lives of a function are found from.
struct Search<'c> {
    context: &'c Context,
    function: Value,
    declared: FxHashMap<Value, Meta>,
    /// Whether the places of instructions are those of C.
    has_places: bool,
    /// Whether clang made the function here, from C: elsewhere an object lives as long as its code says.
    is_c: bool,
}

/// Finds the lives of a function's stack objects; `compiled` says whether clang made the function here, from C.
pub fn find_lives(context: &Context, function: Value, compiled: bool) -> Lives {
    let mut declared = FxHashMap::default();
    for inst in instructions(function) {
        declared.extend(inst.declared().into_iter().map(|found| (found.storage, found.variable)));
    }
    let mut search = Search { context, function, declared, has_places: compiled, is_c: compiled };
    search.has_places &= !instructions(function).any(|inst| is_setjmp(inst) || search.is_cleanup(inst));
    let mut lives = Lives::default();
    let entry = function.blocks()[0];
    for alloca in entry.instructions().into_iter().filter(|inst| inst.opcode() == LLVMOpcode::LLVMAlloca) {
        if !has_lifetime_markers(alloca) && !is_dynamic(alloca) {
            search.add(alloca, &mut lives);
        }
    }
    if compiled {
        lives.renewed = find_renewed(function);
    }
    lives
}

/// The declarations that control may come back to, of objects that clang does not mark.
fn find_renewed(function: Value) -> FxHashMap<Value, Vec<Value>> {
    let is_unmarked = |storage: &Value| {
        let is_alloca =
            storage.kind() == LLVMValueKind::LLVMInstructionValueKind && storage.opcode() == LLVMOpcode::LLVMAlloca;
        is_alloca && !has_lifetime_markers(*storage) && !is_dynamic(*storage)
    };
    let mut renewed = FxHashMap::default();
    for bb in function.blocks() {
        for inst in bb.instructions() {
            let storages = inst.declared().into_iter().map(|found| found.storage);
            let found: Vec<Value> = storages.filter(is_unmarked).collect();
            if !found.is_empty() && comes_back(bb) {
                renewed.insert(inst, found);
            }
        }
    }
    renewed
}

/// True if control may come back to a basic block.
fn comes_back(bb: Bb) -> bool {
    let mut open = bb.terminator().successors();
    let mut seen = FxHashSet::default();
    while let Some(next) = open.pop() {
        if next == bb {
            return true;
        }
        if seen.insert(next) {
            open.extend(next.terminator().successors());
        }
    }
    false
}

impl Search<'_> {
    fn add(&self, alloca: Value, lives: &mut Lives) {
        let variable = self.declared.get(&alloca).copied();
        let is_outermost = match variable {
            Some(variable) => variable.variable_scope().is_none_or(Meta::is_subprogram),
            None => self.lives_in_outermost(alloca),
        };
        if is_outermost {
            return;
        }
        let mut escapes = escape::escapes(alloca);
        // A literal is filled wherever it is reached, and so is what clang itself makes, which has a name that C has not; what a local held in an earlier life is lost. (A local that is
        // declared where control never gets, before the first case of a `switch`, has no description.)
        let is_local = variable.is_some() || is_of_c(&alloca.name());
        if escapes.is_empty() && !is_local || self.add_life(alloca, variable, lives).is_some() {
            return;
        }
        if is_local && self.is_c && self.may_be_bypassed(alloca, variable) {
            escapes.extend(escape::reads(alloca));
        }
        let name = variable.and_then(|variable| variable.operands(self.context).get(1).copied().flatten()?.md_string());
        let name = name.unwrap_or_else(|| alloca.name());
        for escape in escapes {
            let what = format!("scope: `{name}` or its address is used, and the end of its life is not known");
            lives.uncertain.insert(escape, what);
        }
    }

    /// True of a local if control may get into its block past its declaration, where what it held in an earlier life would still be there. (A declaration that is reached forgets it.)
    fn may_be_bypassed(&self, alloca: Value, variable: Option<Meta>) -> bool {
        // Where control never comes back there is one life.
        if !alloca.users().into_iter().any(|user| comes_back(user.parent())) {
            return false;
        }
        let declares = |inst: &Value| inst.declared().iter().any(|found| found.storage == alloca);
        let entered = || {
            let block = block_of(self.context, variable?.variable_scope()?)?;
            let declaration = instructions(self.function).find(declares)?;
            let region = Region::find(self.context, self.function, block)?;
            Some(region.is_entered_past(self.function, declaration.parent(), &alloca.users()))
        };
        !self.has_places || entered().unwrap_or(true)
    }

    /// True for what has no description, stands in the outermost block and in no block that has no scope.
    fn lives_in_outermost(&self, alloca: Value) -> bool {
        let is_outermost = |inst: Value| scope_of(self.context, inst).is_none_or(Meta::is_subprogram);
        if !alloca.users().into_iter().all(is_outermost) {
            return false;
        }
        match (is_literal(alloca), self.function.subprogram()) {
            (true, Some(outermost)) if self.has_places => {
                let region = Region::find(self.context, self.function, outermost);
                region.is_none_or(|region| !self.is_in_hidden_block(alloca, outermost, &region))
            }
            _ => true,
        }
    }

    /// Puts down where an object's life begins and ends, if that is known.
    fn add_life(&self, alloca: Value, variable: Option<Meta>, lives: &mut Lives) -> Option<()> {
        if !self.has_places {
            return None;
        }
        let block = match variable {
            Some(variable) => block_of(self.context, variable.variable_scope()?)?,
            None => self.block_of_literal(alloca)?,
        };
        let region = Region::find(self.context, self.function, block)?;
        let is_named_inside = alloca.users().into_iter().all(|user| region.contains(user));
        if !is_named_inside || variable.is_none() && self.is_hidden(alloca, block, &region) {
            return None;
        }
        for (from, to, begins) in region.crossings(self.function)? {
            let turns = lives.between.entry((from, to)).or_default();
            if !turns.iter().any(|turn| turn.object == alloca) {
                turns.push(Turn { object: alloca, begins });
            }
        }
        for (inst, begins) in region.turns(self.function) {
            lives.before.entry(inst).or_default().push(Turn { object: alloca, begins });
        }
        lives.scoped.insert(alloca);
        Some(())
    }

    /// The one scope of everything that names a literal.
    fn block_of_literal(&self, alloca: Value) -> Option<Meta> {
        let mut scopes = alloca.users().into_iter().map(|user| scope_of(self.context, user));
        let first = scopes.next()??;
        (is_literal(alloca) && scopes.all(|scope| scope == Some(first))).then_some(first)
    }

    /// True if a literal may belong to a block of C that has no scope, or the scope is one that its own code leaves.
    fn is_hidden(&self, literal: Value, block: Meta, region: &Region) -> bool {
        let position = |scope: Meta| scope.block_position(self.context);
        let is_inner = match block.enclosing(self.context).and_then(|around| block_of(self.context, around)) {
            Some(around) if around.is_subprogram() => position(block).is_none(),
            Some(around) => position(block).is_none() || position(block) == position(around),
            None => true,
        };
        is_inner || self.is_in_hidden_block(literal, block, region)
    }

    /// True if a literal whose scope is `block` may stand in a loop or `switch` without braces, or in what one of them asks.
    fn is_in_hidden_block(&self, literal: Value, block: Meta, region: &Region) -> bool {
        let homes: FxHashSet<Bb> = literal.users().into_iter().map(Value::parent).collect();
        let is_here = |inst: Value| scope_of(self.context, inst) == Some(block);
        let place = |inst: Value| inst.debug_location().map(|location| (location.line(), location.column()));
        let first = literal.users().into_iter().filter_map(place).min();
        let is_near = |from: Bb, to: Bb| from == to || region.reaches(from, to);
        let starts_bare = |bb: Bb| is_loop_start(bb) && !region.goes_round(bb) && self.is_entered_from(bb, block);
        homes.iter().any(|home| self.goes_round_a_loop(*home, region))
            || first.is_none_or(|(line, _)| switches::may_hide(self.context, self.function, line))
            || self.function.blocks().into_iter().any(|bb| {
                let jump = bb.terminator();
                let asks = is_question(jump) && is_here(jump) && place(jump) <= first;
                let asked = asks && homes.iter().any(|home| is_near(*home, bb));
                let is_bare = starts_bare(bb)
                    && bb.instructions().into_iter().any(|inst| inst != jump && is_here(inst))
                    && homes.iter().any(|home| is_near(bb, *home));
                let has_bare = jump.opcode() == LLVMOpcode::LLVMSwitch && is_here(jump) && has_bare_case(jump, is_here);
                asked || is_bare || has_bare
            })
    }

    /// True if control comes back to a basic block without leaving the scope, by way of a loop: round by `goto` alone is the same life.
    fn goes_round_a_loop(&self, home: Bb, region: &Region) -> bool {
        let is_on_way = |bb: Bb| bb == home || region.reaches(home, bb) && region.reaches(bb, home);
        region.goes_round(home) && self.function.blocks().into_iter().any(|bb| is_of_loop(bb) && is_on_way(bb))
    }

    /// True if a jump that stands in the scope itself, not in one inside, leads to a basic block.
    fn is_entered_from(&self, bb: Bb, block: Meta) -> bool {
        let mut jumps = self.function.blocks().into_iter().map(Bb::terminator);
        jumps.any(|jump| scope_of(self.context, jump) == Some(block) && jump.successors().contains(&bb))
    }

    /// True for a call that takes the address of a variable outside the variable's scope.
    fn is_cleanup(&self, inst: Value) -> bool {
        let is_plain = inst.opcode() == LLVMOpcode::LLVMCall && !is_call_of(inst, "llvm.");
        is_plain
            && inst.arguments().into_iter().any(|argument| {
                let home = self.declared.get(&argument).and_then(|variable| variable.variable_scope());
                let place = scope_of(self.context, inst);
                match (home.and_then(|home| block_of(self.context, home)), place) {
                    (Some(home), Some(place)) => !stands_in(self.context, place, home),
                    _ => false,
                }
            })
    }
}

/// True for the jump of a `switch`, or of a `while`.
fn is_question(jump: Value) -> bool {
    jump.opcode() == LLVMOpcode::LLVMSwitch || jump.successors().into_iter().any(|bb| bb.name().starts_with("while."))
}

/// True for a basic block in which clang puts the beginning of a loop without a scope of its own.
fn is_loop_start(bb: Bb) -> bool {
    ["while.cond", "while.body", "do.body"].iter().any(|prefix| bb.name().starts_with(prefix))
}

/// True for a basic block that clang makes for a loop.
fn is_of_loop(bb: Bb) -> bool {
    ["while.", "do.", "for."].iter().any(|prefix| bb.name().starts_with(prefix))
}

/// True if a case begins in the scope of the `switch`.
fn has_bare_case(switch: Value, is_here: impl Fn(Value) -> bool) -> bool {
    let starts_here = |bb: Bb| {
        let mut placed = bb.instructions().into_iter().filter(|inst| inst.debug_location().is_some());
        placed.next().is_some_and(&is_here)
    };
    switch.successors().into_iter().any(|bb| !bb.name().starts_with("sw.epilog") && starts_here(bb))
}

/// True if the object is no local: `__builtin_alloca` makes it, which lives until the function returns, or it is an array of variable
/// length, whose end is in the code. A local's instruction counts one object, in 32 bits.
fn is_dynamic(alloca: Value) -> bool {
    let count = alloca.operand(0);
    let is_constant = count.kind() == LLVMValueKind::LLVMConstantIntValueKind;
    !is_constant || count.int_value() != 1 || count.ty().int_width() != 32
}

fn is_literal(alloca: Value) -> bool {
    alloca.name().starts_with(".compoundliteral")
}

fn is_setjmp(inst: Value) -> bool {
    ["setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp"].iter().any(|name| is_call_of(inst, name))
}

fn instructions(function: Value) -> impl Iterator<Item = Value> {
    function.blocks().into_iter().flat_map(Bb::instructions)
}
