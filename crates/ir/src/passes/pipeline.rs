//! The passes in the order in which they help each other, with the verifier after each.

use crate::passes::{fold_checks, merge_blocks, promote, remove_unreachable, simplify};
use crate::program::Program;
use crate::types::IntegerModel;
use crate::verify::{VerifyError, verify_program};

/// Makes `program` smaller and plainer for the engines; `integers` says what constants may be folded. The error is a fault of
/// the program given or of a pass.
pub fn pipeline(program: &mut Program, integers: IntegerModel) -> Result<(), VerifyError> {
    verify_program(program)?;
    fold_checks(program);
    verify_program(program)?;
    remove_unreachable(program);
    verify_program(program)?;
    promote(program);
    verify_program(program)?;
    simplify(program, integers);
    verify_program(program)?;
    merge_blocks(program);
    verify_program(program)
}
