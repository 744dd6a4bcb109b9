//! What a clause says of a pointer or a place before anything else does: an equation gives it the value that it has from then on.

use crate::lower::{Lowered, Lowering, Mode};
use crate::text::{binds_loosely, is_place, joined, uses};
use crate::tokens::{bare, split, tokens};

impl Lowering {
    /// Of a pointer of which nothing is known an assumption may only say whether it is null.
    pub(crate) fn refuse_undescribed(&self, text: &str) -> Result<(), String> {
        if self.mode == Mode::Assert {
            return Ok(());
        }
        let Some(name) = self.undescribed.iter().find(|name| uses(text, name)) else { return Ok(()) };
        let is_null = |text: &str| matches!(bare(text), "0" | "NULL" | "(void *)0" | "(void*)0");
        let is_test = match split(text, "!=").as_slice() {
            [left, right] => bare(left) == name && is_null(right) || bare(right) == name && is_null(left),
            [all] => bare(all) == name,
            _ => false,
        };
        let refused = || format!("it is not said which object `{name}` points to (is_fresh says it)");
        is_test.then_some(()).ok_or_else(refused)
    }

    /// `p == q` of a pointer of which nothing was said: from now on it is `q`. And `!p`.
    pub(crate) fn equation(&mut self, text: &str) -> Result<Option<String>, String> {
        let (name, value) = match split(text, "==").as_slice() {
            [left, right] if binds_loosely(left) || binds_loosely(right) => return Ok(None),
            [left, right] if self.is_undescribed(bare(left)) => (bare(left).to_owned(), (*right).to_owned()),
            [left, right] if self.is_undescribed(bare(right)) => (bare(right).to_owned(), (*left).to_owned()),
            [all] if all.strip_prefix('!').is_some_and(|name| self.is_undescribed(bare(name))) => {
                (bare(&all[1..]).to_owned(), "0".to_owned())
            }
            [left, right] if self.is_open(left, right) => {
                let (place, value) = (self.expression(left)?, self.expression(right)?);
                return Ok(Some(set_and_compare(&place, &value)));
            }
            [left, right] => {
                let place = [left, right].into_iter().find(|side| self.is_settable(side)).copied();
                let value = if place == Some(*left) { right } else { left };
                return place.map(|place| self.set_place(place, value)).transpose();
            }
            _ => return Ok(None),
        };
        let value = self.expression(&value)?;
        self.undescribed.retain(|other| *other != name);
        Ok(Some(format!("{name} = (void *)({value}); ")))
    }

    /// True for a place that a replaced function may have written: one that `assigns` names, or a member of an object that it names whole (`*r`).
    fn is_settable(&self, text: &str) -> bool {
        let place = joined(text);
        let is_named = |target: &String| {
            let object = target.strip_prefix('*').filter(|name| tokens(name).len() == 1);
            let member = object.and_then(|name| place.strip_prefix(&format!("{name}->")));
            *target == place || member.is_some_and(|member| !member.contains(['-', '[', '*']))
        };
        self.quantified.is_empty() && is_place(bare(text)) && self.settable.iter().any(is_named)
    }

    /// `place == value` of what may have been written: the value is put there, and compared. (All that is written has any value before. In a run in which the values are
    /// those that the function leaves, this writes what is there; so no behaviour of the function is lost. Whoever sets a place asks all
    /// clauses once more afterwards, so that none is added. A pointer gets to know what it points to, which no choice of bytes could tell it. A float is
    /// left as it is, and so is a complex number: two zeros are equal and differ. A value that the place can't hold is that of no run.)
    fn set_place(&mut self, place: &str, value: &str) -> Lowered {
        let (target, value) = (self.expression(place)?, self.expression(value)?);
        self.set.push(bare(place).to_owned());
        Ok(set_and_compare(&target, &value))
    }

    pub(crate) fn is_undescribed(&self, name: &str) -> bool {
        self.undescribed.iter().any(|other| other == name)
    }
}

/// Puts a value where any value may be, and leaves out the runs in which it is another one there.
fn set_and_compare(target: &str, value: &str) -> String {
    let class = format!("__builtin_classify_type({target})");
    format!("if ({class} != 8 && {class} != 9) {target} = {value}; __belay_assume(({target}) == ({value})); ")
}
