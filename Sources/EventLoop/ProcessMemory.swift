// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The memory of this process.
public enum ProcessMemory {
  /// Returns unused heap memory to the system. The C library keeps freed memory for later use.
  public static func trim() { _ = malloc_trim(0) }

  /// Makes all threads use one heap. The C library gives each thread a heap of its own, and memory that one thread
  /// takes and another frees stays in the first one's. Call it before the first thread starts.
  public static func useOneHeap() {
    _ = mallopt(M_ARENA_MAX, 1)
    // The C library maps a block of 128 KiB or more alone. libdbus has one that grows and shrinks with each large
    // message, and the kernel took and gave its pages each time: half of all page faults while such messages come.
    _ = mallopt(M_MMAP_THRESHOLD, 4 << 20)
  }
}
