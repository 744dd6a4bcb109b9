//! Whether a function has the type that a call of it takes for granted.

use crate::inst::Op;
use crate::program::{Function, InstId};
use crate::types::{DataLayout, Type};

/// What a call takes for granted of the function that it calls.
#[derive(Clone, Copy, Debug)]
pub struct CalledType<'c> {
    /// The types of the arguments.
    pub args: &'c [Type],
    /// How many of them, the last ones, are passed through `...`.
    pub variadic: u32,
    /// Structs that are passed by value: which argument, size and alignment.
    pub structs: &'c [(u32, u64, u32)],
    /// The results that are expected, by index.
    pub results: &'c [(u32, Type)],
}

impl CalledType<'_> {
    /// True only if the function can be called so. C asks for compatible types (C17 6.5.2.2p9); here it is that arguments and results
    /// are found where they were left, whatever they are called: surplus arguments are ignored, an address may be returned as an integer of its width, and
    /// a result that nobody expects may be anything. A struct that is passed by value lies elsewhere than a pointer to it, and variadic arguments elsewhere than others.
    pub fn fits(&self, callee: &Function, layout: DataLayout) -> bool {
        let fixed = self.args.len().saturating_sub(self.variadic as usize);
        let count = if callee.variadic { callee.params.len() == fixed } else { callee.params.len() <= fixed };
        count && self.fits_params(callee) && self.fits_results(callee, layout.address_type())
    }

    fn fits_params(&self, callee: &Function) -> bool {
        callee.params.iter().zip(self.args).enumerate().all(|(index, (param, ty))| {
            let passed = self.structs.iter().find(|(at, ..)| *at as usize == index).map(|(_, size, _)| *size);
            param.ty == *ty && param.byval.map(|(size, _)| size) == passed
        })
    }

    fn fits_results(&self, callee: &Function, address: Type) -> bool {
        self.results.iter().all(|(index, expected)| match callee.results.get(*index as usize) {
            Some(given) => {
                given == expected
                    || (*given == Type::Ptr && *expected == address)
                    || (*given == address && *expected == Type::Ptr)
            }
            None => false,
        })
    }
}

/// What is taken from a call with several results.
fn collect_extracted(caller: &Function, call: InstId) -> Vec<(u32, Type)> {
    let taken = caller.insts.iter().filter_map(|inst| match inst.op {
        Op::Extract { call: of, index } if of == call => inst.ty.map(|ty| (index, ty)),
        _ => None,
    });
    taken.collect()
}

/// True only if `callee` has the type that the call takes for granted.
pub fn has_called_type(callee: &Function, caller: &Function, call: InstId, layout: DataLayout) -> bool {
    let Op::Call { args, variadic, byval_args, .. } = &caller.insts[call].op else { return false };
    let Some(args) = args.iter().map(|arg| caller.operand_type(*arg)).collect::<Option<Vec<Type>>>() else {
        return false;
    };
    let results = match caller.insts[call].ty {
        Some(ty) => vec![(0, ty)],
        None => collect_extracted(caller, call),
    };
    let called = CalledType { args: &args, variadic: *variadic, structs: byval_args, results: &results };
    called.fits(callee, layout)
}
