// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization
internal import SystemFiles

/// A child process that ends with this object.
///
/// Foundation's `Process` is unsuitable: it counts a program as running as long as any of its children runs, and waits
/// in a busy loop.
package final class RunningProgram: Sendable {
  private let child: Child
  private let input: FileHandle
  private let output: LineCollector
  private let errorOutput: LineCollector

  /// Starts `program` (a path, or a name in PATH) with exactly this environment, in its own process group that ends
  /// with this object.
  package init(_ program: String, _ arguments: [String] = [], environment: [String: String]) throws {
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
    Foundation.signal(SIGPIPE, SIG_IGN)  // for a program that ends before it reads its input
    // The child's ends close with `pipes`, so the end of the program is the end of the pipe.
  }

  /// A child started between creating a pipe and setting FD_CLOEXEC would keep it open.
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

  /// The path of an installed program; nil if it is not in PATH.
  package static func path(of program: String) -> String? {
    ProgramSearch.current.path(of: program)
  }

  /// The process id.
  package var processID: Int32 { child.processID }

  /// Whether the process still runs.
  package var isRunning: Bool { child.status == nil }

  /// The error output so far.
  package var errors: String { errorOutput.text }

  /// Writes to the standard input.
  package func write(_ text: String) { try? input.write(contentsOf: Data(text.utf8)) }

  /// Closes the standard input.
  package func closeInput() { try? input.close() }

  /// The next line of output; nil at the end or after `seconds`.
  package func readLine(within seconds: Double = 10) -> String? { output.next(within: seconds) }

  /// The lines of output up to one that contains `text`; nil after `seconds`.
  package func readLines(until text: String, within seconds: Double = 10) -> [String]? {
    output.lines(until: text, within: seconds)
  }

  /// The lines of error output up to one that contains `text`; nil after `seconds`.
  package func readErrors(until text: String, within seconds: Double = 10) -> [String]? {
    errorOutput.lines(until: text, within: seconds)
  }

  /// Waits for the end and returns the exit status, 128 and more for a signal; nil after `seconds`.
  ///
  /// All output has arrived by then, unless a surviving child holds it open.
  package func waitForExit(within seconds: Double = 10) -> Int32? {
    guard let status = child.wait(within: seconds) else { return nil }
    _ = output.waitForEnd(within: 2)
    _ = errorOutput.waitForEnd(within: 2)
    return status
  }

  /// Sends a signal.
  package func signal(_ number: Int32) { child.send(number) }

  /// Kills the process and waits for its end. Its children survive for now.
  package func kill() {
    signal(SIGKILL)
    _ = child.wait(within: 60)
  }

  /// Runs a program and waits for its end.
  package static func run(
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

/// A child process that is reaped immediately: exit tests wait for any child, and must not find this one.
private final class Child: Sendable {
  private final class State: @unchecked Sendable {
    // @unchecked: `status` is guarded by the condition. The process id is not reused until the status is set.
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
    // Kill the whole group, as long as its leader exists.
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

/// Collects a pipe's lines on its own thread.
private final class LineCollector: @unchecked Sendable {
  // @unchecked: all mutable state is guarded by `condition`.
  private let condition = NSCondition()
  private var bytes: [UInt8] = []
  private var position = 0
  private var hasEnded = false

  var text: String {
    condition.withLock { String(decoding: bytes, as: UTF8.self) }
  }

  init(_ handle: FileHandle) {
    Thread.detachNewThread { [self] in
      // read(upToCount:) would wait for the full count.
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
