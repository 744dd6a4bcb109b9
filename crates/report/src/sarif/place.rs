//! Places as SARIF writes them.

use belay_base::Span;
use belay_ir::Program;
use serde_sarif::sarif::{ArtifactLocation, Location, LogicalLocation, Message, PhysicalLocation, Region};

/// A path as a URI: relative ones stay so, absolute ones get a scheme.
pub fn uri(path: &str) -> String {
    let mut text = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// The path of a URI that [`uri`] has made.
pub fn path_of(uri: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = uri.strip_prefix("file://").unwrap_or(uri).bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// A place with what is to be said of it; without a span there are only the words.
pub fn location(program: &Program, span: Span, function: Option<&str>, text: Option<&str>) -> Location {
    let message = text.map(|text| Message::builder().text(text).build());
    let logical = function
        .map(|name| vec![LogicalLocation::builder().name(name).fully_qualified_name(name).kind("function").build()]);
    Location::builder()
        .opt_physical_location(physical(program, span))
        .opt_logical_locations(logical)
        .opt_message(message)
        .build()
}

fn physical(program: &Program, span: Span) -> Option<PhysicalLocation> {
    let path = program.files.path(span.file).filter(|_| span.is_known())?;
    let column = (span.column > 0).then_some(i64::from(span.column));
    let region = Region::builder().start_line(i64::from(span.line)).opt_start_column(column).build();
    let artifact = ArtifactLocation::builder().uri(uri(path)).build();
    Some(PhysicalLocation::builder().artifact_location(artifact).region(region).build())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris_and_come_back() {
        assert_eq!(uri("/a b/ü.c"), "file:///a%20b/%C3%BC.c");
        assert_eq!(uri("src/x#1.c"), "src/x%231.c");
        for path in ["/a b/ü.c", "src/x#1.c", "100%.c"] {
            assert_eq!(path_of(&uri(path)).as_deref(), Some(path));
        }
    }
}
