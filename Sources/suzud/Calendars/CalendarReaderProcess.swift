// SPDX-License-Identifier: Apache-2.0
internal import Calendars
internal import Glibc
internal import NotificationModel

/// The process that reads calendars for the center: paths come on standard input, separated by null characters, and a
/// report about each goes to standard output.
enum CalendarReaderProcess {
  /// Enough for the longest file; more is a defect or an attack.
  private static let mostMemory: rlim_t = 4 << 30

  static func run(_ arguments: [String]) -> Never {
    // A crash concerns one file of another person, and its memory is private.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    var memory = rlimit(rlim_cur: mostMemory, rlim_max: mostMemory)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
    let app = arguments.firstIndex(of: "--app").flatMap { arguments.dropFirst($0 + 1).first }
    let reporter = CalendarReporter(
      app: app ?? NotificationRequest.defaultApp, skips: arguments.contains("--skip"),
      trusts: arguments.contains("--trust"), now: Int64(time(nil)))
    for path in input().split(separator: 0) {
      write(reporter.report(on: String(decoding: path, as: UTF8.self)).text)
    }
    exit(EX_OK)
  }

  private static func input() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Ends the process if the center is gone.
  private static func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { exit(EX_IOERR) }
      rest.removeFirst(count)
    }
  }
}
