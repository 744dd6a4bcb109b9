//! Calls: what a callee does to its pointers is done to the arguments.

use belay_ir::{Builtin, Callee, FuncId, FuncKind, InstId, Operand};

use super::indices::{Indices, count_of};
use super::walk::Walk;
use super::{Count, Moved, Origin, Usage, Value};

/// What a pointer of a callee may be here, and how far each is moved.
type Meant = Vec<(usize, Moved)>;

impl Walk<'_, '_> {
    /// A call of a function, or through a pointer.
    pub(super) fn call(&mut self, inst: InstId, callee: Callee, args: &[Operand]) {
        let targets: Vec<FuncId> = match callee {
            Callee::Direct(function) => vec![function],
            Callee::Indirect(operand, _) => self.called(operand),
        };
        for target in targets {
            self.found.calls.insert(target);
            match self.usages.program.functions[target].kind {
                FuncKind::Defined if std::ptr::eq(self.function, &self.usages.program.functions[target]) => {
                    self.call_again(args);
                }
                FuncKind::Defined => self.apply(inst, target, args),
                FuncKind::Builtin(builtin) => self.call_builtin(builtin, args),
                FuncKind::Extern => {}
            }
        }
    }

    /// A function that calls itself with a pointer that it was given, moved, does so again and again.
    fn call_again(&mut self, args: &[Operand]) {
        for (index, arg) in args.iter().enumerate() {
            let own = self.found.of_param(index as u32);
            for value in self.values(*arg) {
                let step = match value {
                    Value::Pointer(node, Moved::By(by)) if Some(node) == own && by != 0 => by.unsigned_abs(),
                    Value::Pointer(node, Moved::Steps(_, step)) if Some(node) == own => step,
                    _ => continue,
                };
                own.into_iter().for_each(|own| self.found.access(own, Moved::Steps(0, step), None, false));
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
                Value::Content(_) | Value::Derived(_) | Value::Count(_) => {}
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
                if let Value::Pointer(node, moved) = value {
                    self.found.access(node, moved.then(Moved::Steps(0, 1)), None, false);
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
        let mut stand_for: Vec<Meant> = Vec::new();
        for node in &usage.nodes {
            let meant = self.meant(node.origin, &given, &stand_for);
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
                        self.found.counts.extend(place(*moved, *at).map(|at| Count::Member(*mine, at)));
                    }
                }
            }
        }
        for ((node, at), values) in &usage.stored {
            let values: Vec<Value> = values.iter().flat_map(|value| returned(*value, &given, &stand_for)).collect();
            for (mine, moved) in &stand_for[*node] {
                if let Some(at) = place(*moved, *at) {
                    self.found.store((*mine, at), values.iter().copied());
                }
            }
        }
        self.apply_headers(&usage, &stand_for);
        self.apply_places(&usage, args, (&given, &stand_for));
        self.apply_numbers(&usage, args, (&given, &stand_for));
        self.found.calls.extend(&usage.calls);
        self.found.called_through.extend(&usage.called_through);
        let results: Vec<Value> =
            usage.results.iter().flat_map(|result| returned(*result, &given, &stand_for)).collect();
        self.set(inst, results);
    }

    /// How a callee chooses places is how they are chosen here.
    fn apply_places(&mut self, usage: &Usage, args: &[Operand], (given, stand_for): (&[Vec<Value>], &[Meant])) {
        for ((node, base), indices) in &usage.inner {
            let here = |count: &Count| returned(Value::Count(*count), given, stand_for);
            let counts = |all: Vec<Value>| all.into_iter().filter_map(count_of);
            for (mine, moved) in &stand_for[*node] {
                let place = (*mine, moved.then(Moved::By(*base)).base().unwrap_or_default());
                let Indices { reach, is_open, is_counted, .. } = *indices;
                let mut found = Indices { reach, is_open, is_counted, ..Indices::default() };
                found.bounds.extend(indices.bounds.iter().flat_map(|bound| counts(here(bound))));
                for (scale, bound) in &indices.scaled {
                    found.scaled.extend(counts(here(bound)).map(|bound| (*scale, bound)));
                }
                for (scale, spot) in &indices.spots {
                    found.spots.extend(counts(here(spot)).map(|spot| (*scale, spot)));
                }
                let contents = indices.contents.iter().flat_map(|from| &stand_for[*from]).map(|(from, _)| *from);
                found.contents.extend(contents);
                self.found.inner.entry(place).or_default().join(&found);
                for count in &indices.counts {
                    if let Count::Param(index) = count
                        && let Some(argument) = args.get(*index as usize)
                    {
                        self.indexed(place, *argument);
                    } else {
                        let counts = counts(here(count));
                        self.found.inner.entry(place).or_default().counts.extend(counts);
                    }
                }
            }
        }
    }

    /// What a callee does with numbers is done with these.
    fn apply_numbers(&mut self, usage: &Usage, args: &[Operand], (given, stand_for): (&[Vec<Value>], &[Meant])) {
        for (one, other) in &usage.compared {
            let here =
                |count: &Count| returned(Value::Count(*count), given, stand_for).into_iter().filter_map(count_of);
            let others: Vec<Count> = here(other).collect();
            if let Count::Param(index) = one
                && let Some(argument) = args.get(*index as usize)
            {
                self.bound_argument(*argument, &others);
            }
            self.found.compared.extend(here(one).flat_map(|one| others.iter().map(move |other| (one, *other))));
        }
        for divisor in &usage.divisors {
            let here = returned(Value::Count(*divisor), given, stand_for).into_iter().filter_map(count_of);
            self.found.divisors.extend(here);
        }
        for (count, by) in &usage.added {
            let here = returned(Value::Count(*count), given, stand_for).into_iter().filter_map(count_of);
            self.found.added.extend(here.map(|count| (count, *by)));
        }
        for (count, most) in &usage.shifts {
            let here = returned(Value::Count(*count), given, stand_for).into_iter().filter_map(count_of);
            self.found.shifts.extend(here.map(|count| (count, *most)));
        }
        for (count, most) in &usage.counters {
            for count in returned(Value::Count(*count), given, stand_for).into_iter().filter_map(count_of) {
                let known = self.found.counters.entry(count).or_insert(*most);
                *known = (*most).min(*known);
            }
        }
        for (node, constants) in &usage.constants {
            for (mine, _) in &stand_for[*node] {
                self.found.constants.entry(*mine).or_default().extend(constants);
            }
        }
    }

    /// What a pointer of a callee is here, and how far it is moved.
    fn meant(&mut self, origin: Origin, given: &[Vec<Value>], stand_for: &[Meant]) -> Meant {
        match origin {
            Origin::Param(index) => pointers(given.get(index as usize)),
            Origin::Global(global) => {
                self.found.node(Origin::Global(global)).map(|node| (node, Moved::By(0))).into_iter().collect()
            }
            Origin::Loaded(from, at) => {
                let from = stand_for[from].clone();
                let places = from.into_iter().filter_map(|(node, moved)| Some((node, place(moved, at)?)));
                let places: Vec<(usize, u64)> = places.collect();
                let values: Vec<Value> = places.into_iter().flat_map(|(node, at)| self.pointers_at(node, at)).collect();
                pointers(Some(&values))
            }
            Origin::Local(_) => Vec::new(),
            Origin::Element(from) => {
                let from = stand_for[from].clone();
                let element = |(node, _)| Some((self.found.node(Origin::Element(node))?, Moved::By(0)));
                from.into_iter().filter_map(element).collect()
            }
        }
    }
}

/// What a callee returns, as it is here.
fn returned(result: Value, given: &[Vec<Value>], stand_for: &[Meant]) -> Vec<Value> {
    match result {
        Value::Pointer(node, at) => {
            stand_for[node].iter().map(|(mine, moved)| Value::Pointer(*mine, moved.then(at))).collect()
        }
        Value::Content(node) => stand_for[node].iter().map(|(mine, _)| Value::Content(*mine)).collect(),
        Value::Derived(node) => stand_for[node].iter().map(|(mine, _)| Value::Derived(*mine)).collect(),
        Value::Count(Count::Param(index)) => given.get(index as usize).cloned().unwrap_or_default(),
        Value::Count(Count::Member(node, at)) => {
            let member = |(mine, moved): &(usize, Moved)| Some(Value::Count(Count::Member(*mine, place(*moved, at)?)));
            stand_for[node].iter().filter_map(member).collect()
        }
        Value::Function(function) => vec![Value::Function(function)],
    }
}

/// Where a member stands in an object that a pointer leads into.
fn place(moved: Moved, at: u64) -> Option<u64> {
    u64::try_from(moved.exact()?.checked_add(i64::try_from(at).ok()?)?).ok()
}

fn pointers(values: Option<&Vec<Value>>) -> Meant {
    let pointer = |value: &Value| match value {
        Value::Pointer(node, moved) => Some((*node, *moved)),
        Value::Content(_) | Value::Derived(_) | Value::Count(_) | Value::Function(_) => None,
    };
    values.into_iter().flatten().filter_map(pointer).collect()
}
