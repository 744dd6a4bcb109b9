//! The names that C17 reserves for its library. A function of such a name that the program does not define is the library's; without
//! a model nothing is known of what it writes or returns, so that a call of it is refused instead of taken for an input.

/// Without the functions of `<math.h>`, which come in three types each.
const FUNCTIONS: &str = include_str!("names/standard.txt");

/// The functions of `<math.h>` for `double`; `float` adds an `f`, `long double` an `l`.
const MATH: &str = include_str!("names/math.txt");

/// What else glibc exports, variables among it: POSIX, GNU, complex numbers.
const SYSTEM: &str = include_str!("names/system.txt");

/// True for a function or variable of the system's library. What one without a model returns or holds its manual says: nothing that a violation may rest on.
pub fn is_of_system(name: &str) -> bool {
    SYSTEM.split_whitespace().any(|entry| entry == name)
}

/// True for a function of the C library.
pub fn is_library_function(name: &str) -> bool {
    let among = |list: &str, name: &str| list.split_whitespace().any(|entry| entry == name);
    let of_other_type = name.strip_suffix(['f', 'l']).is_some_and(|base| among(MATH, base));
    among(FUNCTIONS, name) || among(MATH, name) || of_other_type
}

#[cfg(test)]
mod tests {
    use super::is_library_function;

    #[test]
    fn names_of_the_library_and_others() {
        for name in ["sin", "sinf", "sinl", "modf", "modff", "mktime", "wctrans"] {
            assert!(is_library_function(name), "{name}");
        }
        for name in ["s", "sinff", "mktimef", "", "nondet_int", "mod"] {
            assert!(!is_library_function(name), "{name}");
        }
    }
}
