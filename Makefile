# The commands of the house. `make demo` and `make test` do everything from a fresh clone.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 30
JOBS ?= $(shell nproc 2> /dev/null || echo 2)
NEARDUP := build/release/neardup

# ccache makes second builds of any kind quick; CMake reads these when it configures.
ifneq ($(shell command -v ccache),)
export CMAKE_C_COMPILER_LAUNCHER := ccache
export CMAKE_CXX_COMPILER_LAUNCHER := ccache
endif

.DEFAULT_GOAL := help
.PHONY: help demo build web arrow check test test-full test-aarch64 bench lint format tsan fuzz coverage install package wheel stubs clean setup

help: ## Show this
	@echo "neardup finds near-duplicate documents and keeps one of each."
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 20

setup:
	@tools/setup.sh build

# build_preset,PRESET[,TARGET]: configures once, then lets ninja decide what is out of date.
define build_preset
	@test -f build/$(1)/build.ninja || cmake --preset $(1)
	@cmake --build --preset $(1) --parallel $(JOBS) $(if $(2),--target $(2))
endef

# with_python,PRESET: lets a build make the Python package too: build/PRESET/python.
define with_python
	@cmake --preset $(1) -DNEARDUP_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/build/venv/bin/python > /dev/null
endef

build: setup ## Build the release program: build/release/neardup
	$(call build_preset,release,neardup_cli)

web: ## Build the web page, which the next build of the program embeds: web/dist
	@tools/setup.sh web
	@cd web && npm run --silent build

# The plugin is built where tools/setup.sh could fetch pyarrow; CMake has to look for it again then.
define build_arrow
	@tools/setup.sh build arrow
	@test -f build/release/build.ninja && grep -q neardup_arrow_plugin build/release/build.ninja || cmake --preset release > /dev/null
	@if grep -q neardup_arrow_plugin build/release/build.ninja; then cmake --build --preset release --parallel $(JOBS) --target neardup_arrow_plugin; fi
endef

arrow: setup ## Build the plugin that reads Parquet, Arrow and s3://: beside the program
	$(call build_arrow)
	@test -f build/release/libneardup-arrow.so

demo: build ## Build, then deduplicate the copyright files of this machine
	$(call build_arrow)
	@echo
	@echo "Every Debian package brings a copyright file, and many are nearly the same. One of each, please:"
	@echo
	@echo "  \$$ $(NEARDUP) dedup '/usr/share/doc/*/copyright' --format text -o build/demo --force"
	@echo
	@$(NEARDUP) dedup '/usr/share/doc/*/copyright' --format text -o build/demo --force
	@echo
	@echo "Now look into build/demo:"
	@echo "  kept/           the documents that stay, under their own paths"
	@echo "  removed.jsonl   every removed document, the one that stands for it, and their similarity"
	@echo "  clusters.tsv    which documents belong together"
	@echo "  pairs.tsv       every similar pair with its exact score"
	@echo "  run.json        all parameters, counts and timings"
	@echo "  report.html     one page about it, for a browser"

# Of the program, what the quickest cases meet.
QUICK_CASES := ^(lint\.includes|cli\.(about|usage|formats|keep|meanings|outputs|pairs|match|fingerprint|compare))$$
# Of the unit tests, all but those that try very many inputs; make test has them too.
SLOW_TESTS := Oracle|Hostile|EveryFileOperation

check: setup ## Build, then run the tests that are quick
	$(call build_preset,check,unit_tests neardup_cli)
	@ctest --preset check --parallel $(JOBS) -L 'single|unit' -E '$(SLOW_TESTS)'
	@ctest --preset check --parallel $(JOBS) -R '$(QUICK_CASES)'

# Tests sync thousands of small files, so these are in memory where there is enough of it.
in_memory = $(shell test "$$(df --output=avail /dev/shm 2> /dev/null | tail -1)" -gt 4000000 2> /dev/null && echo TMPDIR=/dev/shm)

# Two builds: everything with assertions, and under the sanitizers what reads strangers' bytes or does arithmetic with positions.
# The tests of readers and joins run there only.
test: ## Build everything, then run every test
	@tools/setup.sh build arrow fuzz finish package references python spark
	$(call with_python,check)
	$(call build_preset,check)
	$(call build_preset,sanitize,fuzzers test_arrow test_io test_join)
	@$(in_memory) ctest --preset check --parallel $(JOBS) -LE single -E '^(arrow|io|join)\.|^test_(arrow|io|join)_NOT_BUILT$$'
	@$(in_memory) ctest --preset sanitize --parallel $(JOBS) -R '^(fuzz|arrow|io|join)\.'

# How often test-full kills a process that writes to an index; 1000 for a long night.
KILL_ROUNDS ?= 200
test-full: test test-aarch64 web ## The same, then the program as it is shipped with its page, all under the sanitizers, on aarch64, slow tests, and every fuzz target for FUZZ_SECONDS (30)
	$(call with_python,release)
	$(call build_preset,release)
	@ctest --preset release --parallel $(JOBS)
	@NEARDUP_KILL_ROUNDS=$(KILL_ROUNDS) ctest --preset check -R 'KilledIndex' --timeout 3600
	$(call build_preset,sanitize)
	@ctest --preset sanitize --parallel $(JOBS)
	@tools/fuzz.sh build/sanitize $(FUZZ_SECONDS)
	@tools/wheel.sh build/wheels
	@PYTHONPATH=$(CURDIR)/build/release/python build/venv/bin/python -m pytest -q -m slow python/tests

# What depends on the architecture: the kernels and what is computed with them, the readers, and the bytes that the program writes.
EMULATED := base simd text features fingerprint similarity cluster join hamming io
EMULATED_CASES := known_answers|usage|keep|outputs|pairs|pairs_outputs|match|fingerprint|formats
empty :=
space := $(empty) $(empty)

test-aarch64: ## Cross-build for aarch64, then run what depends on the architecture under qemu
	@tools/setup.sh build aarch64
	$(call build_preset,aarch64,neardup_cli $(EMULATED:%=test_%))
	@ctest --preset aarch64 --parallel $(JOBS) -R '^($(subst $(space),|,$(EMULATED)))\.[A-Z]|^cli\.($(EMULATED_CASES))$$' -E '$(SLOW_TESTS)'

bench: ## Measure speed, memory and recall beside other tools
	@tools/setup.sh build arrow bench
	$(call build_preset,release)
	@python3 bench/run.py
	@python3 bench/formats.py
	@python3 bench/search.py
	@python3 bench/clean_scale.py

lint: ## Check format, clang-tidy and the direction of includes
	@tools/setup.sh build lint
	@cmake --preset lint > /dev/null
	@tools/lint.sh $(JOBS)

format: ## Format the sources in place
	@tools/setup.sh lint
	@git ls-files --cached --others --exclude-standard '*.h' '*.c' '*.cpp' | xargs clang-format-14 -i

# What works with several threads; TSAN_MODULES=hamming looks at one of them.
TSAN_MODULES ?= base io corpus search join hamming dedup pairs match clean

tsan: setup ## Run the tests of what has threads under the thread sanitizer
	@tools/tsan_tbb.sh build/tsan-tbb
	$(call build_preset,tsan,$(TSAN_MODULES:%=test_%))
	@for module in $(TSAN_MODULES); do ctest --preset tsan --parallel $(JOBS) -R "^$$module\." || failed=1; done; test -z "$$failed"

fuzz: ## Run every fuzz target for FUZZ_SECONDS (30)
	@tools/setup.sh build fuzz
	$(call build_preset,sanitize,fuzzers)
	@tools/fuzz.sh build/sanitize $(FUZZ_SECONDS)

coverage: ## Say which lines the tests reach: build/coverage/index.html
	@tools/setup.sh build coverage
	$(call build_preset,coverage)
	@ctest --preset coverage --parallel $(JOBS)
	@gcovr --root . --filter src/ --filter apps/ --html-details build/coverage/index.html --print-summary build/coverage

install: build ## Install program, manual, completions, library and headers below PREFIX (/usr/local)
	@cmake --install build/release --prefix $(PREFIX)

package: ## Build Debian packages and a tarball: build/release/packages/
	@tools/setup.sh build arrow package
	$(call build_preset,release,neardup_cli neardup_portable)
	$(call build_arrow)
	@cd build/release && cpack
	@ls -sh build/release/packages/*.deb build/release/packages/*.tar.gz

wheel: ## Build Python wheels that bring their libraries along: build/wheels/
	@tools/setup.sh build python
	@tools/wheel.sh build/wheels

stubs: ## Write the types of the extension module anew: python/neardup/_core.pyi
	@tools/setup.sh build python
	$(call with_python,release)
	$(call build_preset,release,neardup_python)
	@build/venv/bin/python python/make_stubs.py build/release/python python/neardup/_core.pyi

clean: ## Remove everything that was built
	@rm -rf build
