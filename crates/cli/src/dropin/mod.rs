//! CBMC's commands by other names, so that a proof's own Makefile runs Belay: `goto-cc`, `goto-instrument`, `cbmc`, and the little of litani that
//! the make rules need.

pub mod litani;
