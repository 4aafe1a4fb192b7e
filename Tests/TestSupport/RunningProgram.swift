// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization

/// Why a test's own machinery gave up.
public struct TestFailure: Error, CustomStringConvertible {
  /// What happened.
  public let description: String
  /// With a sentence.
  public init(_ description: String) { self.description = description }
}

/// A program that a test started, and ends.
///
/// Not Foundation's `Process`, which takes a program for running as long as anything that it started runs, and waits for
/// that in a busy loop.
public final class RunningProgram: Sendable {
  private let child: Child
  private let input: FileHandle
  private let output: LineCollector
  private let errorOutput: LineCollector

  /// Starts `program` (a path, or a name to be found in PATH) with exactly this environment, in a process group of its
  /// own that ends with this object.
  public init(_ program: String, _ arguments: [String] = [], environment: [String: String]) throws {
    let path = try Self.find(program)
    let (child, pipes) = try Self.onePerTime.withLock { _ in
      let pipes = try (0..<3).map { _ in try Self.pipe() }
      let descriptors = [pipes[0].reading, pipes[1].writing, pipes[2].writing].map(\.fileDescriptor)
      return (try Child(path, arguments, environment, descriptors: descriptors), pipes)
    }
    self.child = child
    input = pipes[0].writing
    output = LineCollector(pipes[1].reading)
    errorOutput = LineCollector(pipes[2].reading)
    Foundation.signal(SIGPIPE, SIG_IGN)  // a program that ended before it read its input
    // The other ends close with `pipes`: the program has its own, and its end is the pipe's end.
  }

  /// A program that is started between a pipe's making and its marking would keep it open.
  private static let onePerTime = Mutex(())

  private static func pipe() throws -> (reading: FileHandle, writing: FileHandle) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw TestFailure("pipe: \(String(cString: strerror(errno)))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }

  private static func find(_ program: String) throws -> String {
    if program.contains("/") { return program }
    guard let path = path(of: program) else { throw TestFailure("'\(program)' is not installed") }
    return path
  }

  /// Where a program is that the shell would find; nil where it is not installed.
  public static func path(of program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { $0 + "/" + program }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Its process.
  public var processID: Int32 { child.processID }

  /// Whether it has not ended.
  public var isRunning: Bool { child.status == nil }

  /// Everything that it has printed to its error output.
  public var errors: String { errorOutput.text }

  /// Writes to its input.
  public func write(_ text: String) { try? input.write(contentsOf: Data(text.utf8)) }

  /// Ends its input.
  public func closeInput() { try? input.close() }

  /// The next line of its output; nil after `seconds`, or at the end.
  public func readLine(within seconds: Double = 10) -> String? { output.next(within: seconds) }

  /// The lines of its output up to one that contains `text`; nil where none comes within `seconds`.
  public func readLines(until text: String, within seconds: Double = 10) -> [String]? {
    output.lines(until: text, within: seconds)
  }

  /// The lines of its error output up to one that contains `text`; nil where none comes within `seconds`.
  public func readErrors(until text: String, within seconds: Double = 10) -> [String]? {
    errorOutput.lines(until: text, within: seconds)
  }

  /// Waits for its end and returns its status, 128 and more for a signal; nil where it has not ended after `seconds`.
  ///
  /// What it printed is there by then, unless somebody whom it left behind holds its output open.
  public func waitForExit(within seconds: Double = 10) -> Int32? {
    guard let status = child.wait(within: seconds) else { return nil }
    _ = output.waitForEnd(within: 2)
    _ = errorOutput.waitForEnd(within: 2)
    return status
  }

  /// Sends a signal.
  public func signal(_ number: Int32) { child.send(number) }

  /// Ends it as a crash would, and waits for its end. What it started lives on for now.
  public func kill() {
    signal(SIGKILL)
    _ = child.wait(within: 60)
  }

  /// Runs a program to its end.
  public static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String], input: String = "",
    within seconds: Double = 20
  ) throws -> (status: Int32, output: String, errors: String) {
    let running = try RunningProgram(program, arguments, environment: environment)
    if !input.isEmpty { running.write(input) }
    running.closeInput()
    guard let status = running.waitForExit(within: seconds) else {
      throw TestFailure(
        "'\(program) \(arguments.joined(separator: " "))' did not end in \(seconds) s: \(running.errors)")
    }
    return (status, running.output.text, running.errors)
  }
}

/// The one owner of a child process, which is waited for at once: exit tests look at every child that has ended, and
/// see no other before that one is gone.
private final class Child: Sendable {
  private final class State: @unchecked Sendable {
    // @unchecked: `status` is guarded by the condition. Until it is known, the process's number is nobody else's.
    let condition = NSCondition()
    var status: Int32?
  }

  let processID: pid_t
  private let state = State()

  init(_ path: String, _ arguments: [String], _ environment: [String: String], descriptors: [Int32]) throws {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var processID: pid_t = 0
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for string in words + variables { free(string) } }
    let code = posix_spawn(&processID, path, &actions, &attributes, words, variables)
    guard code == 0 else { throw TestFailure("\(path): \(String(cString: strerror(code)))") }
    self.processID = processID
    let state = state
    Thread.detachNewThread { [processID] in
      var information = siginfo_t()
      while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
      state.condition.withLock {
        waitpid(processID, nil, 0)
        let status = information._sifields._sigchld.si_status
        state.status = information.si_code == Int32(CLD_EXITED) ? status : 128 + status
        state.condition.broadcast()
      }
    }
  }

  deinit {
    // With all that it started, as long as the group has its leader.
    send(SIGKILL, toGroup: true)
    _ = wait(within: 60)
  }

  func send(_ signal: Int32, toGroup: Bool = false) {
    state.condition.withLock {
      if state.status == nil { _ = kill(toGroup ? -processID : processID, signal) }
    }
  }

  var status: Int32? { state.condition.withLock { state.status } }

  func wait(within seconds: Double) -> Int32? {
    let end = Date(timeIntervalSinceNow: seconds)
    return state.condition.withLock {
      while state.status == nil {
        if !state.condition.wait(until: end) { return state.status }
      }
      return state.status
    }
  }
}

/// Collects the lines of one pipe on a thread of its own.
private final class LineCollector: @unchecked Sendable {
  // @unchecked: everything that changes is guarded by `condition`.
  private let condition = NSCondition()
  private var bytes: [UInt8] = []
  private var position = 0
  private var hasEnded = false

  var text: String {
    condition.withLock { String(decoding: bytes, as: UTF8.self) }
  }

  init(_ handle: FileHandle) {
    Thread.detachNewThread { [self] in
      // Not read(upToCount:), which waits until it has all that many bytes.
      while case let data = handle.availableData, !data.isEmpty {
        condition.withLock {
          bytes += data
          condition.broadcast()
        }
      }
      condition.withLock {
        hasEnded = true
        condition.broadcast()
      }
    }
  }

  func next(within seconds: Double) -> String? {
    let end = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while true {
        if let newline = bytes[position...].firstIndex(of: 10) {
          defer { position = newline + 1 }
          return String(decoding: bytes[position..<newline], as: UTF8.self)
        }
        if hasEnded {
          guard position < bytes.count else { return nil }
          defer { position = bytes.count }
          return String(decoding: bytes[position...], as: UTF8.self)
        }
        if !condition.wait(until: end) { return nil }
      }
    }
  }

  func lines(until text: String, within seconds: Double) -> [String]? {
    var lines: [String] = []
    let end = Date(timeIntervalSinceNow: seconds)
    while let line = next(within: end.timeIntervalSinceNow) {
      lines.append(line)
      if line.contains(text) { return lines }
    }
    return nil
  }

  func waitForEnd(within seconds: Double) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while !hasEnded {
        if !condition.wait(until: end) { return hasEnded }
      }
      return true
    }
  }
}
