//! What engines do, line by line, for those who work on them: `BELAY_LOG=belay_engines=info,belay_graph=debug` writes it to standard error.

use std::io::Write;
use std::str::FromStr;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// The variable that says what is written: a level, or crates each with a level.
const VARIABLE: &str = "BELAY_LOG";

/// From now on events are written, if the variable asks for any.
pub fn begin() {
    let Some(asked) = std::env::var(VARIABLE).ok().filter(|asked| !asked.is_empty()) else { return };
    match Targets::from_str(&asked) {
        Ok(targets) => {
            let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).without_time().with_ansi(false);
            tracing_subscriber::registry().with(lines.with_filter(targets)).init();
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "belay: note: {VARIABLE} is not understood: {error}");
        }
    }
}
