//! Blocks with a header before the pointer: what stands there may say how much lies behind (`has_header`, `number`).

use super::{NUMBER, assign};
use crate::lower::{Lowered, Lowering};
use crate::tokens::{bare, closing, split, tokens};

impl Lowering {
    /// A block with a pointer into it. How much lies behind the pointer may be said by what stands before it: so any number of bytes is made, of any content, and of these
    /// blocks those are taken whose content says just that number. Each state in which the condition holds of a whole block is one of them: that a `number` of 8 bytes in `n`
    /// counts no more elements than there can be, so that sums do not wrap, is a part of the condition, and asked where it is asserted. The pointer is aligned as its type asks only
    /// if the start is and the bytes between keep it.
    pub(super) fn make_headed(&mut self, (pointer, place): (&str, &str), header: &str, behind: &str) -> Lowered {
        let (header, keep) = (header_size(header)?, self.keep("__belay_base")?);
        self.describe(pointer, place.to_owned(), None);
        let (behind, fits) = (self.expression(behind)?, self.counts_that_fit(place, behind)?);
        let made = assign(place, &format!("(void *)((char *)__belay_base + {header})"));
        let aligned = format!("{header} % __alignof__(*({place})) ? 1 : __alignof__(*({place}))");
        Ok(format!(
            "{{ __SIZE_TYPE__ __belay_length; __belay_assume(__belay_length < (~(__SIZE_TYPE__)0 >> 2)); void *__belay_base = __belay_block({aligned}, {header} + __belay_length); __belay_assume(__belay_base != 0); {made}{keep}__belay_assume({fits}1); __belay_assume((__SIZE_TYPE__)({behind}) == __belay_length); }} "
        ))
    }

    /// The same as a condition: what stands before the pointer is looked at once it is known that it may be.
    pub(super) fn headed(&mut self, pointer: &str, header: &str, behind: &str) -> Lowered {
        let header = header_size(header)?;
        let place = self.expression(pointer)?;
        let (behind, fits) = (self.expression(behind)?, self.counts_that_fit(&place, behind)?);
        let accessible = self.accessible(&place);
        let (start, size) = (format!("((char *)({place}) - {header})"), format!("(__SIZE_TYPE__)({behind})"));
        let found = format!(
            "({accessible}({start}, {header}) && {fits}{size} < (~(__SIZE_TYPE__)0 >> 2) && {accessible}({start}, {header} + {size}){}{})",
            self.apart(&place, None),
            self.outside_statics(&place, "1")
        );
        Ok(self.remember(found, place, None))
    }

    /// That the numbers of 8 bytes in a size are counts of elements for which there is room, each with ` && ` behind it; nothing where the size is more than a sum of multiples of
    /// them, since what shifts, masks and choices leave of a number may be small whatever the number is.
    fn counts_that_fit(&mut self, place: &str, size: &str) -> Lowered {
        let all = tokens(size);
        if !is_sum_of_counts(size)? {
            return Ok(String::new());
        }
        let mut out = String::new();
        for at in (0..all.len()).filter(|at| all[*at].is(NUMBER)) {
            let close = closing(&all, at + 1).ok_or("brackets do not match")?;
            if let [pointer, "8"] = split(&size[all[at + 1].end()..all[close].at], ",").as_slice() {
                let number = self.number(pointer, "8")?;
                out.push_str(&format!("{number} < (~(__SIZE_TYPE__)0 >> 2) / sizeof(*({place})) && "));
            }
        }
        Ok(out)
    }

    /// `number(p, k)`: the unsigned number of `k` bytes at `p`, which need not be aligned.
    pub(crate) fn number(&mut self, pointer: &str, bytes: &str) -> Lowered {
        let ty = match bare(bytes) {
            "1" => "unsigned char",
            "2" => "unsigned short",
            "4" => "unsigned int",
            "8" => "unsigned long long",
            _ => return Err("number takes a pointer and 1, 2, 4 or 8".to_owned()),
        };
        let pointer = self.expression(pointer)?;
        Ok(format!(
            "(((const struct __attribute__((packed, may_alias)) {{ {ty} __belay_value; }} *)({pointer}))->__belay_value) "
        ))
    }
}

/// How many bytes stand before a pointer: a number.
fn header_size(text: &str) -> Result<u64, String> {
    let size = bare(text).parse::<u64>().ok().filter(|size| (1..=4096).contains(size));
    size.ok_or_else(|| "has_header takes a number of bytes that stand before the pointer".to_owned())
}

/// True for sums of multiples: beside the numbers that stand in memory there are only casts, sizes and constants, added and multiplied.
fn is_sum_of_counts(size: &str) -> Result<bool, String> {
    let all = tokens(size);
    let mut at = 0;
    while at < all.len() {
        if all[at].is(NUMBER) {
            at = closing(&all, at + 1).ok_or("brackets do not match")? + 1;
            continue;
        }
        let text = &size[all[at].at..all[at].end()];
        if !text.chars().all(|letter| letter.is_alphanumeric() || "_+*() ".contains(letter)) {
            return Ok(false);
        }
        at += 1;
    }
    Ok(true)
}
