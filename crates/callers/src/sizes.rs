//! How many elements there are, in C.

use belay_frontend::Types;

use crate::descriptions::Choice;
use crate::usage::Scale;

/// How many elements there are: a number, a multiple or a part of one, or one more.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Size {
    /// The number as C writes it.
    pub(crate) text: String,
    /// Whether it may be negative.
    pub(crate) is_signed: bool,
    /// The bits of its type.
    pub(crate) bits: u32,
    /// So many times the number, and then a part of it.
    scale: Scale,
    /// Whether the number is an index: there is one more.
    is_index: bool,
    /// What a counter comes to that is compared with it: where there are more, the loop has no end.
    most: Option<u64>,
}

impl Size {
    pub(crate) fn new(text: String, ty: &str) -> Size {
        let has = |word: &str| ty.split_whitespace().any(|other| other == word);
        let bits = match () {
            () if has("char") || has("_Bool") => 8,
            () if has("short") => 16,
            () if has("long") => 64,
            () => 32,
        };
        let is_signed = !ty.contains("unsigned") && !has("_Bool");
        Size { text, is_signed, bits, scale: (1, 1), is_index: false, most: None }
    }

    /// A number of the program.
    pub(crate) fn constant(number: u64) -> Size {
        Size::new(number.to_string(), "unsigned long")
    }

    pub(crate) fn at_most(self, most: Option<&u64>) -> Size {
        let greatest = 1u64.checked_shl(self.bits - u32::from(self.is_signed)).map(|end| end - 1);
        // What its type has no room for need not be said.
        let most = most.copied().filter(|most| greatest.is_none_or(|greatest| *most < greatest));
        Size { most, ..self }
    }

    pub(crate) fn scaled(self, scale: Scale) -> Size {
        Size { scale, ..self }
    }

    pub(crate) fn of_index(self) -> Size {
        Size { is_index: true, ..self }
    }

    /// True if it is the number itself.
    pub(crate) fn is_plain(&self) -> bool {
        self.scale == (1, 1) && !self.is_index
    }

    fn is_constant(&self) -> bool {
        self.text.contains("strlen") || self.text.parse::<u64>().is_ok()
    }

    /// How many elements, as a part of a product.
    pub(crate) fn factor(&self) -> String {
        let number = if self.text.contains(' ') { format!("({})", self.text) } else { self.text.clone() };
        match self.scale {
            (1, 1) if self.is_index => format!("((unsigned long){number} + 1)"),
            (times, 1) if self.is_index => format!("({times}ul * {number} + 1)"),
            (_, part) if self.is_index => format!("((unsigned long){number} / {part} + 1)"),
            (1, 1) => number,
            (times, 1) => format!("{times}ul * {number}"),
            (_, part) => format!("({number} / {part} + ({number} % {part} != 0))"),
        }
    }

    /// A condition under which so many elements are less than half of all addresses, and whatever counts them comes to its end; with ` && ` behind it.
    pub(crate) fn fits(&self, place: &str, choice: Choice, size: u64) -> String {
        let number = if self.text.contains(' ') { format!("({})", self.text) } else { self.text.clone() };
        let bytes = size.saturating_mul(self.scale.0);
        let is_small = self.bits < 32 || self.bits == 32 && bytes < 1 << 30;
        let of_one = match (size, self.scale.0) {
            (1, 1) => String::new(),
            (1, times) => format!(" / {times}"),
            (_, 1) => format!(" / sizeof(*{place})"),
            (_, times) => format!(" / ({times} * sizeof(*{place}))"),
        };
        match self.most {
            _ if self.is_constant() => String::new(),
            // What widens others is beyond most invariants.
            Some(most) if choice.small && most.count_ones() % 8 == 0 => format!("{number} <= {} && ", most >> 1),
            Some(most) => format!("{number} <= {most} && "),
            None if self.bits == 32 && !self.is_signed && choice.small => format!("{number} <= 2147483647 && "),
            None if self.bits == 16 && !self.is_signed && choice.small => format!("{number} <= 32767 && "),
            None if is_small => String::new(),
            None if self.is_index => format!("(unsigned long long){number} < (~0ul >> 1){of_one} && "),
            None => format!("(unsigned long long){number} <= (~0ul >> 1){of_one} && "),
        }
    }

    /// A block of so many elements, of each of which something may hold.
    pub(crate) fn array(&self, place: &str, choice: Choice, size: u64, elements: Option<String>) -> String {
        let fits = self.fits(place, choice, size);
        let block = match size {
            1 if self.is_plain() => format!("__CPROVER_is_fresh({place}, {})", self.text),
            1 => format!("__CPROVER_is_fresh({place}, {})", self.factor()),
            _ => format!("__CPROVER_is_fresh({place}, {} * sizeof(*{place}))", self.factor()),
        };
        let elements = elements.map(|each| format!(" && {each}")).unwrap_or_default();
        match self.is_signed {
            true if self.is_index => format!("{} >= 0 && {fits}{block}{elements}", self.text),
            true => format!("({} <= 0 || ({fits}{block}{elements}))", self.text),
            false => format!("{fits}{block}{elements}"),
        }
    }
}

/// An array type: the type of its elements, of all dimensions, and how many there are.
pub(crate) fn array_type(ty: &str) -> Option<(&str, u64)> {
    let (element, dimensions) = ty.split_once('[')?;
    let mut lengths = dimensions.strip_suffix(']')?.split("][").map(|length| length.parse::<u64>().ok());
    let count = lengths.try_fold(1u64, |all, length| all.checked_mul(length?))?;
    (!element.contains('(')).then_some((element.trim(), count))
}

/// The bytes of a type, also of an array.
pub(crate) fn bytes_of(types: &Types, ty: &str) -> Option<u64> {
    match array_type(ty) {
        Some((element, count)) => types.size(element)?.checked_mul(count),
        None => types.size(ty),
    }
}
