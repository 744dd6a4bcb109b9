//! Values as JSON and back: the trait, what containers and numbers look like, and the two macros that do it for structs and enums.
//!
//! A struct is an object with its fields' names. A variant is its name, or an object with its name as the only key, whose value is a list of what it holds or,
//! if its parts have names, an object. A map is a list of pairs. What is missing, left over, of another kind or out of range is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::hash::Hash;
use std::sync::Arc;

use belay_base::{Id, IdVec};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value as Json};

use crate::names::Names;

/// Why a text is no proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bad(pub String);

impl Bad {
    /// With this reason.
    pub(crate) fn new(reason: impl Into<String>) -> Bad {
        Bad(reason.into())
    }
}

impl Display for Bad {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What can be written into a proof.
pub(crate) trait Stored: Sized {
    /// As JSON.
    fn store(&self, names: &Names<'_>) -> Json;
    /// From JSON.
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad>;
}

/// Sizes and offsets in bytes: the sum of two of them fits.
const MAX_LENGTH: u64 = 1 << 60;
/// Counts and numbers of things: the sum of two of them fits.
const MAX_COUNT: u32 = (1 << 31) - 1;
/// Numbers of instructions, blocks, locations and cells.
pub(crate) const MAX_ID: u32 = 1 << 26;

/// A struct, by its fields.
macro_rules! stored_struct {
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl crate::stored::Stored for $type {
            fn store(&self, names: &crate::names::Names<'_>) -> serde_json::Value {
                let $type { $($field),* } = self;
                crate::stored::object([$((stringify!($field), crate::stored::Stored::store($field, names))),*])
            }
            fn load(json: &serde_json::Value, names: &crate::names::Names<'_>) -> Result<Self, crate::stored::Bad> {
                let mut parts = crate::stored::Parts::of_struct(json, stringify!($type))?;
                $(let $field = parts.field(stringify!($field), names)?;)*
                parts.finish()?;
                Ok($type { $($field),* })
            }
        }
    };
}

/// An enum, by its variants and what they hold.
macro_rules! stored_enum {
    ($type:ident { $($variant:ident $(( $($part:ident),* ))? $({ $($field:ident),* })?),* $(,)? }) => {
        impl crate::stored::Stored for $type {
            fn store(&self, names: &crate::names::Names<'_>) -> serde_json::Value {
                let _ = names;
                match self {
                    $($type::$variant $(( $($part),* ))? $({ $($field),* })? => crate::stored::variant(
                        stringify!($variant),
                        vec![$($(crate::stored::Stored::store($part, names)),*)?],
                        vec![$($((stringify!($field), crate::stored::Stored::store($field, names))),*)?],
                    ),)*
                }
            }
            fn load(json: &serde_json::Value, names: &crate::names::Names<'_>) -> Result<Self, crate::stored::Bad> {
                let _ = names;
                #[allow(unused_mut, reason = "variants that hold nothing take no parts")]
                let (name, mut parts) = crate::stored::Parts::of_variant(json, stringify!($type))?;
                let value = match name.as_str() {
                    $(stringify!($variant) => {
                        $($(let $part = parts.next(names)?;)*)?
                        $($(let $field = parts.field(stringify!($field), names)?;)*)?
                        $type::$variant $(( $($part),* ))? $({ $($field),* })?
                    })*
                    other => return Err(crate::stored::Bad::new(format!("{other}: no {}", stringify!($type)))),
                };
                parts.finish()?;
                Ok(value)
            }
        }
    };
}

/// An object.
pub(crate) fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A variant with its parts.
pub(crate) fn variant(name: &str, parts: Vec<Json>, fields: Vec<(&str, Json)>) -> Json {
    if !fields.is_empty() {
        let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        return object([(name, Json::Object(fields))]);
    }
    if parts.is_empty() { Json::String(name.to_owned()) } else { object([(name, Json::Array(parts))]) }
}

/// What is still to be read of a struct or a variant.
pub(crate) struct Parts<'j> {
    of: String,
    fields: Map<String, Json>,
    list: std::slice::Iter<'j, Json>,
}

impl<'j> Parts<'j> {
    /// The fields of a struct.
    pub(crate) fn of_struct(json: &'j Json, of: &str) -> Result<Parts<'j>, Bad> {
        let fields = json.as_object().ok_or_else(|| Bad::new(format!("no {of}")))?.clone();
        Ok(Parts { of: of.to_owned(), fields, list: [].iter() })
    }

    /// The name of a variant and its parts.
    pub(crate) fn of_variant(json: &'j Json, of: &str) -> Result<(String, Parts<'j>), Bad> {
        let bad = || Bad::new(format!("no {of}"));
        let empty = || Parts { of: of.to_owned(), fields: Map::new(), list: [].iter() };
        if let Json::String(name) = json {
            return Ok((name.clone(), empty()));
        }
        let fields = json.as_object().ok_or_else(bad)?;
        let mut entries = fields.iter();
        let (Some((name, inner)), None) = (entries.next(), entries.next()) else { return Err(bad()) };
        match inner {
            Json::Array(list) => Ok((name.clone(), Parts { list: list.iter(), ..empty() })),
            Json::Object(fields) => Ok((name.clone(), Parts { fields: fields.clone(), ..empty() })),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => Err(bad()),
        }
    }

    /// The next part.
    pub(crate) fn next<T: Stored>(&mut self, names: &Names<'_>) -> Result<T, Bad> {
        let json = self.list.next().ok_or_else(|| Bad::new(format!("{}: a part is missing", self.of)))?;
        T::load(json, names)
    }

    /// A field.
    pub(crate) fn field<T: Stored>(&mut self, name: &str, names: &Names<'_>) -> Result<T, Bad> {
        let json = self.fields.remove(name).ok_or_else(|| Bad::new(format!("{}: {name} is missing", self.of)))?;
        T::load(&json, names)
    }

    /// Nothing may be left.
    pub(crate) fn finish(mut self) -> Result<(), Bad> {
        match (self.fields.keys().next(), self.list.next()) {
            (None, None) => Ok(()),
            (Some(name), _) => Err(Bad::new(format!("{}: what is {name}?", self.of))),
            (None, Some(_)) => Err(Bad::new(format!("{}: there is a part too many", self.of))),
        }
    }
}

/// Whole numbers that JSON's readers keep are numbers, others are text.
fn store_number(number: i128) -> Json {
    match i64::try_from(number) {
        Ok(small) if small.unsigned_abs() < 1 << 53 => small.into(),
        Ok(_) | Err(_) => Json::String(number.to_string()),
    }
}

fn load_number<T: TryFrom<i128>>(json: &Json) -> Result<T, Bad> {
    let number = match json {
        Json::Number(number) => number.as_i64().map(i128::from),
        Json::String(text) => text.parse().ok(),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    };
    let fits = number.and_then(|number| T::try_from(number).ok());
    fits.ok_or_else(|| Bad::new("a whole number that fits is expected"))
}

fn at_most<T: PartialOrd>(number: T, most: T) -> Result<T, Bad> {
    if number <= most { Ok(number) } else { Err(Bad::new("a number is too great")) }
}

/// Whole numbers with what they may be at most.
macro_rules! stored_numbers {
    ($($type:ty: $most:expr),*) => {$(
        impl Stored for $type {
            fn store(&self, _: &Names<'_>) -> Json {
                store_number(*self as i128)
            }
            fn load(json: &Json, _: &Names<'_>) -> Result<Self, Bad> {
                at_most(load_number(json)?, $most)
            }
        }
    )*};
}
stored_numbers!(u32: MAX_COUNT, u64: MAX_LENGTH, i64: i64::MAX, i128: i128::MAX);

/// The greatest index stands for the end: that is how the place where a function returns is named.
impl Stored for usize {
    fn store(&self, _: &Names<'_>) -> Json {
        if *self == usize::MAX { "end".into() } else { store_number(*self as i128) }
    }
    fn load(json: &Json, _: &Names<'_>) -> Result<Self, Bad> {
        if json.as_str() == Some("end") {
            return Ok(usize::MAX);
        }
        at_most(load_number(json)?, MAX_COUNT as usize)
    }
}

/// Bits, whatever they mean.
impl Stored for u128 {
    fn store(&self, _: &Names<'_>) -> Json {
        i128::try_from(*self).map_or_else(|_| Json::String(self.to_string()), store_number)
    }
    fn load(json: &Json, _: &Names<'_>) -> Result<Self, Bad> {
        match json {
            Json::String(text) => text.parse().map_err(|_| Bad::new("a number is expected")),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => load_number(json),
        }
    }
}

impl Stored for bool {
    fn store(&self, _: &Names<'_>) -> Json {
        (*self).into()
    }
    fn load(json: &Json, _: &Names<'_>) -> Result<Self, Bad> {
        json.as_bool().ok_or_else(|| Bad::new("true or false is expected"))
    }
}

impl Stored for String {
    fn store(&self, _: &Names<'_>) -> Json {
        self.as_str().into()
    }
    fn load(json: &Json, _: &Names<'_>) -> Result<Self, Bad> {
        json.as_str().map(str::to_owned).ok_or_else(|| Bad::new("text is expected"))
    }
}

fn elements(json: &Json) -> Result<&[Json], Bad> {
    json.as_array().map(Vec::as_slice).ok_or_else(|| Bad::new("a list is expected"))
}

impl<T: Stored> Stored for Vec<T> {
    fn store(&self, names: &Names<'_>) -> Json {
        self.iter().map(|item| item.store(names)).collect()
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        elements(json)?.iter().map(|item| T::load(item, names)).collect()
    }
}

impl<I: Id, T: Stored> Stored for IdVec<I, T> {
    fn store(&self, names: &Names<'_>) -> Json {
        self.iter().map(|item| item.store(names)).collect()
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        elements(json)?.iter().map(|item| T::load(item, names)).collect()
    }
}

impl<T: Stored + Ord> Stored for BTreeSet<T> {
    fn store(&self, names: &Names<'_>) -> Json {
        self.iter().map(|item| item.store(names)).collect()
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        elements(json)?.iter().map(|item| T::load(item, names)).collect()
    }
}

/// A key that comes twice would hide one of its values.
impl<K: Stored + Ord, V: Stored> Stored for BTreeMap<K, V> {
    fn store(&self, names: &Names<'_>) -> Json {
        self.iter().map(|(key, value)| Json::Array(vec![key.store(names), value.store(names)])).collect()
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        let mut map = BTreeMap::new();
        for pair in elements(json)? {
            let (key, value) = <(K, V)>::load(pair, names)?;
            if map.insert(key, value).is_some() {
                return Err(Bad::new("something is said twice"));
            }
        }
        Ok(map)
    }
}

impl<K: Stored + Ord + Copy + Hash, V: Stored + Clone> Stored for FxHashMap<K, V> {
    fn store(&self, names: &Names<'_>) -> Json {
        let sorted: BTreeMap<K, V> = self.iter().map(|(key, value)| (*key, value.clone())).collect();
        sorted.store(names)
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        Ok(BTreeMap::<K, V>::load(json, names)?.into_iter().collect())
    }
}

impl<T: Stored> Stored for Option<T> {
    fn store(&self, names: &Names<'_>) -> Json {
        self.as_ref().map_or(Json::Null, |item| item.store(names))
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        if json.is_null() { Ok(None) } else { T::load(json, names).map(Some) }
    }
}

impl<T: Stored> Stored for Box<T> {
    fn store(&self, names: &Names<'_>) -> Json {
        (**self).store(names)
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        T::load(json, names).map(Box::new)
    }
}

impl<T: Stored> Stored for Arc<T> {
    fn store(&self, names: &Names<'_>) -> Json {
        (**self).store(names)
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        T::load(json, names).map(Arc::new)
    }
}

impl<T: Stored, const N: usize> Stored for [T; N] {
    fn store(&self, names: &Names<'_>) -> Json {
        self.iter().map(|item| item.store(names)).collect()
    }
    fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
        let items = Vec::<T>::load(json, names)?;
        items.try_into().map_err(|_| Bad::new(format!("{N} parts are expected")))
    }
}

/// Pairs and triples are lists.
macro_rules! stored_tuples {
    ($(($($part:ident),*))*) => {$(
        #[allow(non_snake_case)]
        impl<$($part: Stored),*> Stored for ($($part,)*) {
            fn store(&self, names: &Names<'_>) -> Json {
                let ($($part,)*) = self;
                Json::Array(vec![$($part.store(names)),*])
            }
            fn load(json: &Json, names: &Names<'_>) -> Result<Self, Bad> {
                let mut list = elements(json)?.iter();
                $(let $part = $part::load(list.next().ok_or_else(|| Bad::new("a part is missing"))?, names)?;)*
                if list.next().is_some() {
                    return Err(Bad::new("there is a part too many"));
                }
                Ok(($($part,)*))
            }
        }
    )*};
}
stored_tuples!((A, B)(A, B, C));
