//! SHA-256, as hexadecimal digits.

use sha2::{Digest, Sha256};

/// The digest of some bytes.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of a file, if it can be read.
pub fn sha256_of_file(path: &str) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| sha256(&bytes))
}

#[cfg(test)]
mod tests {
    #[test]
    fn digests_are_the_standard_ones() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(super::sha256(b"abc"), abc);
    }
}
