//! What is under way, for whoever watches: an engine says so at its coarse steps (a bound, a loop, a kind of invariant). Nothing is made into
//! words unless somebody listens or traces it, and nothing is decided by it.

use std::sync::OnceLock;

type Listener = Box<dyn Fn(&'static str, &str) + Send + Sync>;

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// From now on `listener` is told who does what. The first one stays.
pub fn listen(listener: impl Fn(&'static str, &str) + Send + Sync + 'static) {
    let _ = LISTENER.set(Box::new(listener));
}

/// Says what `who` does now.
pub fn report(who: &'static str, what: impl FnOnce() -> String) {
    let is_traced = tracing::enabled!(tracing::Level::DEBUG);
    if LISTENER.get().is_none() && !is_traced {
        return;
    }
    let what = what();
    tracing::debug!("{who}: {what}");
    if let Some(listener) = LISTENER.get() {
        listener(who, &what);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by panicking")]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[test]
    fn whoever_listens_is_told() {
        report("nobody", || panic!("made without a listener"));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ears = Arc::clone(&heard);
        listen(move |who, what| ears.lock().unwrap().push(format!("{who}: {what}")));
        report("bmc", || "4 rounds".to_owned());
        assert_eq!(*heard.lock().unwrap(), ["bmc: 4 rounds"]);
    }
}
