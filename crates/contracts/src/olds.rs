//! Variables that hold the values of expressions from before (`old(e)`).

use crate::text::is_place;

/// Declares the variables of old values.
pub fn declare_olds(prefix: &str, olds: &[String]) -> String {
    let declare = |(index, value): (usize, &String)| format!("__typeof_unqual__({value}) {prefix}{index}; ");
    olds.iter().enumerate().map(declare).collect()
}

/// Gives them their values; arrays too. A number or a pointer is read and written as one, not byte by byte: the variable then is a value like others, about which
/// invariants of loops can speak. (What is as large and as aligned as a pointer and is none, an array of one `long`, keeps its bytes that way too.)
pub fn set_olds(prefix: &str, olds: &[String]) -> String {
    olds.iter().enumerate().map(|(index, value)| set_old(prefix, index, value)).collect()
}

/// Gives one of them its value.
pub(crate) fn set_old(prefix: &str, index: usize, value: &str) -> String {
    if !is_place(value) {
        return format!("{prefix}{index} = ({value}); ");
    }
    let old = format!("{prefix}{index}");
    let class = format!("__builtin_classify_type({value})");
    let is_number = format!("({class} == 1 || {class} == 3 || {class} == 4)");
    let copy = |ty: &str, condition: &str| {
        format!(
            "if ({condition} && sizeof({value}) == sizeof({ty}) && _Alignof(__typeof__({value})) == _Alignof({ty})) *({ty} *)&{old} = *({ty} *)&({value}); else "
        )
    };
    let numbers = ["unsigned long long", "unsigned int", "unsigned short", "unsigned char"];
    let numbers: String = numbers.map(|ty| copy(ty, &is_number)).concat();
    let pointer = copy("void *", &format!("{class} == 5"));
    format!("{numbers}{pointer}__builtin_memcpy(&{old}, &({value}), sizeof({old})); ")
}
