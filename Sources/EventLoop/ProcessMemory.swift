// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The memory of this process.
public enum ProcessMemory {
  /// Returns unused heap memory to the system. The C library keeps freed memory for later use.
  public static func trim() { _ = malloc_trim(0) }

  /// Unmaps the pages of the program's code that were used so far: most of a long-lived program's are of its start. What
  /// is needed again is mapped again from the file, which is still in the kernel's cache.
  public static func forgetCode() {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink("/proc/self/exe", &path, path.count - 1) > 0, let maps = fopen("/proc/self/maps", "re") else {
      return
    }
    defer { fclose(maps) }
    var line = [CChar](repeating: 0, count: Int(PATH_MAX) + 128)
    while fgets(&line, Int32(line.count), maps) != nil {
      // `7f00-7f80 r-xp …  /usr/bin/suzud`: pages of a file that were never modified, so nothing can be lost.
      guard strstr(line, " r-xp ") != nil, strstr(line, path) != nil else { continue }
      var rest: UnsafeMutablePointer<CChar>?
      let start = strtoul(line, &rest, 16)
      guard let dash = rest, let end = Optional(strtoul(dash + 1, nil, 16)), end > start else { continue }
      madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED)
    }
  }
}
