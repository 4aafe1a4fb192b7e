// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import FoundationEssentials
internal import Glibc
internal import TestStage

/// A real mosquitto on this machine, with the settings of docs/LINKS.md, apart from users and TLS.
///
/// Confined to the loop's thread.
final class Broker {
  private let folder: TemporaryFolder
  private let port: UInt16
  private let settings: String
  private let loop: EventLoop
  private let take: @Sendable (String) -> Void
  private var program: RunningProgram?

  /// - Parameter take: called with each line of its log, on the loop.
  init(on loop: EventLoop, _ take: @escaping @Sendable (String) -> Void) throws {
    folder = try TemporaryFolder()
    port = try Self.freePort()
    (self.loop, self.take) = (loop, take)
    settings = try folder.write(
      """
      listener \(port) 127.0.0.1
      allow_anonymous true
      persistence true
      persistence_location \(folder.url.path)/
      autosave_interval 60
      set_tcp_nodelay true
      max_queued_messages 1000
      log_type error
      log_type warning
      log_type notice
      log_type information
      # Otherwise root becomes another user, who cannot read the folder.
      user \(getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "root")

      """, to: "mosquitto.conf")
  }

  var address: String { "mqtt://127.0.0.1:\(port)" }
  var processID: Int32 { program?.processID ?? 0 }

  func start() throws {
    let path = RunningProgram.path(of: "mosquitto") ?? "/usr/sbin/mosquitto"
    let program = try RunningProgram(path, ["-c", settings], environment: Self.environment)
    guard program.readErrors(until: " running") != nil else {
      throw FleetError("mosquitto does not run: \(program.errors)")
    }
    self.program = program
    try Lines.follow(of: program, isError: true, on: loop, take)
  }

  /// Ends it as systemd does; it writes down sessions and messages.
  func stop() throws {
    program?.signal(SIGTERM)
    guard program?.waitForExit(within: 60) == 0 else { throw FleetError("mosquitto does not end") }
    program = nil
  }

  func kill() { program?.kill() }

  /// Forgets all sessions and messages; while it is stopped.
  func forget() { unlink(folder.path("mosquitto.db")) }

  /// Lets it hold still: the kernel takes connections and bytes, and no answer comes.
  func freeze() { program?.signal(SIGSTOP) }
  func thaw() { program?.signal(SIGCONT) }

  /// Publishes as many bytes with mosquitto_pub, at least once.
  func publish(bytes count: Int) throws {
    let file = try folder.write(String(repeating: "x", count: count), to: "long")
    let ended = try RunningProgram.run(
      "mosquitto_pub",
      ["-h", "127.0.0.1", "-p", "\(port)", "-V", "mqttv5", "-q", "1", "-t", Publisher.topic, "-f", file],
      environment: Self.environment)
    guard ended.status == 0 else { throw FleetError("mosquitto_pub: \(ended.errors)") }
  }

  private static let environment = ["PATH": "/usr/sbin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"]

  /// A port that is free now.
  private static func freePort() throws -> UInt16 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, length) == 0 && getsockname(number, $0, &length) == 0
      }
    }
    guard isBound else { throw FleetError("no port is free") }
    return UInt16(bigEndian: address.sin_port)
  }
}

/// The lines that a program prints, each of which has a colon if it is one of a log.
enum Lines {
  /// Follows them as they come, on a thread of its own, until the program ends.
  ///
  /// - Parameter take: called on the loop.
  static func follow(
    of program: RunningProgram, isError: Bool, on loop: EventLoop, _ take: @escaping @Sendable (String) -> Void
  ) throws {
    let aside = try EventLoop.onOwnThread(named: "lines")
    aside.perform { [aside] in
      let limit = 1e6
      while let line = isError ? program.readErrors(until: ":", within: limit)?.last : program.readLine(within: limit) {
        loop.perform { take(line) }
      }
      aside.stop()
    }
  }
}
