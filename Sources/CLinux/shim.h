// SPDX-License-Identifier: Apache-2.0
// Linux headers that Swift's Glibc module leaves out.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/statfs.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// prctl is variadic, which Swift does not import.
static inline void linux_name_this_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

static inline int linux_allow_inspection(void) { return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }

// glibc declares these under _GNU_SOURCE, which Swift's Glibc module is built without.
extern int pidfd_open(pid_t process, unsigned int flags);
extern int pidfd_send_signal(int process, int number, siginfo_t *information, unsigned int flags);
extern int pipe2(int ends[2], int flags);

extern int sync_file_range(int file, int64_t offset, int64_t count, unsigned int flags);

// All of the file, without waiting.
static inline int linux_start_writing(int file) { return sync_file_range(file, 0, 0, 2 /* SYNC_FILE_RANGE_WRITE */); }

static inline bool linux_is_in_memory(int file) {
  struct statfs system;
  return fstatfs(file, &system) == 0 && system.f_type == TMPFS_MAGIC;
}

struct linux_start {
  const char *program;
  char *const *arguments;
  char *const *environment;
  const char *folder;                // NULL for ours
  int input, output, errors;         // -1 for /dev/null
  const struct rlimit *descriptors;  // NULL for our limit
};

static inline int linux_place(int from, int to, int flags) {
  if (from < 0) from = open("/dev/null", flags | O_CLOEXEC);
  return from < 0 || dup2(from, to) < 0 ? -1 : 0;
}

// Starts a program in a session of its own, with three descriptors and no ignored or blocked signal. Returns 0 or an
// error number, once the program has begun or failed to.
//
// posix_spawn cannot set a limit, so it would have to be changed for this whole process meanwhile. As with posix_spawn,
// the child runs in the memory of this process until its program begins, while the calling thread waits: hence
// vfork, a function that is not inlined, and no handler of ours in the child.
static inline __attribute__((noinline)) int linux_start_program(const struct linux_start *start, pid_t *process) {
  volatile int failure = 0;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = vfork();
  if (child == 0) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
    if (setsid() >= 0 && linux_place(start->input, 0, O_RDONLY) == 0 && linux_place(start->output, 1, O_WRONLY) == 0 &&
        linux_place(start->errors, 2, O_WRONLY) == 0 && (start->folder == NULL || chdir(start->folder) == 0)) {
      closefrom(3);
      if (start->descriptors != NULL) setrlimit(RLIMIT_NOFILE, start->descriptors);
      sigset_t none;
      sigemptyset(&none);
      pthread_sigmask(SIG_SETMASK, &none, NULL);
      execve(start->program, start->arguments, start->environment);
    }
    failure = errno;
    _exit(127);
  }
  int code = child < 0 ? errno : failure;
  if (child > 0 && code != 0) waitpid(child, NULL, 0);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  *process = child;
  return code;
}
