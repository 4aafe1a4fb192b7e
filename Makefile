# SPDX-License-Identifier: Apache-2.0
# All output goes to .build/. Only `make prepare`, which the other targets call, installs anything outside of it: the
# Debian packages that are missing.

SHELL := /bin/sh
SWIFT := Scripts/swift
# `make JOBS=2 …` builds with two jobs; without it, with one for each core.
JOBS ?=
# `make test FILTER='suzuTests|JourneyTests'` runs the tests whose names match the regular expression.
FILTER ?=
PREFIX ?= /usr/local
# `make try-deb SUITE='bookworm trixie'`, `make fresh SUITE=trixie` and `make servers SUITE=trixie` use other Debian releases
# than that of this machine.
SUITE ?=
# `make servers SUITE=trixie FEW=1` tests three servers there, and writes no report.
FEW ?=
# How many times the long rounds of `make soak`.
ROUNDS ?= 1
IMPORTS := --explicit-target-dependency-import-check error
DEBUG := $(if $(JOBS),--jobs $(JOBS)) $(IMPORTS)
# The Swift runtime needs the C++ library: its archive, found before the shared one, saves a third of a program's start.
CXX_ARCHIVE := .build/static-cxx
# The runtime's options for static programs export every public function, which keeps those that nothing calls, and makes
# the loader's look-ups longer. Each function has a section of its own, so that the linker leaves out what nothing calls.
# One shared library less, that of the C compiler, saves a fifteenth of a program's start.
SMALL := -Xlinker --no-export-dynamic -Xswiftc -Xfrontend -Xswiftc -function-sections \
  -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
# What runs from an event to its notification is read from fewer pages if it is together: see Scripts/order. And 40,000
# addresses are written at the start of a program, whose list shrinks from 954 KB to 8 KB in the packed form, which glibc
# has known since Debian 12. The toolchain's own linker, lld, can do both.
LINKER = $(if $(shell Scripts/swift --linker),-Xswiftc -use-ld=lld \
  -Xlinker --symbol-ordering-file=Packaging/suzud.order -Xlinker Packaging/closures.ld \
  -Xlinker --no-warn-symbol-ordering -Xlinker -z -Xlinker pack-relative-relocs)
RELEASE = -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -L$(CXX_ARCHIVE) $(SMALL) $(LINKER) $(DEBUG)
SHELL_SCRIPTS := Scripts/swift Scripts/prepare Scripts/races Packaging/deb/preinst Packaging/deb/postinst Packaging/deb/postrm Packaging/deb/link/postinst Packaging/deb/link/postrm Packaging/deb/window/preinst Packaging/deb/window/postrm
TRIALS_OF_PACKAGE := Packaging/try/steps Packaging/try/lint Packaging/try/install Packaging/try/upgrade Packaging/try/session
BASH_SCRIPTS := $(TRIALS_OF_PACKAGE) Scripts/deb Scripts/root Scripts/servers Scripts/fuzz Scripts/try-deb Scripts/try-arm64 Scripts/fresh Scripts/demo Scripts/pictures Scripts/private-bus Scripts/simulate Scripts/newer-program Scripts/newer-root Scripts/order Scripts/python-packages Benchmarks/run Benchmarks/comparison $(wildcard Benchmarks/rows/*) .ci/run Assets/completions/suzu.bash
# Debian looks for what packages bring in a folder of its own.
ZSH_FOLDER := $(if $(and $(filter /usr,$(PREFIX)),$(wildcard /etc/debian_version)),vendor-completions,site-functions)
MANUALS := $(patsubst docs/man/%.scd,.build/man/%.gz,$(wildcard docs/man/*.scd))
FORMATTED := Package.swift Sources Tests Benchmarks Examples

.DEFAULT_GOAL := help
.PHONY: help prepare prepare-servers build window docs man install install-window install-docs uninstall deb try-deb try-arm64 fresh demo test examples golden races servers soak attacks simulate mutants fuzz bench fleet order proof check format rooms pictures clean

##@ Start here
# A line `##@ NAME` begins a group of targets; `## TEXT` behind a target says what it does.
help: ## print this list
	@echo 'Suzu: scheduled, interactive notifications for the Linux desktop'
	@sed -n -e 's/^##@ \(.*\)/@\1/p' -e 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/  make \1|\2/p' Makefile | \
	  awk -F '|' '/^@/ { printf "\n%s\n", substr($$0, 2); next } { printf "%-16s %s\n", $$1, $$2 }'

prepare: ## install the Debian packages that building, the demo, the tests and the benchmarks need
	@Scripts/prepare build demo test bench

##@ Build and install
build: ## build the programs, optimised: .build/release/suzu, .build/release/suzud and .build/release/suzu-link
	@Scripts/prepare build
	@mkdir -p $(CXX_ARCHIVE)
	@archive=$$($$(Scripts/swift --cc) -print-file-name=libstdc++.a) && \
	  { [ ! -f "$$archive" ] || ln -sf "$$archive" $(CXX_ARCHIVE)/libstdc++.a; }
	@# SwiftPM does not know that the linker reads these files.
	@for program in suzud suzu suzu-link; do for file in Packaging/suzud.order Packaging/closures.ld; do \
	  [ ! $$file -nt .build/release/$$program ] || rm -f .build/release/$$program; \
	done; done
	@$(SWIFT) build $(RELEASE) --product suzud
	@$(SWIFT) build $(RELEASE) --product suzu
	@$(SWIFT) build $(RELEASE) --product suzu-link
	@if command -v scdoc >/dev/null; then $(MAKE) --no-print-directory man; \
	  else echo 'build: scdoc is not installed, so there are no manual pages; run make prepare'; fi

# Its toolkit is large, and nothing else needs it.
window: build ## build the window as well, which needs libadwaita: .build/release/suzu-window
	@Scripts/prepare build window
	@$(SWIFT) build $(RELEASE) --product suzu-window

man: $(MANUALS) ## make the manual pages from docs/man: .build/man

.build/man/%.gz: docs/man/%.scd
	@command -v scdoc >/dev/null || { echo 'man: scdoc is not installed; run make prepare' >&2; exit 69; }
	@mkdir -p $(@D)
	@scdoc <$< >.build/man/$*
	@gzip -9nf .build/man/$*

# Installs what `make build` left, and builds nothing itself: it may run as root, the build should not.
install: ## install what `make build` made: PREFIX=/usr/local, DESTDIR=
	@test -x .build/release/suzud || { echo 'install: nothing has been built; run make build first' >&2; exit 66; }
	install -D -t $(DESTDIR)$(PREFIX)/bin .build/release/suzu .build/release/suzud .build/release/suzu-link
	@for page in .build/man/*.gz; do \
	  if [ -f "$$page" ] && [ "$$page" != .build/man/suzu-window.1.gz ]; then \
	    section=$${page%.gz}; section=$${section##*.}; \
	    install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$$section "$$page" || exit 1; \
	  fi; \
	done
	install -D -m 644 Assets/completions/suzu.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/suzu
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/zsh/$(ZSH_FOLDER) Assets/completions/_suzu
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d Assets/completions/suzu.fish
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/applications Assets/dev.suzu.Suzu.desktop Assets/dev.suzu.Launcher.desktop
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps Assets/dev.suzu.Suzu.svg
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/icons/hicolor/symbolic/apps Assets/dev.suzu.Suzu-symbolic.svg
	@mkdir -p $(DESTDIR)$(PREFIX)/share/dbus-1/services $(DESTDIR)$(PREFIX)/lib/systemd/user $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed 's|@bindir@|$(PREFIX)/bin|' dbus/dev.suzu.Center.service.in \
	  >$(DESTDIR)$(PREFIX)/share/dbus-1/services/dev.suzu.Center.service
	sed 's|@bindir@|$(PREFIX)/bin|' dbus/dev.suzu.Link.service.in \
	  >$(DESTDIR)$(PREFIX)/share/dbus-1/services/dev.suzu.Link.service
	sed 's|@bindir@|$(PREFIX)/bin|' dbus/suzud.service.in >$(DESTDIR)$(PREFIX)/lib/systemd/user/suzud.service
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/systemd/user systemd/user/suzu-link.path
	@for unit in systemd/*/*.in; do \
	  sed 's|@bindir@|$(PREFIX)/bin|' "$$unit" >"$(DESTDIR)$(PREFIX)/lib/$${unit%.in}" || exit 1; \
	done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/dbus-1/interfaces dbus/dev.suzu.Center1.xml dbus/dev.suzu.Handler1.xml dbus/dev.suzu.Remote1.xml
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/suzu/examples Assets/samples/appList.plist Assets/samples/schemes.plist
	@$(MAKE) --no-print-directory install-docs
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/sounds Assets/sounds/suzu-bell.oga Assets/sounds/suzu-alarm.oga

install-window: ## install what `make window` made, after `make install`: PREFIX=/usr/local, DESTDIR=
	@test -x .build/release/suzu-window || { echo 'install-window: the window has not been built; run make window first' >&2; exit 66; }
	install -D -t $(DESTDIR)$(PREFIX)/bin .build/release/suzu-window
	@if [ -f .build/man/suzu-window.1.gz ]; then \
	  install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 .build/man/suzu-window.1.gz; fi
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/applications Assets/window/dev.suzu.Suzu.desktop
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/metainfo Assets/window/dev.suzu.Suzu.metainfo.xml
	@mkdir -p $(DESTDIR)$(PREFIX)/share/dbus-1/services
	sed 's|@bindir@|$(PREFIX)/bin|' dbus/dev.suzu.Suzu.service.in \
	  >$(DESTDIR)$(PREFIX)/share/dbus-1/services/dev.suzu.Suzu.service

# In the folders of the checkout, so that the links between the pages work.
install-docs:
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/suzu README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md LICENSE
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/suzu/docs docs/*.md
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/suzu/docs/man docs/man/*.scd
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/suzu/docs/pictures docs/pictures/*

# Every file that `install` puts there, and the folder that is ours alone.
uninstall: ## remove what `make install` installed: PREFIX=/usr/local, DESTDIR=
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && \
	  $(MAKE) --no-print-directory install DESTDIR="$$work" >/dev/null && \
	  { [ ! -x .build/release/suzu-window ] || $(MAKE) --no-print-directory install-window DESTDIR="$$work" >/dev/null; } && \
	  (cd "$$work$(PREFIX)" && find . -type f) | while IFS= read -r file; do \
	    rm -f "$(DESTDIR)$(PREFIX)/$$file"; done && \
	  echo 'uninstall: scheduled notifications stay in ~/.local/share/suzu, settings in ~/.config/suzu'

deb: ## make the Debian packages: .build/deb/suzu_*.deb, suzu-link_*.deb and, after make window, suzu-window_*.deb
	@Scripts/prepare build deb
	@$(MAKE) --no-print-directory $(if $(wildcard .build/release/suzu-window),window,build)
	@Scripts/deb

##@ Try it
try-deb: deb ## make the package; check, install, upgrade, use and purge it on a bare Debian; as root; SUITE=trixie
	@Scripts/prepare try
	@Scripts/try-deb $(SUITE)

try-arm64: ## compile the C for arm64 and run it under QEMU; as root
	@Scripts/prepare try
	@Scripts/try-arm64 $(SUITE)

fresh: ## run make demo and make test as on a fresh machine with another Debian release; as root; SUITE=trixie
	@Scripts/prepare try
	@Scripts/fresh '$(SUITE)'
fresh: export FILTER := $(FILTER)

demo: ## build, then show a popup, a button that runs something and a click that opens a page
	@Scripts/prepare build demo
	@$(MAKE) --no-print-directory build
	@Scripts/demo

##@ Test and measure
# One test after another: each starts a bus and programs of its own, so that many at once would only be slow. The optimized
# center, which two tests measure, is not built for some tests. The program of the tests ends with 69 if none matches.
test: ## build and run all tests, each on a private bus in a temporary folder; FILTER=REGEX for some
	@Scripts/prepare build test
	@Scripts/newer-program ntfy ntfy serve
	@Scripts/newer-program kitty kitten notify
	@Scripts/newer-root forky kunifiedpush kunifiedpush-distributor
	@Scripts/python-packages webpush http-ece==1.2.1 pywebpush==2.5.0
	@$(if $(FILTER),:,$(MAKE) --no-print-directory build)
	@$(SWIFT) build --build-tests $(DEBUG)
	@rm -f $(TIMES); Scripts/proof stamp >.build/tests.stamp; \
	  { status=0; $(if $(FILTER),,SUZU_ADVERSARY_CENTER='$(CURDIR)/.build/release/suzud') \
	    $(SWIFT) built-tests --no-parallel --xunit-output $(TIMES) $(if $(FILTER),--filter "$$FILTER") || status=$$?; \
	    echo $$status >.build/tests.status; } 2>&1 | tee .build/tests.log; \
	  status=$$(cat .build/tests.status); \
	  if [ $$status = 69 ]; then echo "test: no test matches '$$FILTER'" >&2; exit 65; fi; \
	  Scripts/test-report $(TIMES) $(if $(FILTER),0); exit $$status
test: export FILTER := $(FILTER)
# How each test ended, and how long it took.
TIMES := .build/tests.xml

# Other packages depend on this one by path, as these do; `make test` runs their programs.
examples: ## build the packages in Examples, and those that the pages of docs print
	@Scripts/prepare build docs
	@for package in Examples/*/Package.swift; do \
	  $(SWIFT) build $(if $(JOBS),--jobs $(JOBS)) --package-path $${package%/*} --scratch-path .build/examples || exit 1; \
	done
	@Scripts/page-packages $(if $(JOBS),--jobs $(JOBS))

golden: ## rewrite the expected output of the command in Tests/Fixtures/suzu; read the git diff
	@Scripts/prepare build
	@$(SWIFT) build --build-tests $(DEBUG)
	@SUZU_GOLDEN=write $(SWIFT) test --skip-build $(DEBUG) --filter '^suzuTests\.GoldenTests'
	@git diff --stat -- Tests/Fixtures/suzu

# Builds everything once more, in .build/races, and runs the tests of the libraries that programs use from many tasks.
races: ## run the tests of the libraries under ThreadSanitizer; FILTER=REGEX for some
	@Scripts/prepare build test
	@Scripts/races "$${FILTER:-.}"
races: export FILTER := $(FILTER)

# `make test` runs the same tests, but only with the servers that are installed.
servers: ## test the real notification servers; writes docs/MEASUREMENTS.md and docs/pictures; SUITE=trixie, as root: its servers
ifneq ($(SUITE),)
	@Scripts/prepare build test roots
	@$(SWIFT) build --build-tests $(DEBUG)
	@$(if $(FEW),,SUZU_PICTURES='$(CURDIR)/docs/pictures' SUZU_SERVER_REPORT='$(CURDIR)/docs/MEASUREMENTS.md') \
	  Scripts/servers $(if $(FEW),--few) '$(SUITE)' $(if $(FILTER),"$$FILTER")
else
	@$(MAKE) --no-print-directory prepare-servers
	@$(SWIFT) build --build-tests $(DEBUG)
	@mkdir -p docs/pictures
	@CI=true SUZU_PICTURES='$(CURDIR)/docs/pictures' SUZU_SERVER_REPORT='$(CURDIR)/docs/MEASUREMENTS.md' \
	  $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^ServerTests\.'
endif
servers: export FILTER := $(FILTER)

# `.ci/run` calls it, so that `make test` skips no server there.
prepare-servers:
	@Scripts/prepare build window test servers portals

# The programs are killed, run out of disk and lose the bus, and their files are damaged: each test prints its figures.
soak: ## run the long fault tests, about an hour: 1,000 kills, ten minutes of attacks, …; ROUNDS=N repeats them
	@Scripts/prepare build test servers
	@$(MAKE) --no-print-directory build
	@$(SWIFT) build --build-tests $(DEBUG)
	@SUZU_LONG_TESTS=1 SUZU_ROUNDS=$(ROUNDS) $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^FaultTests\.' --skip '^FaultTests\.AdversaryTests'
	@$(MAKE) --no-print-directory attacks
	@SUZU_LONG_TESTS=1 $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^ServerTests\.SoakTests'
	@Scripts/fuzz 200000
	@Scripts/mutants
	@SUZU_LONG_TESTS=1 $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^NotificationModelTests\.PushFuzzTests'
	@SUZU_ROUNDS=$$((10 * $(ROUNDS))) $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^SchedulingTests\.'

# Measures the program as it is installed. SUZU_ADVERSARY_SECONDS=600 sets the length, SUZU_ADVERSARY_SEED repeats a run.
attacks: ## attack the center for ten minutes while honest callers use it; part of make soak
	@Scripts/prepare build test
	@$(MAKE) --no-print-directory build
	@$(SWIFT) build --build-tests $(DEBUG)
	@SUZU_LONG_TESTS=1 SUZU_ADVERSARY_CENTER='$(CURDIR)/.build/release/suzud' \
	  $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^FaultTests\.AdversaryTests'

# One seed decides all that happens. A difference prints its seed, and the steps that are enough for it. `make test` plays 20
# seeds of six days.
simulate: ## play years of a desktop against a model: SEED=1 SEEDS=200 DAYS=6, or SEED=1 YEARS=10; FAILURES=1 for a disk that fails; OPTIMISED=1 for an optimised center; WITHOUT='killed power suspended'
	@Scripts/prepare build test
	@$(if $(OPTIMISED),:,$(SWIFT) build --build-tests $(DEBUG))
	@SUZU_SIMULATE_SEED=$(or $(SEED),1) SUZU_SIMULATE_SEEDS=$(or $(SEEDS),$(if $(SEED),1,200)) \
	  SUZU_SIMULATE_DAYS=$(or $(DAYS),$(if $(YEARS),$$(($(YEARS) * 365)),6)) \
	  $(if $(FAILURES),SUZU_SIMULATE_FAILURES=1) $(if $(OPTIMISED),SUZU_SIMULATE_OPTIMISED=1) SUZU_SIMULATE_WITHOUT='$(WITHOUT)' Scripts/simulate
SEED ?=
SEEDS ?=
DAYS ?=
YEARS ?=
FAILURES ?=
OPTIMISED ?=
WITHOUT ?=

# Builds everything once more, in .build/mutants.
mutants: ## build the center with deliberate defects, and see that the simulator finds each: MUTANTS='cancel-lost zone-ignored'
	@Scripts/prepare build test
	@SEEDS=$(SEEDS) DAYS=$(DAYS) Scripts/mutants $(MUTANTS)
MUTANTS ?=

# Builds the parsers once more, in .build/fuzz, instrumented for libFuzzer, which is part of the toolchain.
fuzz: ## feed every parser of bytes from outside with RUNS=10000000 inputs each; SURFACES='rule url' for some
	@Scripts/prepare build test
	@Scripts/fuzz $(RUNS) $(SURFACES)
RUNS ?= 10000000
SURFACES ?=

bench: ## measure the programs against C programs and others, in one run; ROWS=REGEX for some rows
	@Scripts/prepare build bench deb
	@Scripts/python-packages desktop-notifier desktop-notifier==6.2.0
	@$(MAKE) --no-print-directory build $(addprefix .build/bench/,$(MEASURING))
	@$(SWIFT) build $(RELEASE) --product dbus-bench
	@$(SWIFT) build $(RELEASE) --product rule-bench
	@$(SWIFT) build $(RELEASE) --product store-writer
	@ROWS="$$ROWS" Benchmarks/run
bench: export ROWS := $(ROWS)
ROWS ?=

order: ## list the functions that the linker puts beside each other, with callgrind: Packaging/suzud.order
	@Scripts/prepare build bench order
	@$(MAKE) --no-print-directory build .build/bench/event .build/bench/client .build/bench/link
	@Scripts/order

# Each desktop of a fleet has a disk of its own; here they would share one, so their files are in memory.
fleet: ## let a message reach DESKTOPS=1000 simulated desktops over one mosquitto, also through faults
	@Scripts/prepare build bench
	@$(MAKE) --no-print-directory build
	@$(SWIFT) build $(RELEASE) --product link-fleet
	@TMPDIR="$${FOLDER:-$$([ -d /dev/shm ] && echo /dev/shm || echo /tmp)}" .build/release/link-fleet $(DESKTOPS)
DESKTOPS ?= 1000
FOLDER ?=
fleet: export FOLDER := $(FOLDER)

# Writes only what it has run: Tests/Proof/promises.toml has the promises, and not one figure.
# `make test` leaves out the tests whose programs are not installed: some promises are about the window and real servers.
proof: ## run the tests and the benchmarks, and write what they show: docs/PROOF.md; EARLIER=1: what the last runs showed
	@Scripts/proof check
ifeq ($(EARLIER),)
	@$(MAKE) --no-print-directory prepare-servers window
	@$(MAKE) --no-print-directory test FILTER= || echo 'proof: some tests failed; the page says which' >&2
	@$(MAKE) --no-print-directory bench ROWS=
endif
	@Scripts/proof
EARLIER ?=

MEASURING := server client glib-client systemd-client center click event link starts pairs timer insert pages rules
# The window and its dialogs are measured if `make window` has built them.
MEASURING += $(if $(wildcard .build/release/suzu-window),opens window)
.build/bench/opens: LIBRARY := x11
.build/bench/window: LIBRARY := libadwaita-1
.build/bench/glib-client: LIBRARY := gio-2.0
.build/bench/systemd-client: LIBRARY := libsystemd
.build/bench/rules: LIBRARY := libical
.build/bench/insert: LIBRARY := sqlite3
.build/bench/pages: LIBRARY := dbus-1 sqlite3
.build/bench/link: LIBRARY := dbus-1 libmosquitto
.build/bench/%: LIBRARY ?= dbus-1
.build/bench/%: Benchmarks/%.c Benchmarks/bus.h Benchmarks/measure.h Benchmarks/notifications.h
	@mkdir -p $(@D)
	@compiler=$$(Scripts/swift --cc) && $$compiler -std=gnu17 -O2 -Wall -Wextra -Werror -o $@ $< $$(pkg-config --cflags --libs $(LIBRARY))

check: ## check the formatting, the dependencies between targets and between parts of the center, the documentation, and the scripts
	@Scripts/prepare build check docs
	@$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)
	@$(SWIFT) build --build-tests $(DEBUG)
	@for script in $(SHELL_SCRIPTS); do sh -n $$script || exit 1; done
	@for script in $(BASH_SCRIPTS); do bash -n $$script || exit 1; done
	@Scripts/check-tests
	@Scripts/mutants --check
	@Scripts/rooms --check
	@Scripts/center-calls --check
	@Scripts/proof check
	@Scripts/check-unsafe
	@Scripts/docs
	@if command -v shellcheck >/dev/null; then shellcheck -x $(SHELL_SCRIPTS) $(BASH_SCRIPTS); fi
	@echo 'check: all clean'

# The modules come from the debug build, which the tests have made already.
docs: ## make the documentation of the libraries as a web site, and check it: .build/docs
	@Scripts/prepare build docs
	@$(SWIFT) build $(DEBUG) --target SuzuTesting
	@$(SWIFT) build $(DEBUG) --target UIKit
	@Scripts/docs

##@ Keep it tidy
format: ## format the Swift files
	@$(SWIFT) format format --in-place --parallel --recursive $(FORMATTED)

rooms: ## draw the targets of Package.swift and their dependencies: docs/pictures/rooms.svg
	@Scripts/rooms

pictures: ## photograph the recipes of docs/COOKBOOK.md and the pages of the window: docs/pictures/cookbook-*.png, window-*.png
	@Scripts/prepare build window test servers
	@$(MAKE) --no-print-directory window
	@Scripts/pictures
	@$(SWIFT) build --build-tests $(DEBUG)
	@SUZU_PICTURES='$(CURDIR)/docs/pictures' \
	  $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^SuzuWindowTests\.PictureTests'

clean: ## remove everything that was built
	@rm -rf .build
