// SPDX-License-Identifier: Apache-2.0
internal import CTerminal
internal import Glibc
internal import SystemFiles

/// Which output of a command is kept.
enum KeptStreams: String, CaseIterable {
  /// What goes into a pipe or a file. A terminal is left alone.
  case auto
  /// Also what goes to a terminal, through a second one.
  case all
  case none
}

/// How the output of a command gets to where the output of this program goes.
enum OutputRoute: Equatable {
  /// The command has our descriptor, and nothing is kept.
  case direct
  /// The command has our descriptor, which is of a file; what it writes is read there afterwards, from this position.
  case file(from: Int)
  /// The command writes into a pipe, and we copy.
  case pipe
  /// The command writes to a terminal, which we copy to ours.
  case terminal

  /// - Parameter isRead: whether a file can be read.
  init(of descriptor: Int32, keeping kept: KeptStreams) {
    var status = stat()
    guard kept != .none, fstat(descriptor, &status) == 0 else {
      self = .direct
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      let isAppended = fcntl(descriptor, F_GETFL) & O_APPEND != 0
      self = .file(from: isAppended ? Int(status.st_size) : max(0, lseek(descriptor, 0, SEEK_CUR)))
    case S_IFIFO, S_IFSOCK: self = .pipe
    case _ where kept == .auto: self = .direct
    case _ where isatty(descriptor) == 1: self = .terminal
    default: self = .pipe
    }
  }

  /// Whether two descriptors lead to the same place, so that the order of what is written to them matters.
  static func leadToSamePlace(_ one: Int32, _ other: Int32) -> Bool {
    var (first, second) = (stat(), stat())
    return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino && first.st_rdev == second.st_rdev
  }

  /// What a command has written to a file: the end of it; nil if it cannot be read.
  static func written(to descriptor: Int32, from start: Int, atMost limit: Int) -> (bytes: [UInt8], total: Int)? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    let size = Int(status.st_size)
    // The command may have made it shorter.
    let first = max(min(start, size), size - limit)
    do throws(Errno) {
      // The shell opened it for writing only.
      let file = try Descriptor("/proc/self/fd/\(descriptor)", O_RDONLY)
      guard lseek(file.number, first, SEEK_SET) == first else { return nil }
      var bytes: [UInt8] = []
      while bytes.count < size - first {
        let more = try file.read(size - first - bytes.count)
        if more.isEmpty { break }
        bytes += more
      }
      return (bytes, size - min(start, size))
    } catch {
      return nil
    }
  }
}

/// The two ends of a pipe or of a terminal between a command and us.
struct OutputLink: ~Copyable {
  /// What we read from; non-blocking.
  let reading: Descriptor
  /// What the command writes to.
  let writing: Descriptor

  private init(reading: consuming Descriptor, writing: consuming Descriptor) {
    _ = fcntl(reading.number, F_SETFL, O_NONBLOCK)
    self.reading = reading
    self.writing = writing
  }

  /// Returns nil if the system has none left.
  static func make(_ route: OutputRoute, like descriptor: Int32) -> OutputLink? {
    do throws(Errno) { return route == .terminal ? try terminal(like: descriptor) : try pipe() } catch { return nil }
  }

  private static func terminal(like descriptor: Int32) throws(Errno) -> OutputLink {
    let main = try Descriptor(owning: posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC))
    var name = [CChar](repeating: 0, count: 128)
    guard grantpt(main.number) == 0, unlockpt(main.number) == 0, ptsname_r(main.number, &name, name.count) == 0
    else { throw .current }
    let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let second = try Descriptor(path, O_RDWR | O_NOCTTY)
    prepare(second.number, like: descriptor)
    copySize(from: descriptor, to: main.number)
    return OutputLink(reading: main, writing: second)
  }

  private static func pipe() throws(Errno) -> OutputLink {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw .current }
    let reading = try Descriptor(owning: ends[0])
    let writing = try Descriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Fewer switches between the command and us; without permission it stays at 64 KiB.
    _ = fcntl(ends[1], setPipeSize, 1 << 20)
    return OutputLink(reading: reading, writing: writing)
  }

  /// `F_SETPIPE_SZ`, which Glibc's module leaves out.
  private static let setPipeSize: Int32 = 1031

  /// Our terminal does with the output what it does with that of other programs, so this one leaves it as it is.
  private static func prepare(_ terminal: Int32, like descriptor: Int32) {
    var mode = termios()
    guard tcgetattr(descriptor, &mode) == 0 || tcgetattr(terminal, &mode) == 0 else { return }
    mode.c_oflag &= ~tcflag_t(OPOST)
    mode.c_lflag &= ~tcflag_t(ECHO | ECHONL)
    tcsetattr(terminal, TCSANOW, &mode)
  }

  /// Returns whether the size has changed.
  @discardableResult
  static func copySize(from descriptor: Int32, to terminal: Int32) -> Bool {
    var (size, earlier) = (winsize(), winsize())
    guard terminal_window_size(descriptor, &size) == 0, terminal_window_size(terminal, &earlier) == 0 else {
      return false
    }
    if size.ws_row == earlier.ws_row, size.ws_col == earlier.ws_col { return false }
    return terminal_set_window_size(terminal, &size) == 0
  }
}
