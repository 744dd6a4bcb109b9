//! A precondition that was proved is made weaker, while there is time: relations between numbers that are not needed are left out one by one, and a pointer that may lead
//! to an array or to a text may lead to either, where both are proved; members may lead back to what they are members of. Whatever comes of it has been proved: all of it, or each side of a disjunction.

use belay_callers::Description;
use belay_ir::Property;

use super::attempts::{Trial, Tried};
use super::{LEAST, Search};

/// The part of the time after which nothing more is tried.
const PART: f64 = 0.6;
/// So much of it for one attempt.
const SHARE: f64 = 0.2;

/// A weaker precondition than one that is proved, if there is one; `all` are the descriptions that could have been tried.
pub fn weaken(
    search: &mut Search,
    trial: &Trial<'_>,
    (mut found, all): (Tried, &[Description]),
    properties: &[Property],
) -> Tried {
    let end = search.limit.mul_f64(PART);
    let share = search.limit.mul_f64(SHARE).max(LEAST);
    let is_proved = |search: &mut Search, requires: Description| -> bool {
        search.start.elapsed() + share < end
            && search.attempt(trial, requires, properties, share).is_some_and(|now| now.is_proved())
    };
    let mut at = 0;
    while let Some(less) = without_relation(&found.requires, at) {
        match is_proved(search, less.clone()) {
            true => found.requires = less,
            false => at += 1,
        }
    }
    let with_rings = |requires: &[String]| -> Option<Description> {
        let is_weaker = |other: &&Description| {
            other.as_slice() != requires
                && other.concat().len() > requires.concat().len()
                && without_rings(other) == without_rings(requires)
        };
        all.iter().filter(is_weaker).max_by_key(|other| other.concat().len()).cloned()
    };
    if let Some(other) = with_rings(&found.requires)
        && is_proved(search, other.clone())
    {
        found.requires = other;
    }
    for other in all {
        if let Some((index, either)) = either(&found.requires, other)
            && is_proved(search, other.clone())
        {
            found.requires[index] = either;
            break;
        }
    }
    found
}

/// The clauses without sides like `p->next == p`, and without brackets.
fn without_rings(requires: &[String]) -> Vec<String> {
    let without = |clause: &String| {
        let plain = clause.replace(['(', ')'], "");
        let words: Vec<&str> = plain.split(' ').collect();
        let (mut left, mut at) = (Vec::new(), 0);
        while at < words.len() {
            match &words[at..] {
                [place, "==", holder, "||", ..] if place.contains("->") && *holder != "0" => at += 4,
                _ => {
                    left.push(words[at]);
                    at += 1;
                }
            }
        }
        left.join(" ")
    };
    requires.iter().map(without).collect()
}

/// The clauses without one of the relations between numbers that stand in them.
fn without_relation(requires: &[String], number: usize) -> Option<Description> {
    let parts: Vec<Vec<&str>> = requires.iter().map(|clause| conjuncts(clause)).collect();
    let places = parts.iter().enumerate().flat_map(|(clause, parts)| (0..parts.len()).map(move |part| (clause, part)));
    let (clause, part) = places.filter(|(clause, part)| is_relation(parts[*clause][*part])).nth(number)?;
    let mut less = requires.to_vec();
    let rest = parts[clause].iter().enumerate().filter(|(at, _)| *at != part).map(|(_, text)| *text);
    less[clause] = rest.collect::<Vec<_>>().join(" && ");
    less.retain(|clause| !clause.is_empty());
    Some(less)
}

/// The parts of a clause that all have to hold.
fn conjuncts(clause: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, letter) in clause.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '|' if depth == 0 => return vec![clause],
            '&' if depth == 0 && clause[at..].starts_with("&& ") => {
                parts.push(clause[start..at].trim());
                start = at + 3;
            }
            _ => {}
        }
    }
    parts.push(clause[start..].trim());
    parts
}

/// True for `p->pos <= p->len`; not for what keeps sizes from going round.
fn is_relation(part: &str) -> bool {
    let words: Vec<&str> = part.split(' ').collect();
    let is_place = |word: &str| word.contains("->") || word.starts_with('*');
    matches!(words.as_slice(), [one, "<" | "<=" | ">=" | "!=", _] if is_place(one))
}

/// The clause in which two descriptions differ, if the one says text where the other says array: as one that says either.
fn either(one: &[String], other: &[String]) -> Option<(usize, String)> {
    let says_text =
        |clause: &str| clause.contains("__CPROVER_is_cstring(") || clause.contains("__BELAY_is_terminated(");
    let mut apart = one.iter().zip(other).enumerate().filter(|(_, (one, other))| one != other);
    let (index, (left, right)) = apart.next().filter(|_| one.len() == other.len())?;
    let is_plain = |clause: &String| !clause.contains("||") && !clause.contains("==>");
    let told = apart.next().is_none() && is_plain(left) && is_plain(right) && says_text(left) != says_text(right);
    let bracketed = |clause: &str| if clause.contains("&&") { format!("({clause})") } else { clause.to_owned() };
    told.then(|| (index, format!("{} || {}", bracketed(left), bracketed(right))))
}

#[cfg(test)]
mod tests {
    use super::{either, without_relation, without_rings};

    fn clauses(all: &[&str]) -> Vec<String> {
        all.iter().map(|one| (*one).to_owned()).collect()
    }

    #[test]
    fn relations_are_left_out() {
        let all = clauses(&["__CPROVER_is_fresh(p, sizeof(*p)) && p->len <= (~0ul >> 1) && p->pos < 64", "n > 0"]);
        let less = |number: usize| without_relation(&all, number);
        assert_eq!(less(0), Some(clauses(&["__CPROVER_is_fresh(p, sizeof(*p)) && p->len <= (~0ul >> 1)", "n > 0"])));
        assert_eq!(less(1), None);
        assert_eq!(without_relation(&clauses(&["p == 0 || (p->n < 3 && q->n < 3)"]), 0), None);
    }

    #[test]
    fn rings_are_told_from_other_sides() {
        let ring = clauses(&["is_fresh(p, 8) && (p->next == p || (is_fresh(p->next, 8)))"]);
        assert_eq!(without_rings(&ring), without_rings(&clauses(&["is_fresh(p, 8) && is_fresh(p->next, 8)"])));
        let null = clauses(&["is_fresh(p, 8) && (p->next == 0 || (is_fresh(p->next, 8)))"]);
        assert_ne!(without_rings(&null), without_rings(&ring));
    }

    #[test]
    fn texts_or_arrays() {
        let (text, array) = ("__CPROVER_is_cstring(s)", "n <= 9 && __CPROVER_is_fresh(s, n)");
        let both = either(&clauses(&["n > 0", array]), &clauses(&["n > 0", text]));
        assert_eq!(both, Some((1, format!("({array}) || {text}"))));
        assert_eq!(either(&clauses(&[array]), &clauses(&["n <= 9 && __CPROVER_is_fresh(s, n + 1)"])), None);
        assert_eq!(either(&clauses(&[array, array]), &clauses(&[text, text])), None);
    }
}
