//! Properties without a verdict yet, and what is said of them if there never is one.

use belay_base::{Exhausted, Span};
use belay_ir::Property;

use belay_evidence::{Attempts, GaveUp, Reasons, Why};

/// A property without a verdict yet, and why each engine that was asked has none.
#[derive(Debug)]
pub(crate) struct OpenProperty {
    /// The property.
    pub property: Property,
    /// Why not, in the order in which it was said; of each engine the most telling word, of two of a kind the last.
    said: Vec<(&'static str, GaveUp)>,
}

/// Parts of an explanation at most.
const MAX_PARTS: usize = 3;

impl OpenProperty {
    pub(crate) fn new(property: Property) -> Self {
        Self { property, said: Vec::new() }
    }

    /// Notes why an engine has no claim. An engine may have several turns: that a later one ran out of steps does not hide which fact did not follow
    /// in an earlier one. Which of its attempts did not come to an end is what it said last.
    pub(crate) fn note(&mut self, engine: &'static str, gave_up: GaveUp) {
        let known = self.said.iter().position(|(known, _)| *known == engine).map(|at| self.said.remove(at).1);
        let told = match known {
            Some(known) if known.why < gave_up.why => {
                let within = gave_up.within.or(known.within);
                GaveUp { unfinished: gave_up.unfinished, within, ..known }
            }
            _ => gave_up,
        };
        self.said.push((engine, told));
    }

    /// The attempts of an engine that did not come to an end.
    pub(crate) fn unfinished(&self, engine: &'static str) -> Attempts {
        let said = self.said.iter().find(|(known, _)| *known == engine);
        said.map_or(0, |(_, gave_up)| gave_up.unfinished)
    }

    /// Why there is no answer: the most telling reason first, each thing once; at a place in the user's own files, if one is known.
    pub(crate) fn explain(self, out_of_time: Option<Exhausted>, is_own: impl Fn(Span) -> bool) -> GaveUp {
        let mut said: Vec<GaveUp> = self.said.into_iter().map(|(_, gave_up)| gave_up).collect();
        let within = said.iter().filter_map(|gave_up| gave_up.within).max_by_key(|within| within.rounds());
        // Of two reasons of a kind the later one is of the engine that got further.
        said.reverse();
        said.sort_by_key(|gave_up| gave_up.why);
        said.extend(out_of_time.map(|why| GaveUp::because(Why::Limit, why.to_string())));
        let (mut parts, mut unused): (Vec<GaveUp>, Vec<GaveUp>) = Default::default();
        for part in said {
            let is_repeated = parts.iter().any(|known| known.reason.say(&part.reason));
            let adds = parts.iter().all(|known| known.why != part.why) && part.why != Why::NotAsked;
            let is_said = !is_repeated && (parts.is_empty() || adds && parts.len() < MAX_PARTS);
            if is_said { parts.push(part) } else { unused.push(part) }
        }
        let Some(first) = parts.first() else { return GaveUp::because(Why::NotAsked, "no engine was asked") };
        let why = first.why;
        let mut spans = parts.iter().chain(&unused).map(|part| part.span).filter(|span| span.is_known());
        let any = spans.clone().next();
        let span = spans.find(|span| is_own(*span)).or(any).unwrap_or(first.span);
        let mut reasons = Reasons::default();
        if out_of_time == Some(Exhausted::Interrupted) {
            // That something was cut off goes without saying then.
            reasons.also("interrupted");
            parts.retain(|part| part.why != Why::Limit);
        }
        parts.into_iter().for_each(|part| reasons.also(part.reason));
        GaveUp { within, ..GaveUp::at(span, why, reasons) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explain_all(said: &[(&'static str, Why, &str)], ended: Option<Exhausted>) -> String {
        let mut open = OpenProperty::new(Property::NoOverflow);
        said.iter().for_each(|(engine, why, reason)| open.note(engine, GaveUp::because(*why, *reason)));
        let told = open.explain(ended, |_| true).reason.0;
        told.into_iter().map(|reason| reason.what).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn the_most_telling_reason_comes_first() {
        let said = [
            ("graph", Why::NotShown, "nothing says where the pointer leads"),
            ("bmc", Why::Searched, "a run may go on beyond bound 8"),
            ("kiki", Why::NoInvariant, "the loop can't be cut"),
        ];
        assert_eq!(
            explain_all(&said, Some(Exhausted::Time)),
            "nothing says where the pointer leads; the loop can't be cut; a run may go on beyond bound 8"
        );
        let said = [("kiki", Why::NotShown, "x"), ("run", Why::NotHandled, "threads")];
        assert_eq!(explain_all(&said, None), "threads; x");
        let said = [("kiki", Why::NoInvariant, "no invariant"), ("kiki", Why::Limit, "out of steps")];
        assert_eq!(explain_all(&said, None), "no invariant");
    }

    #[test]
    fn what_did_not_come_to_an_end_is_said_last() {
        let mut open = OpenProperty::new(Property::NoOverflow);
        open.note("kiki", GaveUp { unfinished: 3, ..GaveUp::because(Why::NoInvariant, "x") });
        open.note("kiki", GaveUp { unfinished: 1, ..GaveUp::because(Why::Limit, "y") });
        assert_eq!(open.unfinished("kiki"), 1);
    }

    #[test]
    fn each_part_is_said_once() {
        assert_eq!(explain_all(&[], Some(Exhausted::Time)), "time limit reached");
        assert_eq!(explain_all(&[], None), "no engine was asked");
        assert_eq!(explain_all(&[("bmc", Why::Searched, "x"), ("kiki", Why::NotShown, "x")], None), "x");
        assert_eq!(explain_all(&[("bmc", Why::Limit, "old"), ("bmc", Why::Limit, "new")], None), "new");
    }
}
