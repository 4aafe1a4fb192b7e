// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/ioctl.h>

// ioctl is variadic, which Swift does not import; 0 or -1, as ioctl.
static inline int terminal_window_size(int terminal, struct winsize *size) { return ioctl(terminal, TIOCGWINSZ, size); }
