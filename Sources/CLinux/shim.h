// SPDX-License-Identifier: Apache-2.0
// Linux headers that Swift's Glibc module leaves out.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/prctl.h>

// prctl is variadic, which Swift does not import.
static inline void linux_name_this_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
