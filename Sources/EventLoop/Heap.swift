// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// What this process has of the machine's memory.
public enum Heap {
  /// Gives back what is not in use. The C library keeps what was freed, for a next time that may be days away.
  public static func trim() { _ = malloc_trim(0) }
}
