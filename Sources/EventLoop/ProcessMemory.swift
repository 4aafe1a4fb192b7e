// SPDX-License-Identifier: Apache-2.0
internal import CLinux

/// The memory of this process.
public enum ProcessMemory {
  /// Returns unused heap memory to the system. The C library keeps freed memory for later use.
  public static func trim() { _ = malloc_trim(0) }
}
