//! Products of two numbers that are not constants.
//!
//! A state knows that a number is the product of two others ([`Product`]): `n * m` of `malloc(n * m)`, `i * m` of `a[i * m + j]`. That is a fact about numbers, which
//! nothing in memory can change. What is asked about products is linear: where a product is made, what follows from those that share a factor with it becomes
//! constraints. `i * m` is at most `n * m - m` where `i < n` and `m` is not negative, and `(i + 1) * m` is `i * m + m`.
//!
//! *Sound*: a product is exact only where both factors are natural and bounded so that it fits its type, or integers are unbounded; each
//! constraint follows from the signs and the order of the factors, which are shown first. A state that represents another has to find each of its
//! products among those of the other, factor by factor, or with a factor that is a constant there.
//!
//! *Incomplete*: factors are compared as linear forms, negative ones are not followed, and nothing is concluded later, when more is known of the factors.

use belay_ir::IntegerModel;
use belay_linear::knowledge::Product;
use belay_linear::{LinExpr, Rat};

use super::arithmetic::{note, scaled};
use super::knowledge::constant;
use super::machine::{Machine, Step};
use super::state::State;

/// Products that a state keeps at most; the oldest are given up that are no sizes of objects.
const MAX_PRODUCTS: usize = 8;

/// Powers of two that factors are compared with.
const POWERS: [u32; 12] = [4, 7, 8, 10, 14, 16, 20, 24, 31, 32, 40, 48];

impl Machine<'_> {
    /// A product that is not linear: what is known of it where it does not wrap.
    pub(super) fn product(&mut self, state: &mut State, a: &LinExpr, b: &LinExpr, width: u16) -> Step<LinExpr> {
        let natural = self.at_least(state, a, 0)? && self.at_least(state, b, 0)?;
        if !natural {
            return Ok(self.arbitrary(state, width));
        }
        let (most_a, most_b) = (self.power_above(state, a)?, self.power_above(state, b)?);
        let fits = match (self.config.integers, most_a, most_b) {
            (IntegerModel::Unbounded, _, _) => true,
            (IntegerModel::Machine, Some(x), Some(y)) => x + y <= u32::from(width).saturating_sub(2),
            (IntegerModel::Machine, _, _) => false,
        };
        if !fits || self.probing() {
            return Ok(self.arbitrary(state, width));
        }
        if let Some(exact) = exact(state, a, b) {
            // The one that it is made from is said to be as far from others as its own factor is.
            self.beside_others(state, &exact, (a, b))?;
            return Ok(exact);
        }
        let value = state.fresh();
        note(state, value.clone());
        for (one, other, most) in [(a, b, most_b), (b, a, most_a)] {
            if self.at_least(state, other, 1)? {
                note(state, value.minus(one));
            }
            if let Some(most) = most {
                note(state, scaled(one, 1 << most).minus(&value));
            }
        }
        self.beside_others(state, &value, (a, b))?;
        let products = &mut state.knowledge.products;
        products.push(Product { left: a.clone(), right: b.clone(), value: value.clone() });
        if products.len() > MAX_PRODUCTS {
            let sizes = || state.allocations.values().map(|known| &known.size);
            let is_size = |known: &Product| {
                sizes().any(|size| size.terms().iter().any(|(var, _)| !known.value.coefficient(*var).is_zero()))
            };
            let oldest = products.iter().position(|known| !is_size(known)).unwrap_or(0);
            products.remove(oldest);
        }
        Ok(value)
    }

    /// A number so many times, which lies beside products of that number as they lie beside each other: `2 * m` is at most `n * m` where `2 <= n`.
    pub(super) fn times(&mut self, state: &mut State, number: &LinExpr, factor: i128, width: u16) -> Step<LinExpr> {
        let exact = scaled(number, factor);
        let value = self.fitted(state, exact.clone(), width)?;
        let shares = state.knowledge.products.iter().any(|known| known.beside(number).is_some());
        if shares && value == exact && !number.is_constant() && self.at_least(state, number, 0)? {
            self.beside_others(state, &value, (number, &constant(factor)))?;
        }
        Ok(value)
    }

    /// Notes how a product lies beside those that share a factor with it.
    fn beside_others(&mut self, state: &mut State, value: &LinExpr, (a, b): (&LinExpr, &LinExpr)) -> Step<()> {
        for known in state.knowledge.products.clone() {
            for (shared, own) in [(b, a), (a, b)] {
                if let Some(factor) = known.beside(shared) {
                    self.ordered(state, (value, own), (&known.value, factor), shared)?;
                }
            }
        }
        Ok(())
    }

    /// Notes how two products with a natural factor in common lie, by what is shown of their other factors.
    fn ordered(
        &mut self,
        state: &mut State,
        (value, factor): (&LinExpr, &LinExpr),
        (other, beside): (&LinExpr, &LinExpr),
        shared: &LinExpr,
    ) -> Step<()> {
        for (high, low, more, less) in [(beside, factor, other, value), (factor, beside, value, other)] {
            if self.at_least(state, &high.minus(low), 1)? {
                note(state, more.minus(less).minus(shared));
            } else if self.at_least(state, &high.minus(low), 0)? {
                note(state, more.minus(less));
            }
        }
        Ok(())
    }

    /// A power of two that a number is not above.
    fn power_above(&mut self, state: &State, expr: &LinExpr) -> Step<Option<u32>> {
        for power in POWERS {
            if self.at_least(state, &constant(1i128 << power).minus(expr), 0)? {
                return Ok(Some(power));
            }
        }
        Ok(None)
    }
}

/// A product by one with a factor in common, where the other factors are a constant apart.
fn exact(state: &State, a: &LinExpr, b: &LinExpr) -> Option<LinExpr> {
    let by = |known: &Product, own: &LinExpr, shared: &LinExpr| {
        let apart = own.minus(known.beside(shared)?);
        apart.is_constant().then(|| known.value.add_scaled(apart.offset(), shared))
    };
    let whole = |expr: &LinExpr| expr.terms().iter().all(|(_, factor): &(_, Rat)| factor.is_integer());
    let products = state.knowledge.products.iter().rev();
    products.filter_map(|known| by(known, a, b).or_else(|| by(known, b, a))).find(whole)
}
