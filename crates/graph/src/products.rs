//! Products side by side: those whose factors and value both states have.

use belay_linear::LinExpr;
use belay_symbolic::Product;

use super::pairing::{Pairer, SlotKind};

impl Pairer<'_> {
    /// The products that both states know of the same numbers.
    pub(super) fn products(&mut self) -> Vec<Product> {
        let (left, right) = (self.left, self.right);
        let mut found = Vec::new();
        for own in &left.knowledge.products {
            let same = |other: &&Product| {
                let pairs = [(&own.left, &other.left), (&own.right, &other.right), (&own.value, &other.value)];
                pairs.into_iter().all(|(a, b)| self.is_same_number(a, b))
            };
            let Some(other) = right.knowledge.products.iter().find(same) else { continue };
            let mut slot = |a: &LinExpr, b: &LinExpr| self.slot(a, b, SlotKind::CellOffset, "product".to_owned());
            let (left, right) = (slot(&own.left, &other.left), slot(&own.right, &other.right));
            found.push(Product { left, right, value: slot(&own.value, &other.value) });
        }
        found
    }

    /// True if a slot, or a part of it, is one expression in the left state and the other in the right one.
    fn is_same_number(&self, left: &LinExpr, right: &LinExpr) -> bool {
        // One that has become a constant in one of the states is still the same number.
        if left.is_constant() {
            return left == right || self.slots.iter().any(|slot| slot.sides.0 == *left && slot.sides.1 == *right);
        }
        self.slots.iter().any(|slot| {
            let Some(((var, many), (same, one))) = left.terms().first().zip(slot.sides.0.terms().first()) else {
                return false;
            };
            let factor = many / one;
            let rest = left.add_scaled(&-&factor, &slot.sides.0);
            let image = slot.sides.1.scaled(&factor).plus_constant(rest.offset());
            var == same && rest.is_constant() && image == *right
        })
    }
}
