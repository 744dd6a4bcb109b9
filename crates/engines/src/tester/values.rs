//! The numbers at which a program's behaviour changes: those that it compares with, and their neighbours.

use std::collections::BTreeSet;

use belay_ir::{Op, Operand, Program, Terminator};
use dashu::integer::IBig;

/// At most this many; the smallest are kept.
const MOST: usize = 512;

/// The numbers, in order.
pub(super) struct Values(Vec<IBig>);

impl Values {
    /// Those of the functions that are not library models.
    pub(super) fn of(program: &Program) -> Values {
        let mut found = BTreeSet::new();
        for function in program.functions.iter().filter(|function| !function.is_model) {
            for inst in function.insts.iter() {
                if let Op::Compare { lhs, rhs, .. } = &inst.op {
                    [lhs, rhs].into_iter().for_each(|operand| add_operand(&mut found, *operand));
                }
            }
            for block in function.blocks.iter() {
                if let Terminator::Switch { value, cases, .. } = &block.term {
                    let width = function.operand_type(*value).and_then(|ty| ty.int_width()).unwrap_or(64);
                    cases.iter().for_each(|(case, _)| add(&mut found, width, *case));
                }
            }
        }
        let mut sorted: Vec<IBig> = found.into_iter().collect();
        sorted.sort_by_key(|value| value.clone().into_parts().1);
        sorted.truncate(MOST);
        Values(sorted)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One of them, or a sum or difference of two, brought into the range.
    pub(super) fn pick(&self, random: u64, range: Option<&(IBig, IBig)>, width: u16) -> IBig {
        let count = self.0.len() as u64;
        let value = &self.0[(random % count) as usize];
        let value = match (random >> 32) % 8 {
            0 => value + &self.0[((random >> 40) % count) as usize],
            1 => value - &self.0[((random >> 40) % count) as usize],
            _ => value.clone(),
        };
        let half = IBig::from(1) << usize::from(width.max(1) - 1);
        let (least, greatest) = match range {
            Some((least, greatest)) => (least.clone(), greatest.clone()),
            None => (-half.clone(), half - IBig::from(1)),
        };
        value.clamp(least, greatest)
    }
}

fn add_operand(found: &mut BTreeSet<IBig>, operand: Operand) {
    if let Operand::Int { width, value } = operand
        && width > 1
    {
        add(found, width, value);
    }
}

/// The number and its neighbours, read as signed and as unsigned.
fn add(found: &mut BTreeSet<IBig>, width: u16, bits: u128) {
    let unsigned = IBig::from(bits);
    let half = IBig::from(1) << usize::from(width.clamp(1, 128) - 1);
    let signed = if unsigned >= half { &unsigned - (half << 1) } else { unsigned.clone() };
    for value in [unsigned, signed] {
        found.insert(&value - IBig::from(1));
        found.insert(&value + IBig::from(1));
        found.insert(value);
    }
}
