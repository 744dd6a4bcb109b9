//! States that recur. A run that comes back to a state, with no choice in between but inputs, can go on like that for ever: an
//! input does not depend on earlier ones, so that the same inputs can be given again, and what the run does is a function of
//! its state and its choices.
//!
//! Brent's method (1980): a snapshot at power-of-two distances, counted in passes through back edges, and a comparison with it
//! at each later pass through the same place. Two states are equal up to the names of objects and of undefined bytes: a walk from
//! the frames and globals of both pairs the objects as it meets them, and the pairs must be one to one. Objects that no
//! walk meets cannot matter: the heap and the stack are unlimited. Undecided bytes may be renamed as long as that is one to one
//! too; none is decided in between, so that their values play no part.
//!
//! Copying and comparing cost work; they are put off while more work has gone into them than into running.

use belay_base::Id;
use rustc_hash::FxHashMap;

use crate::contents::{Piece, Special};
use crate::integers::Integers;
use crate::memory::{Life, Memory, Object};
use crate::observer::Observer;
use crate::reentry::Reentry;
use crate::report::{ObjectKind, RunEnd};
use crate::run::{Res, Run, Stop};
use crate::value::{Bit, Byte, ObjectId, Pointer, Token, Value};
use belay_rules::Choice;

/// States that take more memory are not kept.
const MAX_STATE: u64 = 1 << 28;

/// How many steps the run makes for each object compared, but for the first few.
const WORK_WEIGHT: u64 = 8;
const FREE_WORK: u64 = 100_000;

/// Bytes that are copied for each unit of work.
const SIZE_WEIGHT: u64 = 64;

/// Dead objects whose lives are compared one by one.
const MAX_DEAD: usize = 64;

/// What is kept of a frame.
#[derive(Debug, PartialEq, Eq)]
struct FrameMark {
    function: belay_ir::FuncId,
    pc: usize,
    base: usize,
    objects: usize,
}

#[derive(Debug)]
struct Snapshot<Int> {
    memory: Memory,
    registers: Vec<Value<Int>>,
    frames: Vec<FrameMark>,
    variadic: Vec<Value<Int>>,
    stack_objects: Vec<(ObjectId, bool)>,
    pc: usize,
    steps: u64,
    choices: usize,
}

/// The search for a recurring state.
#[derive(Debug)]
pub(crate) struct Recurrence<Int> {
    passes: u64,
    next: u64,
    snapshot: Option<Box<Snapshot<Int>>>,
    pub(crate) reentry: Reentry<Int>,
    pub(crate) work: u64,
}

impl<Int> Default for Recurrence<Int> {
    fn default() -> Self {
        Self { passes: 0, next: 1, snapshot: None, reentry: Reentry::default(), work: 0 }
    }
}

impl<M: Integers, O: Observer> Run<'_, M, O> {
    /// At a back edge, with `pc` at its target.
    #[cold]
    pub(crate) fn look_for_recurrence(&mut self) -> Res<()> {
        let Some(mut state) = self.recurrence.take() else { return Ok(()) };
        state.passes += 1;
        let period = self.recurs(&mut state);
        if let Some((start, period, inputs)) = period {
            let (span, function) = (self.span(), self.code.function);
            return Err(Box::new(Stop::End(RunEnd::Recurs { start, period, span, function, inputs, nested: false })));
        }
        let work = self.state_work();
        if state.passes >= state.next && self.is_affordable(state.work + work) {
            state.next = state.passes * 2;
            state.work += work;
            state.snapshot = self.is_small().then(|| Box::new(self.snapshot()));
        }
        self.recurrence = Some(state);
        Ok(())
    }

    fn state_size(&self) -> u64 {
        self.memory.used() + self.registers.len() as u64 * 32
    }

    /// What it costs to keep the state.
    pub(crate) fn state_work(&self) -> u64 {
        self.memory.object_count() as u64 + self.registers.len() as u64 + self.state_size() / SIZE_WEIGHT
    }

    /// True if the state may be kept.
    pub(crate) fn is_small(&self) -> bool {
        self.state_size() <= MAX_STATE
    }

    /// True if so much work is in proportion to the length of the run.
    pub(crate) fn is_affordable(&self, work: u64) -> bool {
        work.saturating_mul(WORK_WEIGHT) <= self.steps + FREE_WORK
    }

    fn frame_marks(&self) -> Vec<FrameMark> {
        let mark = |frame: &crate::run::Frame<'_, M::Int>| FrameMark {
            function: frame.code.function,
            pc: frame.pc,
            base: frame.base,
            objects: frame.objects,
        };
        self.frames.iter().map(mark).collect()
    }

    fn variadic_values(&self) -> Vec<Value<M::Int>> {
        let frames = self.frames.iter().filter_map(|frame| frame.variadic.as_ref());
        frames
            .flat_map(|variadic| {
                let area = variadic.area.map(|id| Value::Ptr(Pointer::Object { id, offset: 0 }));
                variadic.args.iter().map(|arg| arg.value.clone()).chain(area)
            })
            .collect()
    }

    fn snapshot(&self) -> Snapshot<M::Int> {
        Snapshot {
            memory: self.memory.clone(),
            registers: self.registers.clone(),
            frames: self.frame_marks(),
            variadic: self.variadic_values(),
            stack_objects: self.stack_objects.clone(),
            pc: self.pc,
            steps: self.steps,
            choices: self.choices.len(),
        }
    }

    /// Where the state first occurred, how long ago, and how many inputs ago, if it is that of the snapshot.
    fn recurs(&self, state: &mut Recurrence<M::Int>) -> Option<(u64, u64, usize)> {
        let snapshot = state.snapshot.as_ref()?;
        let since = self.choices.get(snapshot.choices..).unwrap_or_default();
        if !since.iter().all(can_be_repeated) {
            state.snapshot = None;
            return None;
        }
        let inputs = since.len();
        let same_place = snapshot.pc == self.pc
            && snapshot.frames.len() == self.frames.len()
            && snapshot.registers.len() == self.registers.len();
        if !same_place || !self.is_affordable(state.work) {
            return None;
        }
        let top = self.base;
        let differs = |(a, b): (&Value<M::Int>, &Value<M::Int>)| match (a, b) {
            (Value::Int(a), Value::Int(b)) => a != b,
            _ => false,
        };
        if snapshot.registers[top..].iter().zip(&self.registers[top..]).any(differs) {
            return None;
        }
        state.work += 8 + (self.registers.len() / 4) as u64;
        if snapshot.frames != self.frame_marks() {
            return None;
        }
        let mut pairing = Pairing::new(&snapshot.memory, &self.memory, snapshot.memory.writes);
        let equal = self.same_state(snapshot, &mut pairing);
        state.work += pairing.work;
        equal.then(|| (snapshot.steps, self.steps - snapshot.steps, inputs))
    }

    fn same_state(&self, snapshot: &Snapshot<M::Int>, pairing: &mut Pairing<'_>) -> bool {
        let variadic = self.variadic_values();
        if snapshot.variadic.len() != variadic.len() || snapshot.stack_objects.len() != self.stack_objects.len() {
            return false;
        }
        // The innermost frame first: that is where states differ.
        let registers = snapshot.registers.iter().zip(&self.registers).rev();
        let values = registers.chain(snapshot.variadic.iter().zip(&variadic));
        for (a, b) in values {
            if !pairing.values(a, b) {
                return false;
            }
        }
        let objects = snapshot.stack_objects.iter().zip(&self.stack_objects);
        for ((a, a_dynamic), (b, b_dynamic)) in objects {
            if a_dynamic != b_dynamic || !pairing.objects(*a, *b) {
                return false;
            }
        }
        let globals = self.program.globals.len();
        pairing.walk()
            && (0..globals).all(|index| pairing.objects(ObjectId::new(index), ObjectId::new(index)))
            && pairing.walk()
            && pairing.tokens_agree()
            && pairing.lives_agree()
    }
}

/// True if the choice leaves nothing behind but its value, and can be made again whatever was chosen before.
pub(crate) fn can_be_repeated(choice: &Choice) -> bool {
    match choice {
        Choice::Input(_) | Choice::Arbitrary(_) | Choice::AllocFails(_) => true,
        Choice::Undefined(_) | Choice::Address(_) | Choice::ArgCount(_) | Choice::ArgString(_) => false,
    }
}

/// The pairs of objects and undefined bytes found so far, of an old memory and a new one.
pub(crate) struct Pairing<'m> {
    old: &'m Memory,
    new: &'m Memory,
    /// Objects written later than this may differ.
    written: u64,
    forth: FxHashMap<ObjectId, ObjectId>,
    back: FxHashMap<ObjectId, ObjectId>,
    open: Vec<(ObjectId, ObjectId)>,
    tokens: Vec<(Token, Token, u64)>,
    pub(crate) work: u64,
}

impl<'m> Pairing<'m> {
    pub(crate) fn new(old: &'m Memory, new: &'m Memory, written: u64) -> Self {
        Self {
            old,
            new,
            written,
            forth: FxHashMap::default(),
            back: FxHashMap::default(),
            open: Vec::new(),
            tokens: Vec::new(),
            work: 0,
        }
    }

    pub(crate) fn objects(&mut self, a: ObjectId, b: ObjectId) -> bool {
        match (self.forth.get(&a), self.back.get(&b)) {
            (Some(known), Some(_)) => *known == b,
            (None, None) => {
                self.forth.insert(a, b);
                self.back.insert(b, a);
                self.open.push((a, b));
                true
            }
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    fn pointers(&mut self, a: Pointer, b: Pointer) -> bool {
        match (a, b) {
            (Pointer::Object { id: a, offset: i }, Pointer::Object { id: b, offset: j }) => {
                i == j && self.objects(a, b)
            }
            (Pointer::Bare(_) | Pointer::Mark(_), _) | (_, Pointer::Bare(_) | Pointer::Mark(_)) => a == b,
        }
    }

    fn undefined(&mut self, a: Token, b: Token, len: u64) -> bool {
        if !self.new.chosen.is_empty() {
            // Too many to look at one by one.
            if len > 4096 {
                return false;
            }
            self.work += len;
            let chosen = |token| self.new.chosen.get(&token);
            if !(0..len).all(|at| chosen(a.wrapping_add(at)) == chosen(b.wrapping_add(at))) {
                return false;
            }
        }
        let derived = |token| self.new.derived(token).is_some();
        if a != b && (derived(a) || derived(b)) {
            return false;
        }
        self.tokens.push((a, b, len));
        true
    }

    fn bytes(&mut self, a: &Byte, b: &Byte) -> bool {
        match (a, b) {
            (Byte::Undef(a), Byte::Undef(b)) => self.undefined(*a, *b, 1),
            (Byte::Part { token: s, mask: m, value: v }, Byte::Part { token: t, mask, value }) => {
                m == mask && v == value && self.undefined(*s, *t, 1)
            }
            (Byte::Frag(a, i), Byte::Frag(b, j)) => i == j && self.pointers(*a, *b),
            (Byte::Known(_) | Byte::Torn, _) => a == b,
            (Byte::Undef(_) | Byte::Part { .. } | Byte::Frag(..), _) => false,
        }
    }

    pub(crate) fn values<Int: PartialEq>(&mut self, a: &Value<Int>, b: &Value<Int>) -> bool {
        self.work += 1;
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::F32(a), Value::F32(b)) => a.to_bits() == b.to_bits(),
            (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits(),
            (Value::Ptr(a), Value::Ptr(b)) | (Value::Addr(a), Value::Addr(b)) => self.pointers(*a, *b),
            (Value::Raw(a), Value::Raw(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.bytes(a, b))
            }
            (Value::Bits(a), Value::Bits(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b.iter()).all(|pair| match pair {
                        (Bit::Undef(s, i), Bit::Undef(t, j)) => i == j && self.undefined(*s, *t, 1),
                        (a, b) => a == b,
                    })
            }
            (Value::Undef(a), Value::Undef(b)) => a == b,
            (
                Value::Int(_)
                | Value::F32(_)
                | Value::F64(_)
                | Value::Ptr(_)
                | Value::Addr(_)
                | Value::Raw(_)
                | Value::Bits(_)
                | Value::Undef(_),
                _,
            ) => false,
        }
    }

    /// Compares the objects paired so far and what they lead to.
    pub(crate) fn walk(&mut self) -> bool {
        while let Some((a, b)) = self.open.pop() {
            if !self.same_object(a, b) {
                return false;
            }
        }
        true
    }

    fn same_object(&mut self, a: ObjectId, b: ObjectId) -> bool {
        let (x, y) = (self.old.object(a), self.new.object(b));
        let same_kind = match (x.kind, y.kind) {
            (ObjectKind::Heap(_), ObjectKind::Heap(_)) => true,
            (kind, other) => kind == other,
        };
        let size = x.contents.size();
        if !same_kind || size != y.contents.size() || x.align != y.align || x.life != y.life || x.address != y.address {
            return false;
        }
        match x.life {
            Life::Dead | Life::Unborn | Life::Lazy => true,
            Life::Live | Life::Sizeless | Life::Foreign => {
                // The same id may belong to another object by now.
                let untouched = a == b && x.born == y.born && y.written <= self.written;
                self.same_contents(untouched, x, y)
            }
        }
    }

    fn same_contents(&mut self, untouched: bool, x: &Object, y: &Object) -> bool {
        if untouched {
            // The same bytes; what they point to may still have changed.
            for (_, special) in y.contents.specials() {
                self.work += 1;
                let same = match special {
                    Special::Ptr(pointer, _) | Special::Frag(pointer, _) => self.pointers(*pointer, *pointer),
                    Special::Undef(token, len) => self.undefined(*token, *token, *len),
                    Special::Part { token, .. } => self.undefined(*token, *token, 1),
                    Special::Cell(..) | Special::Torn => true,
                };
                if !same {
                    return false;
                }
            }
            return self.undefined(y.contents.first_token(), y.contents.first_token(), y.contents.size().min(4096));
        }
        let size = x.contents.size();
        if size == 0 {
            return true;
        }
        if !x.contents.has_bytes()
            && !y.contents.has_bytes()
            && x.contents.is_plain(0, size) == y.contents.is_plain(0, size)
        {
            let both_zero = x.contents.is_plain(0, size);
            return both_zero || self.undefined(x.contents.first_token(), y.contents.first_token(), size);
        }
        self.work += size / 8;
        let (a, b) = (x.contents.pieces(0, size), y.contents.pieces(0, size));
        a.len() == b.len() && a.iter().zip(&b).all(|((i, a), (j, b))| i == j && self.same_piece(a, b))
    }

    fn same_piece(&mut self, a: &Piece, b: &Piece) -> bool {
        match (a, b) {
            (Piece::Plain(a), Piece::Plain(b)) => a == b,
            (Piece::Special(a), Piece::Special(b)) => match (a, b) {
                (Special::Ptr(a, m), Special::Ptr(b, n)) | (Special::Frag(a, m), Special::Frag(b, n)) => {
                    m == n && self.pointers(*a, *b)
                }
                (Special::Undef(a, m), Special::Undef(b, n)) => m == n && self.undefined(*a, *b, *m),
                (Special::Part { token: s, mask: m, value: v }, Special::Part { token: t, mask, value }) => {
                    m == mask && v == value && self.undefined(*s, *t, 1)
                }
                (Special::Cell(..) | Special::Torn, _) => a == b,
                (Special::Ptr(..) | Special::Frag(..) | Special::Undef(..) | Special::Part { .. }, _) => false,
            },
            (Piece::Plain(_), Piece::Special(_)) | (Piece::Special(_), Piece::Plain(_)) => false,
        }
    }

    /// True if the pairs of undefined bytes are one to one.
    pub(crate) fn tokens_agree(&mut self) -> bool {
        let one_to_one = |ranges: &mut Vec<(Token, Token, u64)>| {
            ranges.sort_unstable();
            let (mut end, mut distance) = (0, 0);
            ranges.iter().all(|(from, to, len)| {
                let here = to.wrapping_sub(*from);
                let fresh = *from >= end;
                let agrees = fresh || here == distance;
                distance = here;
                let last = from.saturating_add(*len);
                end = if fresh { last } else { end.max(last) };
                agrees
            })
        };
        let mut back = self.tokens.iter().map(|(a, b, len)| (*b, *a, *len)).collect();
        one_to_one(&mut self.tokens) && one_to_one(&mut back)
    }

    /// True if dead objects met the same lives.
    pub(crate) fn lives_agree(&self) -> bool {
        let dead: Vec<_> = self.forth.iter().filter(|(a, _)| self.old.object(**a).life == Life::Dead).collect();
        if dead.len() > MAX_DEAD {
            return false;
        }
        dead.iter().all(|(a, b)| {
            let (x, y) = (self.old.object(**a), self.new.object(**b));
            self.forth.iter().all(|(c, d)| x.coexisted(self.old.object(*c)) == y.coexisted(self.new.object(*d)))
        })
    }
}
