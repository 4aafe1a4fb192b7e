// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Measures the turns of the loop of a real center, whichever way it was built: the processor time of its thread from
/// the return of `epoll_wait` to the next call. Wall time would also count what other programs take on a busy machine.
///
/// A library that the center loads stands between it and the kernel, so the center has no code for this.
final class TurnMeter {
  private let library: String
  private let file: String
  private let numbers: FileHandle

  init(in folder: TemporaryFolder) throws {
    library = try PreloadedLibrary.build(Self.source, named: "turns", in: folder)
    file = folder.path("turns")
    guard FileManager.default.createFile(atPath: file, contents: Data(count: 16)),
      let numbers = FileHandle(forUpdatingAtPath: file)
    else { throw TestFailure("'\(file)' cannot be created") }
    self.numbers = numbers
  }

  /// The variables that a center needs.
  var variables: [String: String] { ["LD_PRELOAD": library, "SUZU_TURNS": file] }

  /// The longest turn since the last call, and the number of turns.
  func take() throws -> (longest: Duration, count: Int) {
    try numbers.seek(toOffset: 0)
    guard let bytes = try numbers.read(upToCount: 16), bytes.count == 16 else {
      throw TestFailure("'\(file)' is short")
    }
    try numbers.seek(toOffset: 0)
    try numbers.write(contentsOf: Data(count: 16))
    let values = bytes.withUnsafeBytes { raw in
      [0, 8].map { raw.loadUnaligned(fromByteOffset: $0, as: Int64.self) }
    }
    return (.nanoseconds(values[0]), Int(values[1]))
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/epoll.h>
    #include <sys/mman.h>
    #include <time.h>
    #include <unistd.h>

    /* The longest turn in nanoseconds, and the number of turns. */
    static volatile int64_t *numbers;
    static int64_t begun;
    static int (*next)(int, struct epoll_event *, int, int);

    static int64_t now(void) {
      struct timespec time;
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      return time.tv_sec * 1000000000LL + time.tv_nsec;
    }
    __attribute__((constructor)) static void begin(void) {
      next = dlsym(RTLD_NEXT, "epoll_wait");
      const char *path = getenv("SUZU_TURNS");
      /* Not in the programs that it starts. */
      if (!path || strcmp(program_invocation_short_name, "suzud") != 0) return;
      int file = open(path, O_RDWR | O_CLOEXEC);
      void *shared = mmap(0, 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      close(file);
      if (shared != MAP_FAILED) numbers = shared;
    }
    int epoll_wait(int descriptor, struct epoll_event *events, int most, int timeout) {
      int is_loop = numbers && gettid() == getpid();
      if (is_loop && begun) {
        int64_t spent = now() - begun;
        if (spent > numbers[0]) numbers[0] = spent;
        numbers[1]++;
      }
      int count = next(descriptor, events, most, timeout);
      if (is_loop) begun = now();
      return count;
    }
    """
}
