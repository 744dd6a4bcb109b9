#!/usr/bin/env bash
# Builds the documents as pages in target/book and checks their links: scripts/book.sh
#
# mdbook is installed into target/tools if the machine has none. The book's sources are put together in target/book-sources, in the repository's own layout, so that
# documents beside docs/ are pages too and links between them hold.
set -euo pipefail
cd "$(dirname "$0")/.."
mdbook="$(command -v mdbook || true)"
if [[ -z "$mdbook" ]]; then
    mdbook="target/tools/bin/mdbook"
    [[ -x "$mdbook" ]] || cargo install mdbook --version '^0.5' --locked --no-default-features --root target/tools
    mdbook="$PWD/$mdbook"
fi
sources="target/book-sources"
rm -rf "$sources" target/book
mkdir -p "$sources"
cp -r docs SOUNDNESS.md GLOSSARY.md ARCHITECTURE.md CHANGELOG.md "$sources/"
# Links of the summary start from docs/; the book's sources start one folder above it.
sed -E 's|\]\(\.\./|](|; t; s|\]\(|](docs/|' docs/SUMMARY.md > "$sources/SUMMARY.md"
rm "$sources/docs/SUMMARY.md"
"$mdbook" build
# What mdbook makes the first page of is a copy of a chapter, whose links start from another folder.
cat > target/book/index.html <<'H'
<!doctype html><html lang="en"><meta charset="utf-8"><title>Belay</title><meta http-equiv="refresh" content="0; url=docs/tutorial.html"><a href="docs/tutorial.html">Belay</a></html>
H
scripts/check_book.py target/book
