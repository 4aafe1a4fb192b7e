// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A library that stands between a program and the kernel and lets the k-th write or sync fail; with `SYNC`, the k-th
/// sync.
///
/// It counts only calls on files whose name holds `suzu.db`, from its own start on, so that a k means the same every
/// time.
enum FailingDisk {
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/types.h>
    #include <unistd.h>

    static long calls, first = -1, last;
    static int number;
    static int is_short, only_syncs;

    __attribute__((constructor)) static void begin(void) {
      const char *which = getenv("FAIL_FIRST"), *until = getenv("FAIL_LAST"), *what = getenv("FAIL_WITH");
      first = which ? atol(which) : -1;
      last = until ? atol(until) : first;
      is_short = what && strcmp(what, "SHORT") == 0;
      only_syncs = what && strcmp(what, "SYNC") == 0;
      number = what && strcmp(what, "ENOSPC") == 0 ? ENOSPC : EIO;
    }

    static int is_ours(int descriptor) {
      char link[40], path[4096];
      snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
      ssize_t length = readlink(link, path, sizeof path - 1);
      if (length < 0) return 0;
      path[length] = 0;
      const char *name = strstr(path, "suzu.db");
      return name && !strstr(name, ".witness") && !strstr(name, ".lock") && !strstr(name, ".ballast");
    }

    static int fails(int descriptor) {
      if (first < 0 || !is_ours(descriptor)) return 0;
      calls++;
      return calls >= first && calls <= last;
    }

    #define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

    static ssize_t put(ssize_t (*next)(int, const void *, size_t, off64_t), int fd, const void *bytes, size_t n, off64_t at) {
      if (only_syncs || !fails(fd)) return next(fd, bytes, n, at);
      if (is_short && n > 1) return next(fd, bytes, n / 2, at);
      errno = number;
      return -1;
    }
    ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) { return put(NEXT(pwrite64), fd, bytes, n, at); }
    ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at) { return put(NEXT(pwrite64), fd, bytes, n, at); }
    ssize_t write(int fd, const void *bytes, size_t n) {
      if (only_syncs || !fails(fd)) return NEXT(write)(fd, bytes, n);
      errno = number;
      return -1;
    }
    int fdatasync(int fd) { if (fails(fd)) { errno = number; return -1; } return NEXT(fdatasync)(fd); }
    int fsync(int fd) { if (fails(fd)) { errno = number; return -1; } return NEXT(fsync)(fd); }
    int ftruncate64(int fd, off64_t n) { if (!only_syncs && fails(fd)) { errno = number; return -1; } return NEXT(ftruncate64)(fd, n); }
    int ftruncate(int fd, off_t n) { if (!only_syncs && fails(fd)) { errno = number; return -1; } return NEXT(ftruncate64)(fd, n); }
    """

  /// Compiles it once and keeps it for the test's life.
  static func build(in folder: TemporaryFolder) throws -> String {
    try PreloadedLibrary.build(source, named: "disk", in: folder)
  }
}
