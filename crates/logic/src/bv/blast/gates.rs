//! Gates: literals and the clauses that define them (Tseitin).
//!
//! Every gate is normalised (constants propagated, operands sorted, signs moved to the output) and
//! looked up before it is made, so that equal circuits are built once, across terms and across
//! queries. Definitions are complete in both directions: any literal may be asserted, assumed or
//! negated later. The clauses are collected here and handed to a solver by the caller; since each
//! defines a fresh variable as a function of older ones, adding them never removes a solution.

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

/// The circuit built so far, as clauses over numbered variables.
#[derive(Debug)]
pub struct Gates {
    literals: Vec<Lit>,
    ends: Vec<usize>,
    next_variable: u32,
    ands: FxHashMap<(Lit, Lit), Lit>,
    xors: FxHashMap<(Lit, Lit), Lit>,
    muxes: FxHashMap<[Lit; 3], Lit>,
    parities: FxHashMap<[Lit; 3], Lit>,
    majorities: FxHashMap<[Lit; 3], Lit>,
    conjunctions: FxHashMap<Box<[Lit]>, Lit>,
}

/// The literal that is always true: variable 0 is fixed by a unit clause.
pub const TRUE: Lit = Lit::positive(0);
/// The literal that is always false.
pub const FALSE: Lit = Lit::negative(0);

impl Default for Gates {
    fn default() -> Self {
        let mut gates = Self {
            literals: Vec::new(),
            ends: Vec::new(),
            next_variable: 1,
            ands: FxHashMap::default(),
            xors: FxHashMap::default(),
            muxes: FxHashMap::default(),
            parities: FxHashMap::default(),
            majorities: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
        };
        gates.clause(&[TRUE]);
        gates
    }
}

impl Gates {
    /// How many variables there are.
    pub fn variable_count(&self) -> u32 {
        self.next_variable
    }

    /// Removes and visits the clauses that were added since the last call.
    pub fn drain_clauses(&mut self, mut visit: impl FnMut(&[Lit])) {
        let mut start = 0;
        for &end in &self.ends {
            visit(&self.literals[start..end]);
            start = end;
        }
        self.literals.clear();
        self.ends.clear();
    }

    /// An unconstrained literal.
    pub fn fresh(&mut self) -> Lit {
        let literal = Lit::positive(self.next_variable);
        self.next_variable += 1;
        literal
    }

    /// Requires one of the literals.
    pub fn clause(&mut self, literals: &[Lit]) {
        self.literals.extend_from_slice(literals);
        self.ends.push(self.literals.len());
    }

    /// Both are true.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == FALSE || b == FALSE || a == !b {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        if b == TRUE {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.ands.get(&key) {
            return known;
        }
        let out = self.fresh();
        self.clause(&[!out, a]);
        self.clause(&[!out, b]);
        self.clause(&[out, !a, !b]);
        self.ands.insert(key, out);
        out
    }

    /// One is true.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// All are true.
    pub fn and_many(&mut self, literals: &[Lit]) -> Lit {
        let mut kept: Vec<Lit> = literals.iter().copied().filter(|&literal| literal != TRUE).collect();
        kept.sort_unstable();
        kept.dedup();
        // A literal and its complement are neighbours in this order.
        if kept.contains(&FALSE) || kept.windows(2).any(|pair| pair[0] == !pair[1]) {
            return FALSE;
        }
        match kept[..] {
            [] => return TRUE,
            [single] => return single,
            [a, b] => return self.and(a, b),
            [_, _, ..] => {}
        }
        let kept = kept.into_boxed_slice();
        if let Some(&known) = self.conjunctions.get(&kept) {
            return known;
        }
        let out = self.fresh();
        let mut all = vec![out];
        for &literal in &kept {
            self.clause(&[!out, literal]);
            all.push(!literal);
        }
        self.clause(&all);
        self.conjunctions.insert(kept, out);
        out
    }

    /// One of them is true.
    pub fn or_many(&mut self, literals: &[Lit]) -> Lit {
        let negated: Vec<Lit> = literals.iter().map(|&literal| !literal).collect();
        !self.and_many(&negated)
    }

    /// They differ.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flipped = a.is_neg() != b.is_neg();
        let (a, b) = (positive(a.min(b)), positive(a.max(b)));
        let (a, b) = (a.min(b), a.max(b));
        let out = match (a == TRUE, a == b) {
            (_, true) => FALSE,
            (true, false) => !b,
            (false, false) => self.defined_xor(a, b),
        };
        flip_if(flipped, out)
    }

    fn defined_xor(&mut self, a: Lit, b: Lit) -> Lit {
        if let Some(&known) = self.xors.get(&(a, b)) {
            return known;
        }
        let out = self.fresh();
        self.clause(&[!out, a, b]);
        self.clause(&[!out, !a, !b]);
        self.clause(&[out, !a, b]);
        self.clause(&[out, a, !b]);
        self.xors.insert((a, b), out);
        out
    }

    /// An odd number of the three is true: the sum of a full adder.
    pub fn parity(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let flipped = a.is_neg() ^ b.is_neg() ^ c.is_neg();
        let mut key = [positive(a), positive(b), positive(c)];
        key.sort_unstable();
        let [a, b, c] = key;
        if a == TRUE || a == b || b == c {
            let pair = self.xor(a, b);
            let out = self.xor(pair, c);
            return flip_if(flipped, out);
        }
        if let Some(&known) = self.parities.get(&key) {
            return flip_if(flipped, known);
        }
        let out = self.fresh();
        for row in 0..8u32 {
            let [x, y, z] = [row & 1 == 1, row & 2 == 2, row & 4 == 4];
            // Forbids the row's inputs together with the wrong output.
            let odd = x ^ y ^ z;
            self.clause(&[flip_if(x, a), flip_if(y, b), flip_if(z, c), flip_if(!odd, out)]);
        }
        self.parities.insert(key, out);
        flip_if(flipped, out)
    }

    /// At least two of the three are true: the carry of a full adder.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut key = [a, b, c];
        key.sort_unstable_by_key(|&literal| (positive(literal), literal.is_neg()));
        let [a, b, c] = key;
        if a == TRUE || a == FALSE {
            return if a == TRUE { self.or(b, c) } else { self.and(b, c) };
        }
        if positive(a) == positive(b) {
            return if a == b { a } else { c };
        }
        if positive(b) == positive(c) {
            return if b == c { b } else { a };
        }
        let flipped = a.is_neg();
        let key @ [a, b, c] = key.map(|literal| flip_if(flipped, literal));
        if let Some(&known) = self.majorities.get(&key) {
            return flip_if(flipped, known);
        }
        let out = self.fresh();
        for (x, y) in [(a, b), (a, c), (b, c)] {
            self.clause(&[out, !x, !y]);
            self.clause(&[!out, x, y]);
        }
        self.majorities.insert(key, out);
        flip_if(flipped, out)
    }

    /// `a` if `condition`, else `b`.
    pub fn mux(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if condition.is_neg() {
            return self.mux(!condition, b, a);
        }
        if condition == TRUE || a == b {
            return a;
        }
        if positive(a) == TRUE || positive(a) == condition {
            let taken = a == TRUE || a == condition;
            return if taken { self.or(condition, b) } else { self.and(!condition, b) };
        }
        if positive(b) == TRUE || positive(b) == condition {
            let taken = b == FALSE || b == condition;
            return if taken { self.and(condition, a) } else { self.or(!condition, a) };
        }
        if a == !b {
            return self.xor(condition, b);
        }
        let flipped = a.is_neg();
        let out = self.defined_mux(condition, flip_if(flipped, a), flip_if(flipped, b));
        flip_if(flipped, out)
    }

    fn defined_mux(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        let key = [condition, a, b];
        if let Some(&known) = self.muxes.get(&key) {
            return known;
        }
        let out = self.fresh();
        self.clause(&[!condition, !a, out]);
        self.clause(&[!condition, a, !out]);
        self.clause(&[condition, !b, out]);
        self.clause(&[condition, b, !out]);
        // Implied, but they let equal arms propagate before the condition is known.
        self.clause(&[!a, !b, out]);
        self.clause(&[a, b, !out]);
        self.muxes.insert(key, out);
        out
    }
}

fn positive(literal: Lit) -> Lit {
    literal.var().pos_lit()
}

fn flip_if(flip: bool, literal: Lit) -> Lit {
    if flip { !literal } else { literal }
}
