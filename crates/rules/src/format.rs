//! The conversions of `printf` (C17 7.21.6.1): parsing a specification and laying out one value.

use dashu::base::Sign;
use dashu::integer::{IBig, UBig};

/// The size that a length modifier says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// `hh`.
    Char,
    /// `h`.
    Short,
    /// None.
    Int,
    /// `l`.
    Long,
    /// `ll`.
    LongLong,
    /// `j`.
    Max,
    /// `z`, `t`.
    Size,
    /// `L`.
    LongDouble,
}

/// A width or precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// A number in the format.
    Given(u64),
    /// `*`: an argument.
    Argument,
}

/// A conversion specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spec {
    /// `-`.
    pub left: bool,
    /// `+`.
    pub plus: bool,
    /// A space.
    pub space: bool,
    /// `#`.
    pub alternative: bool,
    /// `0`.
    pub zeros: bool,
    /// The least width.
    pub width: Option<Count>,
    /// The precision.
    pub precision: Option<Count>,
    /// The size of the argument.
    pub length: Length,
    /// The conversion's letter.
    pub conversion: u8,
}

/// Part of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'a> {
    /// Bytes that are printed as they are.
    Text(&'a [u8]),
    /// A conversion.
    Spec(Spec),
}

/// Splits a format; `None` if it has a specification that C does not define.
pub fn parse(format: &[u8]) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let text = rest.iter().position(|byte| *byte == b'%').unwrap_or(rest.len());
        if text > 0 {
            parts.push(Part::Text(&rest[..text]));
            rest = &rest[text..];
            continue;
        }
        let (spec, after) = parse_spec(&rest[1..])?;
        parts.push(if spec.conversion == b'%' { Part::Text(b"%") } else { Part::Spec(spec) });
        rest = after;
    }
    Some(parts)
}

fn parse_spec(mut rest: &[u8]) -> Option<(Spec, &[u8])> {
    let mut spec = Spec {
        left: false,
        plus: false,
        space: false,
        alternative: false,
        zeros: false,
        width: None,
        precision: None,
        length: Length::Int,
        conversion: 0,
    };
    while let Some(flag) = rest.first() {
        match flag {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternative = true,
            b'0' => spec.zeros = true,
            _ => break,
        }
        rest = &rest[1..];
    }
    (spec.width, rest) = parse_count(rest)?;
    if let Some(after) = rest.strip_prefix(b".") {
        (spec.precision, rest) = parse_count(after)?;
        spec.precision = spec.precision.or(Some(Count::Given(0)));
    }
    (spec.length, rest) = parse_length(rest);
    let (conversion, rest) = rest.split_first()?;
    spec.conversion = *conversion;
    b"diouxXcspfFeEgGaAn%".contains(conversion).then_some((spec, rest))
}

fn parse_count(rest: &[u8]) -> Option<(Option<Count>, &[u8])> {
    if let Some(after) = rest.strip_prefix(b"*") {
        return Some((Some(Count::Argument), after));
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return Some((None, rest));
    }
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    // Wider than anything a run could hold.
    (number < 1 << 24).then_some((Some(Count::Given(number)), &rest[digits..]))
}

fn parse_length(rest: &[u8]) -> (Length, &[u8]) {
    let lengths: [(&[u8], Length); 9] = [
        (b"hh", Length::Char),
        (b"h", Length::Short),
        (b"ll", Length::LongLong),
        (b"l", Length::Long),
        (b"j", Length::Max),
        (b"z", Length::Size),
        (b"t", Length::Size),
        (b"q", Length::LongLong),
        (b"L", Length::LongDouble),
    ];
    for (text, length) in lengths {
        if let Some(after) = rest.strip_prefix(text) {
            return (length, after);
        }
    }
    (Length::Int, rest)
}

/// A specification whose width and precision are known.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The specification.
    pub spec: Spec,
    /// The least width.
    pub width: usize,
    /// The precision.
    pub precision: Option<usize>,
}

impl Layout {
    /// Pads `prefix` and `body` to the width: with zeros between them if asked for and allowed, else with spaces.
    fn pad(&self, prefix: &str, body: &str, zeros: bool) -> Vec<u8> {
        let missing = self.width.saturating_sub(prefix.len() + body.len());
        let text = if self.spec.left {
            format!("{prefix}{body}{}", " ".repeat(missing))
        } else if zeros {
            format!("{prefix}{}{body}", "0".repeat(missing))
        } else {
            format!("{}{prefix}{body}", " ".repeat(missing))
        };
        text.into_bytes()
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.spec.plus, self.spec.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }

    fn digits(&self, magnitude: &UBig, radix: u32) -> String {
        let digits = if magnitude.is_zero() && self.precision == Some(0) {
            String::new()
        } else {
            magnitude.in_radix(radix).to_string()
        };
        let zeros = self.precision.unwrap_or(0).saturating_sub(digits.len());
        "0".repeat(zeros) + &digits
    }

    /// `%d`, `%i`, `%u`, `%o`, `%x`, `%X`.
    pub fn int(&self, value: &IBig) -> Vec<u8> {
        let (sign, magnitude) = value.clone().into_parts();
        let negative = sign == Sign::Negative;
        let zeros = self.spec.zeros && self.precision.is_none();
        let (prefix, body) = match self.spec.conversion {
            b'o' => {
                let digits = self.digits(&magnitude, 8);
                let needs = self.spec.alternative && !digits.starts_with('0');
                ("", if needs { format!("0{digits}") } else { digits })
            }
            b'x' | b'X' => {
                let digits = self.digits(&magnitude, 16);
                let upper = self.spec.conversion == b'X';
                let prefix = match (self.spec.alternative && !magnitude.is_zero(), upper) {
                    (true, true) => "0X",
                    (true, false) => "0x",
                    (false, _) => "",
                };
                (prefix, if upper { digits.to_uppercase() } else { digits.to_lowercase() })
            }
            b'u' => (if negative { "-" } else { "" }, self.digits(&magnitude, 10)),
            _ => (self.sign(negative), self.digits(&magnitude, 10)),
        };
        self.pad(prefix, &body, zeros)
    }

    /// `%c` and `%s`; also what has no number.
    pub fn text(&self, bytes: &[u8]) -> Vec<u8> {
        let missing = self.width.saturating_sub(bytes.len());
        let padding = vec![b' '; missing];
        if self.spec.left { [bytes, &padding].concat() } else { [&padding, bytes].concat() }
    }

    /// `%f`, `%e`, `%g`, `%a` and their capital forms.
    pub fn float(&self, value: f64) -> Vec<u8> {
        let sign = self.sign(value.is_sign_negative());
        let upper = self.spec.conversion.is_ascii_uppercase();
        let magnitude = value.abs();
        if !value.is_finite() {
            let name = if value.is_nan() { "nan" } else { "inf" };
            let name = if upper { name.to_uppercase() } else { name.to_owned() };
            return self.pad(sign, &name, false);
        }
        let (prefix, body) = match self.spec.conversion.to_ascii_lowercase() {
            b'f' => (sign.to_owned(), self.fixed(magnitude, self.precision.unwrap_or(6))),
            b'e' => (sign.to_owned(), self.exponent(magnitude, self.precision.unwrap_or(6))),
            b'a' => (format!("{sign}0x"), self.hexadecimal(magnitude)),
            _ => (sign.to_owned(), self.shortest(magnitude)),
        };
        if upper {
            return self.pad(&prefix.to_uppercase(), &body.to_uppercase(), self.spec.zeros);
        }
        self.pad(&prefix, &body, self.spec.zeros)
    }

    fn fixed(&self, value: f64, precision: usize) -> String {
        let point = if self.spec.alternative && precision == 0 { "." } else { "" };
        format!("{value:.precision$}{point}")
    }

    fn exponent(&self, value: f64, precision: usize) -> String {
        let text = format!("{value:.precision$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if self.spec.alternative && precision == 0 { "." } else { "" };
        let exponent: i32 = exponent.parse().unwrap_or_default();
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}{point}e{sign}{:02}", exponent.unsigned_abs())
    }

    /// `%g`: by the exponent that `%e` would have.
    fn shortest(&self, value: f64) -> String {
        let precision = self.precision.unwrap_or(6).max(1);
        let scientific = format!("{value:.*e}", precision - 1);
        let exponent: i64 = scientific.split_once('e').and_then(|(_, text)| text.parse().ok()).unwrap_or_default();
        let plain = exponent >= -4 && exponent < precision as i64;
        let text = if plain {
            self.fixed(value, (precision as i64 - 1 - exponent) as usize)
        } else {
            self.exponent(value, precision - 1)
        };
        if self.spec.alternative {
            return text;
        }
        let (mantissa, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
        if !mantissa.contains('.') {
            return text;
        }
        format!("{}{exponent}", mantissa.trim_end_matches('0').trim_end_matches('.'))
    }

    /// `%a`, after the prefix: the leading digit is 1, or 0 for zero and what is too small for it.
    fn hexadecimal(&self, value: f64) -> String {
        let bits = value.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i64;
        let mut fraction = bits & ((1 << 52) - 1);
        let mut lead = u64::from(biased != 0);
        let exponent = match (biased, fraction) {
            (0, 0) => 0,
            (0, _) => -1022,
            (biased, _) => biased - 1023,
        };
        let digits = match self.precision {
            Some(precision) if precision < 13 => {
                let drop = 52 - 4 * precision as u32;
                let whole = lead << 52 | fraction;
                let half = 1 << (drop - 1);
                let kept = whole >> drop;
                let remainder = whole & ((1 << drop) - 1);
                let up = remainder > half || (remainder == half && kept & 1 == 1);
                let kept = (kept + u64::from(up)) << drop;
                lead = kept >> 52;
                fraction = kept & ((1 << 52) - 1);
                format!("{fraction:013x}")[..precision].to_owned()
            }
            Some(precision) => format!("{fraction:013x}") + &"0".repeat(precision - 13),
            None => format!("{fraction:013x}").trim_end_matches('0').to_owned(),
        };
        let point = if digits.is_empty() && !self.spec.alternative { "" } else { "." };
        format!("{lead}{point}{digits}p{exponent:+}")
    }
}

/// What a conversion specification takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Directive {
    /// A number or an address.
    Number,
    /// A string.
    Text,
    /// Something else.
    Other,
}

/// The arguments that a format takes; `None` if it is not understood.
pub fn directives(format: &[u8]) -> Option<Vec<Directive>> {
    let mut found = Vec::new();
    let mut bytes = format.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            continue;
        }
        let mut limited = false;
        loop {
            match bytes.next()? {
                b'%' => break,
                b'-' | b'+' | b' ' | b'#' | b'0'..=b'9' | b'h' | b'l' | b'j' | b'z' | b't' | b'L' | b'q' => {}
                b'.' => limited = true,
                b'*' => found.push(Directive::Number),
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' | b'p' => {
                    found.push(Directive::Number);
                    break;
                }
                b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => {
                    found.push(Directive::Number);
                    break;
                }
                b's' if !limited => {
                    found.push(Directive::Text);
                    break;
                }
                _ => {
                    found.push(Directive::Other);
                    break;
                }
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(format: &str) -> Layout {
        let parts = parse(format.as_bytes()).expect("a format");
        let [Part::Spec(spec)] = parts[..] else { panic!("{format}") };
        let number = |count| match count {
            Some(Count::Given(number)) => Some(number as usize),
            Some(Count::Argument) | None => None,
        };
        Layout { spec, width: number(spec.width).unwrap_or(0), precision: number(spec.precision) }
    }

    /// The expected texts were printed by glibc 2.36.
    #[test]
    fn floats() {
        let cases = [
            ("%f", 1.5, "1.500000"),
            ("%.0f", 2.5, "2"),
            ("%.0f", 3.5, "4"),
            ("%#.0f", 3.0, "3."),
            ("%10.3f", -12.34567, "   -12.346"),
            ("%-10.3f|", 0.0, "0.000     "),
            ("%+010.2f", 12.5, "+000012.50"),
            ("%e", 12345.678, "1.234568e+04"),
            ("%.2E", 0.000123, "1.23E-04"),
            ("%e", 0.0, "0.000000e+00"),
            ("%.0e", 1e100, "1e+100"),
            ("%g", 100000.0, "100000"),
            ("%g", 1e6, "1e+06"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 0.00001234, "1.234e-05"),
            ("%#g", 1.0, "1.00000"),
            ("%G", 1e-10, "1E-10"),
            ("%.3g", 1234.5, "1.23e+03"),
            ("%a", 1.0, "0x1p+0"),
            ("%a", 0.1, "0x1.999999999999ap-4"),
            ("%.2a", 0.1, "0x1.9ap-4"),
            ("%.0a", 1.5, "0x2p+0"),
            ("%a", 0.0, "0x0p+0"),
            ("%A", -255.5, "-0X1.FFP+7"),
            ("%f", f64::INFINITY, "inf"),
            ("%5F", f64::NEG_INFINITY, " -INF"),
            ("%f", f64::NAN, "nan"),
            ("%08f", f64::NAN, "     nan"),
            ("% f", 1.0, " 1.000000"),
            ("%f", -0.0, "-0.000000"),
        ];
        for (format, value, expected) in cases {
            let format = format.trim_end_matches('|');
            assert_eq!(String::from_utf8_lossy(&layout(format).float(value)), expected, "{format} {value}");
        }
    }

    #[test]
    fn integers() {
        let cases = [
            ("%d", -5i64, "-5"),
            ("%5d", 42, "   42"),
            ("%-5d", 42, "42   "),
            ("%05d", -42, "-0042"),
            ("%+d", 42, "+42"),
            ("% d", 42, " 42"),
            ("%.3d", 7, "007"),
            ("%08.3d", 7, "     007"),
            ("%.0d", 0, ""),
            ("%x", 255, "ff"),
            ("%#X", 255, "0XFF"),
            ("%#x", 0, "0"),
            ("%#o", 8, "010"),
            ("%#.0o", 0, "0"),
            ("%#010x", 0xbeef, "0x0000beef"),
            ("%u", 7, "7"),
        ];
        for (format, value, expected) in cases {
            assert_eq!(String::from_utf8_lossy(&layout(format).int(&IBig::from(value))), expected, "{format} {value}");
        }
    }

    #[test]
    fn formats_are_split() {
        let parts = parse(b"a%%b%-+*.*lldc").expect("a format");
        assert_eq!(parts.len(), 5);
        let Part::Spec(spec) = parts[3] else { panic!("a specification") };
        assert_eq!(
            (spec.width, spec.precision, spec.length),
            (Some(Count::Argument), Some(Count::Argument), Length::LongLong)
        );
        assert!(spec.left && spec.plus && !spec.zeros);
        assert!(parse(b"%y").is_none());
        assert!(parse(b"%").is_none());
    }
}
