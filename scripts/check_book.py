#!/usr/bin/env python3
"""Checks the links of the built book: scripts/check_book.py FOLDER

Every link to a file of the book leads to one that is there, and to a heading that it has. Prints what does not, and fails."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links and the names of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.names.add(value)


def main():
    root = Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.html"))}
    bad = []
    links = 0
    for path, page in pages.items():
        # What is shown for a page that is not there, and all pages as one, have links from other places.
        if path.name in ("404.html", "toc.html", "print.html"):
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                bad.append(f"{path.relative_to(root)}: {link} is not there")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
                bad.append(f"{path.relative_to(root)}: {link}: no such heading")
    if len(pages) < 10 or links < 100:
        bad.append(f"only {len(pages)} pages with {links} links: this is not the book")
    print("\n".join(bad) if bad else f"book: {len(pages)} pages, {links} links, all lead somewhere")
    return 1 if bad else 0


sys.exit(main())
