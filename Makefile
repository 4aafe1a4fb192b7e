# SPDX-License-Identifier: Apache-2.0
# Suzu's house. Everything is made under .build/; only `make prepare` (called by the others) installs anything outside of
# it, namely the Debian packages that are missing.

SHELL := /bin/sh
SWIFT := Scripts/swift
# `make JOBS=2 …` builds with so many jobs; without it, with as many as there are cores.
JOBS ?=
PREFIX ?= /usr/local
# How many times the long rounds of `make soak`.
ROUNDS ?= 1
IMPORTS := --explicit-target-dependency-import-check error
DEBUG := $(if $(JOBS),--jobs $(JOBS)) $(IMPORTS)
# The Swift runtime needs the C++ library: its archive, found before the shared one, saves a third of a program's start.
CXX_ARCHIVE := .build/static-cxx
RELEASE := -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -L$(CXX_ARCHIVE) $(DEBUG)
SHELL_SCRIPTS := Scripts/swift Scripts/prepare Packaging/deb/postinst Packaging/deb/postrm
BASH_SCRIPTS := Scripts/deb Scripts/try-deb Scripts/demo Scripts/private-bus Benchmarks/run .ci/run Assets/completions/suzu.bash
# Debian looks for what packages bring in a folder of its own.
ZSH_FOLDER := $(if $(and $(filter /usr,$(PREFIX)),$(wildcard /etc/debian_version)),vendor-completions,site-functions)
MANUALS := $(patsubst docs/man/%.scd,.build/man/%.gz,$(wildcard docs/man/*.scd))
FORMATTED := Package.swift Sources Tests Benchmarks

.DEFAULT_GOAL := help
.PHONY: help prepare prepare-servers build man install uninstall deb try-deb demo test golden servers soak attacks bench check format clean

help: ## this list
	@echo 'Suzu: scheduled, interactive notifications for the Linux desktop'
	@echo
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  make \1|\2/p' Makefile | awk -F '|' '{ printf "%-16s %s\n", $$1, $$2 }'

prepare: ## install the Debian packages that building, the demo, the tests and the benchmarks need
	@Scripts/prepare build demo test bench

build: ## the two programs, optimised: .build/release/suzu and .build/release/suzud
	@Scripts/prepare build
	@mkdir -p $(CXX_ARCHIVE)
	@archive=$$($$(Scripts/swift --cc) -print-file-name=libstdc++.a) && \
	  { [ ! -f "$$archive" ] || ln -sf "$$archive" $(CXX_ARCHIVE)/libstdc++.a; }
	@$(SWIFT) build $(RELEASE) --product suzud
	@$(SWIFT) build $(RELEASE) --product suzu
	@if command -v scdoc >/dev/null; then $(MAKE) --no-print-directory man; \
	  else echo 'build: without scdoc there are no manual pages; make prepare brings it'; fi

man: $(MANUALS) ## the manual pages, from docs/man: .build/man

.build/man/%.gz: docs/man/%.scd
	@command -v scdoc >/dev/null || { echo 'man: scdoc is missing; make prepare brings it' >&2; exit 69; }
	@mkdir -p $(@D)
	@scdoc <$< >.build/man/$*
	@gzip -9nf .build/man/$*

# Installs what `make build` left, and builds nothing itself: it may run as root, the build should not.
install: ## install the programs, manual pages, completions, desktop entries, icons, activation file and user unit: PREFIX=/usr/local, DESTDIR=
	@test -x .build/release/suzud || { echo 'install: there is nothing to install yet: run make build first' >&2; exit 66; }
	install -D -t $(DESTDIR)$(PREFIX)/bin .build/release/suzu .build/release/suzud
	@for page in .build/man/*.gz; do \
	  if [ -f "$$page" ]; then \
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
	@mkdir -p $(DESTDIR)$(PREFIX)/share/dbus-1/services $(DESTDIR)$(PREFIX)/lib/systemd/user
	sed 's|@bindir@|$(PREFIX)/bin|' dbus/dev.suzu.Center.service.in \
	  >$(DESTDIR)$(PREFIX)/share/dbus-1/services/dev.suzu.Center.service
	sed 's|@bindir@|$(PREFIX)/bin|' dbus/suzud.service.in >$(DESTDIR)$(PREFIX)/lib/systemd/user/suzud.service
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/sounds Assets/sounds/suzu-bell.oga Assets/sounds/suzu-alarm.oga

# Every file that `install` puts there, and the folder that is ours alone.
uninstall: ## take away what `make install` put there: PREFIX=/usr/local, DESTDIR=
	@work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && \
	  $(MAKE) --no-print-directory install DESTDIR="$$work" >/dev/null && \
	  (cd "$$work$(PREFIX)" && find . -type f) | while IFS= read -r file; do \
	    rm -f "$(DESTDIR)$(PREFIX)/$$file"; done && \
	  echo 'uninstall: what was scheduled stays in ~/.local/share/suzu, and what was set in ~/.config/suzu'

deb: ## make a Debian package: .build/deb/suzu_*.deb
	@Scripts/prepare build deb
	@$(MAKE) --no-print-directory build
	@Scripts/deb

try-deb: deb ## make it, have lintian judge it, install, use and purge it on a bare Debian; as root
	@Scripts/prepare try
	@lintian --fail-on error --tag-display-limit 0 .build/deb/suzu_*.deb
	@Scripts/try-deb

demo: ## build, then see it work: a popup, a button that runs something, a click that opens a page
	@Scripts/prepare build demo
	@$(MAKE) --no-print-directory build
	@Scripts/demo

# One test after another: each has a bus, programs and time limits of its own, and hundreds at once would only be slow.
test: ## build and run all tests, each on a private bus in a temporary place
	@Scripts/prepare build test
	@$(MAKE) --no-print-directory build
	@$(SWIFT) build --build-tests $(DEBUG)
	@SUZU_ADVERSARY_CENTER='$(CURDIR)/.build/release/suzud' \
	  $(SWIFT) test --skip-build --no-parallel $(DEBUG) $(if $(FILTER),--filter $(FILTER))

golden: ## write what the command prints anew into Tests/Fixtures/suzu, after a change that is meant; git diff shows it
	@Scripts/prepare build
	@$(SWIFT) build --build-tests $(DEBUG)
	@SUZU_GOLDEN=write $(SWIFT) test --skip-build $(DEBUG) --filter '^suzuTests\.GoldenTests'
	@git diff --stat -- Tests/Fixtures/suzu

# What `make test` runs as well, for the servers that are there; here all of them are.
servers: ## install eleven notification servers, ask and press each; writes docs/SERVERS.md and docs/pictures
	@$(MAKE) --no-print-directory prepare-servers
	@$(SWIFT) build --build-tests $(DEBUG)
	@mkdir -p docs/pictures
	@CI=true SUZU_PICTURES='$(CURDIR)/docs/pictures' SUZU_SERVER_REPORT='$(CURDIR)/docs/SERVERS.md' \
	  $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^ServerTests\.'

# `.ci/run` calls it, so that `make test` leaves out no server there.
prepare-servers:
	@Scripts/prepare build test servers

# The programs killed, starved of disk and bus, their files damaged: each test prints a line with its figures.
soak: ## the long rounds, an hour: 1,000 kills, 500 damaged stores, ten minutes of attacks, busy desktops with real servers …; ROUNDS=N for N times as many
	@Scripts/prepare build test servers
	@$(MAKE) --no-print-directory build
	@$(SWIFT) build --build-tests $(DEBUG)
	@SUZU_LONG_TESTS=1 SUZU_ROUNDS=$(ROUNDS) $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^FaultTests\.' --skip '^FaultTests\.AdversaryTests'
	@$(MAKE) --no-print-directory attacks
	@SUZU_LONG_TESTS=1 $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^ServerTests\.SoakTests'
	@SUZU_ROUNDS=$$((10 * $(ROUNDS))) $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^SchedulingTests\.'

# How long honest callers wait for the center is measured on the program as it is installed; SUZU_ADVERSARY_SECONDS=600,
# SUZU_ADVERSARY_SEED= for the order of an earlier round.
attacks:
	@SUZU_LONG_TESTS=1 SUZU_ADVERSARY_CENTER='$(CURDIR)/.build/release/suzud' \
	  $(SWIFT) test --skip-build --no-parallel $(DEBUG) --filter '^FaultTests\.AdversaryTests'

bench: ## measure the programs against their C peers, in one run
	@Scripts/prepare build bench
	@$(MAKE) --no-print-directory build $(addprefix .build/bench/,$(MEASURING))
	@$(SWIFT) build $(RELEASE) --product dbus-bench
	@$(SWIFT) build $(RELEASE) --product store-writer
	@Benchmarks/run

MEASURING := server client center click starts pairs timer insert
.build/bench/insert: LIBRARY := sqlite3
.build/bench/%: LIBRARY ?= dbus-1
.build/bench/%: Benchmarks/%.c Benchmarks/bus.h
	@mkdir -p $(@D)
	@compiler=$$(Scripts/swift --cc) && $$compiler -std=gnu17 -O2 -Wall -Wextra -Werror -o $@ $< $$(pkg-config --cflags --libs $(LIBRARY))

check: ## formatting, the arrows between targets, the scripts
	@Scripts/prepare build
	@$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)
	@$(SWIFT) build --build-tests $(DEBUG)
	@for script in $(SHELL_SCRIPTS); do sh -n $$script || exit 1; done
	@for script in $(BASH_SCRIPTS); do bash -n $$script || exit 1; done
	@if command -v shellcheck >/dev/null; then shellcheck -x $(SHELL_SCRIPTS) $(BASH_SCRIPTS); fi
	@echo 'check: all clean'

format: ## rewrite the Swift files as `make check` wants them
	@$(SWIFT) format format --in-place --parallel --recursive $(FORMATTED)

clean: ## remove everything that was built
	@rm -rf .build
