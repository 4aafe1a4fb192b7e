// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Replaces a file atomically: it has either its old content or all of the new.
struct WholeFile {
  private let path: String

  init(_ path: String) { self.path = path }

  func write(_ text: String) throws(CommandError) {
    // If the path is a link, keep it and replace its target.
    let target = Self.resolved(path)
    let temporary = "\(target).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .notWritten(path) }
    do throws(CommandError) {
      defer { close(descriptor) }
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw .notWritten(path) }
        rest.removeFirst(count)
      }
      guard fsync(descriptor) == 0, rename(temporary, target) == 0 else { throw .notWritten(path) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

extension CommandError {
  /// An error with the current errno's text.
  static func notWritten(_ path: String) -> CommandError {
    CommandError(message: "\(path): \(String(cString: strerror(errno)))", status: EX_CANTCREAT)
  }
}
