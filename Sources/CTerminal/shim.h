// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdlib.h>
#include <sys/ioctl.h>

// ioctl is variadic, which Swift does not import; 0 or -1, as ioctl.
static inline int terminal_window_size(int terminal, struct winsize *size) { return ioctl(terminal, TIOCGWINSZ, size); }
static inline int terminal_set_window_size(int terminal, const struct winsize *size) {
  return ioctl(terminal, TIOCSWINSZ, size);
}

// glibc declares these under _XOPEN_SOURCE and _GNU_SOURCE, which Swift's Glibc module is built without.
extern int posix_openpt(int flags);
extern int grantpt(int terminal);
extern int unlockpt(int terminal);
extern int ptsname_r(int terminal, char *name, size_t length);
