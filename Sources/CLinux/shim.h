// SPDX-License-Identifier: Apache-2.0
// Linux headers that Swift's Glibc module leaves out.
#pragma once
#include <malloc.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/prctl.h>

// prctl is variadic, which Swift does not import.
static inline void linux_name_this_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

static inline int linux_allow_inspection(void) { return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }

// glibc declares these under _GNU_SOURCE, which Swift's Glibc module is built without.
#include <spawn.h>
extern int pidfd_open(pid_t process, unsigned int flags);
extern int pidfd_send_signal(int process, int number, siginfo_t *information, unsigned int flags);
extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *folder);
static const short linux_spawn_setsid = 0x80;
