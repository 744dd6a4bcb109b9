//! Why there is no answer, as structure; the crate `report` puts it into words.

use belay_expression::Missing;

/// One reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// What did not work.
    pub what: String,
    /// What was missing for it.
    pub missing: Option<Missing>,
}

/// Reasons, the most telling one first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reasons(pub Vec<Reason>);

impl Reasons {
    /// With what was missing for the last of them.
    pub fn lacking(mut self, missing: Option<Missing>) -> Reasons {
        if let Some(last) = self.0.last_mut() {
            last.missing = missing;
        }
        self
    }

    /// One more.
    pub fn also(&mut self, more: impl Into<Reasons>) {
        self.0.extend(more.into().0);
    }

    /// True if all that `other` says is said here.
    pub fn say(&self, other: &Reasons) -> bool {
        let is_said = |reason: &Reason| {
            let known = self.0.iter().find(|known| known.what.contains(&reason.what));
            known.is_some_and(|known| reason.missing.is_none() || reason.missing == known.missing)
        };
        other.0.iter().all(is_said)
    }
}

impl<T: Into<String>> From<T> for Reasons {
    fn from(what: T) -> Reasons {
        Reasons(vec![Reason { what: what.into(), missing: None }])
    }
}
