# `make demo` and `make test` are enough on a bare Debian 12 with Rust: they install what is missing, build and run.

CARGO ?= cargo
BELAY  = $(or $(CARGO_TARGET_DIR),target)/release/belay

.PHONY: demo test check bench soak setup build install book clean

demo: build
	@scripts/demo.sh $(BELAY)

test:
	@scripts/setup.sh test
	@if $(CARGO) nextest --version >/dev/null 2>&1; then scripts/test.py $(if $(FRESH),--fresh); else $(CARGO) test --workspace --no-fail-fast; fi

check: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	@$(MAKE) --no-print-directory book
	@$(MAKE) --no-print-directory test

bench: setup
	$(CARGO) bench -p belay-interpreter --bench speed
	$(CARGO) bench -p belay-engines --bench deepening
	$(CARGO) bench -p belay-engines --bench chains
	$(CARGO) bench -p belay-engines --bench independent

soak: build
	@scripts/setup.sh soak
	@scripts/soak.py $(BELAY)
	@scripts/soak_loops.py $(BELAY)
	@scripts/soak_open.py $(BELAY)
	@scripts/soak_lives.py $(BELAY) --count 300
	@scripts/soak_slurm.sh $(BELAY)
	@scripts/soak_benchexec.sh $(BELAY)
	@scripts/soak_sarif.sh $(BELAY)
	@scripts/soak_stored.py $(BELAY)
	@scripts/soak_editor.py $(BELAY)
	$(CARGO) test --release --workspace -- --ignored --test-threads 1

setup:
	@scripts/setup.sh build

build: setup
	$(CARGO) build --release

install: setup
	$(CARGO) install --path crates/cli --locked

# The documents as pages, in target/book, with every link of the pages checked. `make test` checks the links of the documents and runs their commands, without mdbook.
book:
	@scripts/book.sh

clean:
	$(CARGO) clean
