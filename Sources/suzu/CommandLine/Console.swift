// SPDX-License-Identifier: Apache-2.0
internal import CTerminal
internal import Glibc
internal import SystemFiles

/// Writes lines to standard output and error, unbuffered: a reader of a pipe sees each line at once.
enum Console {
  /// Prints a line. Ends the process with SIGPIPE if the reader is gone, as other programs do.
  static func print(_ line: String) { print(bytes: Array((line + "\n").utf8)) }

  /// Prints bytes as they are.
  static func print(bytes: [UInt8]) {
    switch write(bytes, to: STDOUT_FILENO) {
    case 0: break
    case EPIPE: Process.end(by: SIGPIPE)
    case let code:
      complain("standard output: \(String(cString: strerror(code)))")
      exit(EX_IOERR)
    }
  }

  /// Prints an error on one line; quoted control characters are escaped.
  static func complain(_ line: String) {
    _ = write("suzu: " + PrintableText.line(line, atMost: 4096) + "\n", to: STDERR_FILENO)
  }

  /// Prints a warning of a verb: it does what it was told, and something may not be as expected.
  static func warn(_ verb: String, _ line: String) { complain("\(verb): warning: \(line)") }

  /// Returns 0 or an errno.
  private static func write(_ text: String, to descriptor: Int32) -> Int32 { write(Array(text.utf8), to: descriptor) }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        // Another process made the shared file description non-blocking.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
        continue
      }
      if count <= 0 { return count < 0 ? errno : EIO }
      rest.removeFirst(count)
    }
    return 0
  }

  /// Prints a message for the user on standard error, apart from the output.
  static func remark(_ line: String) { _ = write(line + "\n", to: STDERR_FILENO) }

  /// Prints a question on standard error, and stays in its line for the answer.
  static func ask(_ question: String) { _ = write(question, to: STDERR_FILENO) }

  /// Whether standard error is a terminal.
  static var hasReader: Bool { isatty(STDERR_FILENO) == 1 }

  /// The width for tables; nil if unlimited.
  static var columns: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    return terminal_window_size(STDOUT_FILENO, &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// The width for help: lines without an end are hard to read in a pager or a file, too.
  static var helpColumns: Int { columns ?? 80 }

  /// Reads all of standard input or a file.
  static func read(_ name: String, atMost limit: Int = longestInput) throws(CommandError) -> [UInt8] {
    if name == "-" { return try readAll(of: STDIN_FILENO, "standard input", atMost: limit) }
    // Not only a regular file: a shell's <(command) is a pipe.
    let file: Descriptor
    do throws(Errno) { file = try Descriptor(name, O_RDONLY) } catch { throw .noInput(name, error) }
    return try readAll(of: file.number, name, atMost: limit)
  }

  private static func readAll(of descriptor: Int32, _ name: String, atMost limit: Int) throws(CommandError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw .noInput(name, .current) }
      if count == 0 { break }
      bytes += buffer[..<count]
      if bytes.count > limit { throw .data("\(name): larger than \(limit >> 20) MiB") }
    }
    return bytes
  }

  /// Replaces a file's content atomically.
  static func replace(_ path: String, with text: String) throws(CommandError) {
    do throws(FileError) { try AtomicFile(path).write(text.utf8) } catch { throw .notWritten(path, "\(error)") }
  }

  static let longestInput = 64 << 20
}

extension CommandError {
  static func noInput(_ name: String, _ error: Errno) -> CommandError {
    CommandError(message: "\(name): \(error)", status: EX_NOINPUT)
  }
}
