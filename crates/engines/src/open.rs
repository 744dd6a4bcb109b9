//! Properties without a verdict yet, and what is said of them if there never is one.

use belay_base::Exhausted;
use belay_ir::Property;

use crate::kiki::Attempts;
use crate::outcome::GaveUp;

/// A property without a verdict yet, and what each way to one came to.
pub(crate) struct Open {
    /// The property.
    pub property: Property,
    /// Why the last engine that was asked has no claim.
    pub reason: GaveUp,
    /// What k-induction could not show.
    pub unproved: Option<GaveUp>,
    /// The attempts of k-induction that did not come to an end.
    pub unfinished: Attempts,
    /// How far the search for violations came.
    pub searched: Option<GaveUp>,
}

impl Open {
    pub(crate) fn new(property: Property) -> Self {
        Self { property, reason: GaveUp::because("no engine was asked"), unproved: None, unfinished: 0, searched: None }
    }

    /// Why there is no answer: what ended the search, what could not be shown, and how far runs were searched.
    pub(crate) fn why(self, out_of_time: Option<Exhausted>) -> GaveUp {
        let ended = out_of_time.map(|why| GaveUp::because(why.to_string()));
        let mut said: Vec<GaveUp> = Vec::new();
        for part in ended.into_iter().chain(self.unproved).chain(self.searched).chain([self.reason]) {
            let repeated = said.iter().any(|known| known.reason.contains(&part.reason) || part.reason == NOBODY);
            if !repeated {
                said.push(part);
            }
        }
        let span = said.iter().map(|part| part.span).find(|span| span.is_known());
        let reasons: Vec<String> = said.iter().map(|part| part.reason.clone()).collect();
        GaveUp { reason: reasons.join("; "), span: span.unwrap_or(belay_base::Span::NONE) }
    }
}

/// What is said before any engine was asked; nothing beside any other reason.
const NOBODY: &str = "no engine was asked";

#[cfg(test)]
mod tests {
    use super::*;
    use belay_base::Span;

    fn open(reason: &str, unproved: Option<&str>, searched: Option<&str>) -> Open {
        let said = |text: &str| GaveUp { reason: text.to_owned(), span: Span::NONE };
        Open {
            property: Property::NoOverflow,
            reason: said(reason),
            unproved: unproved.map(said),
            unfinished: 0,
            searched: searched.map(said),
        }
    }

    #[test]
    fn each_part_is_said_once() {
        let why = |open: Open, ended| open.why(ended).reason;
        assert_eq!(why(open(NOBODY, None, None), Some(Exhausted::Time)), "time limit reached");
        assert_eq!(why(open("x", None, None), None), "x");
        assert_eq!(why(open("y", Some("x"), Some("y")), None), "x; y");
        let all = why(open("y", Some("x"), Some("y")), Some(Exhausted::Time));
        assert_eq!(all, "time limit reached; x; y");
    }
}
