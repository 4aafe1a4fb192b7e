// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A file that is open for reading, and nothing but a file: a pipe or a device in its place must not hold us up.
struct RegularFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  private let size: Int

  init(_ path: String) throws(ZoneError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.problem(path, errno) }
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    guard isRegular else {
      close(descriptor)
      throw ZoneError(.unreadable, path, "not a regular file")
    }
    self.descriptor = descriptor
    self.path = path
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// All of it, or so many bytes from the front.
  func read(atMost limit: Int = .max) throws(ZoneError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: min(size, limit)) { buffer, count in
      while count < buffer.count {
        // Within the buffer: `count` is less than its size, so it has an address.
        let got = Glibc.read(descriptor, buffer.baseAddress! + count, buffer.count - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { return }
        count += got
      }
    }
    guard failure == 0 else { throw Self.problem(path, failure) }
    return bytes
  }

  /// Refuses what is larger than anything that could be meant.
  func readWhole(limit: Int) throws(ZoneError) -> [UInt8] {
    guard size <= limit else {
      throw ZoneError(.damaged, path, "it has \(size) bytes; at most \(limit) are allowed")
    }
    return try read()
  }

  /// All of a time zone's file, whatever is in it.
  static func zone(_ path: String) throws(ZoneError) -> [UInt8] {
    try RegularFile(path).readWhole(limit: TimeZoneFile.sizeLimit)
  }

  private static func problem(_ path: String, _ code: Int32) -> ZoneError {
    let isAbsent = code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG
    return ZoneError(isAbsent ? .notFound : .unreadable, path, String(cString: strerror(code)))
  }
}
