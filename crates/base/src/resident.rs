//! How much memory the process has, as the system counts it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What was read is taken for true for so long: reading costs some microseconds.
const FRESH_MICROS: u64 = 5_000;
/// A page, where nobody says otherwise.
const PAGE_BYTES: u64 = 4096;

static READ_AT: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

/// The bytes of memory that are resident, as far as the system tells; 0 if it does not.
pub(crate) fn resident_bytes() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    // Never 0, which stands for what was not read yet.
    let now = START.get_or_init(Instant::now).elapsed().as_micros() as u64 + 1;
    let read_at = READ_AT.load(Ordering::Relaxed);
    if read_at == 0 || now.saturating_sub(read_at) > FRESH_MICROS {
        BYTES.store(read().unwrap_or(0), Ordering::Relaxed);
        READ_AT.store(now, Ordering::Relaxed);
    }
    BYTES.load(Ordering::Relaxed)
}

fn read() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE_BYTES)
}
