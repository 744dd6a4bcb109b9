//! What a function is given, said by options: `--object`, `--string`, `--array`, `--nullable`, also of members (`s->name`) and of what parameters point to (`*out`).
//!
//! Where the options speak of more than parameters that are strings and arrays they become a contract's `requires` ([contracts](belay_frontend::Contracts)), so that they mean
//! what the same words mean there: each place that is described leads to a block of its own, of any content; with `--nullable` it may be null instead, and
//! then nothing is said of what lies behind it.

use belay_frontend::Stated;

use crate::arguments::ProgramOptions;
use crate::failure::{exit, failure};
use crate::sandbox::Response;

/// A place and what it leads to.
struct Item {
    place: String,
    /// As clauses, without what lies behind.
    said: String,
}

/// The clauses that the options are; none if they can be said otherwise.
pub fn stated(options: &ProgramOptions) -> Result<Option<Stated>, Response> {
    if !is_stated(options) {
        return Ok(None);
    }
    let mut items: Vec<Item> = Vec::new();
    for place in &options.objects {
        items.push(Item { place: bare(place), said: format!("__CPROVER_is_fresh({place}, sizeof(*{place}))") });
    }
    for place in &options.strings {
        items.push(Item { place: bare(place), said: format!("__CPROVER_is_cstring({place})") });
    }
    for (place, length) in arrays(options)? {
        let said = format!(
            "!(({length}) < 0) && (unsigned long long)({length}) <= (~0ul >> 1) / sizeof(*{place}) && __CPROVER_is_fresh({place}, ({length}) * sizeof(*{place}))"
        );
        items.push(Item { place: bare(&place), said });
    }
    let wrong = |message: String| Err(failure(exit::USAGE, &message));
    for (index, item) in items.iter().enumerate() {
        if items[..index].iter().any(|other| other.place == item.place) {
            return wrong(format!("`{}` is described twice", item.place));
        }
    }
    if let Some(place) = options.nullable.iter().find(|place| items.iter().all(|item| item.place != bare(place))) {
        return wrong(format!(
            "--nullable {place}: what it leads to otherwise is not said (--object, --string, --array)"
        ));
    }
    let nullable: Vec<String> = options.nullable.iter().map(|place| bare(place)).collect();
    // What a length speaks of has to be there before.
    items.sort_by_key(|item| depth(&item.said));
    let roots = items.iter().filter(|item| items.iter().all(|other| !is_behind(&item.place, &other.place)));
    let described = roots.map(|root| clause(root, &items, &nullable));
    let requires = described.chain(options.preconditions.iter().cloned()).collect();
    Ok(Some(Stated { requires, any_globals: false }))
}

/// True if the options speak of more than parameters that are strings and arrays.
pub fn is_stated(options: &ProgramOptions) -> bool {
    let arrays = options.arrays.iter().filter_map(|array| array.split_once(['=', ':'])).map(|(place, _)| place);
    let mut places = arrays.chain(options.strings.iter().map(String::as_str));
    !options.objects.is_empty() || !options.nullable.is_empty() || places.any(|place| !is_name(place))
}

/// The arrays and their lengths.
pub fn arrays(options: &ProgramOptions) -> Result<Vec<(String, String)>, Response> {
    let wrong = |message: String| failure(exit::USAGE, &message);
    let mut all = Vec::new();
    for array in &options.arrays {
        let (place, length) = array
            .split_once(['=', ':'])
            .ok_or_else(|| wrong(format!("--array {array}: how long is it? (--array {array}=LENGTH)")))?;
        if length.trim().is_empty() {
            return Err(wrong(format!("--array {array}: how long is it?")));
        }
        all.push((place.trim().to_owned(), length.trim().to_owned()));
    }
    Ok(all)
}

/// What the descriptions take for granted of callers: that they give different objects; and, where blocks are made, that these are of the heap.
pub fn taken(options: &ProgramOptions) -> Option<String> {
    let arrays = options.arrays.iter().filter_map(|array| array.split_once(['=', ':'])).map(|(place, _)| bare(place));
    let others = options.objects.iter().chain(&options.strings).map(|place| bare(place));
    let places: Vec<String> = others.chain(arrays).collect();
    let object = if is_stated(options) { "a block of the heap" } else { "an object" };
    let is_taken = is_stated(options) || places.len() > 1;
    is_taken
        .then(|| format!("assuming that callers give {object} of its own at each of these: {}", places.join(", ")))
}

/// A place with what lies behind it.
fn clause(item: &Item, items: &[Item], nullable: &[String]) -> String {
    let is_next = |other: &&Item| {
        let between = |middle: &Item| is_behind(&other.place, &middle.place) && is_behind(&middle.place, &item.place);
        is_behind(&other.place, &item.place) && !items.iter().any(between)
    };
    let behind = items.iter().filter(is_next).map(|other| format!(" && ({})", clause(other, items, nullable)));
    let said = format!("{}{}", item.said, behind.collect::<String>());
    if nullable.contains(&item.place) { format!("{} == 0 || ({said})", item.place) } else { said }
}

/// True if one place is reached through the pointer that is the other.
fn is_behind(place: &str, pointer: &str) -> bool {
    let starts = [format!("{pointer}->"), format!("{pointer}["), format!("(*{pointer})")];
    place == format!("*{pointer}") || starts.iter().any(|start| place.starts_with(start))
}

/// How many pointers an expression follows.
fn depth(text: &str) -> usize {
    text.matches("->").count() + text.matches('*').count()
}

fn bare(place: &str) -> String {
    place.split_whitespace().collect()
}

fn is_name(place: &str) -> bool {
    place.trim().chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}
