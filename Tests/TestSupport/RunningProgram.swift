// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Why a test's own machinery gave up.
public struct TestFailure: Error, CustomStringConvertible {
  /// What happened.
  public let description: String
  /// With a sentence.
  public init(_ description: String) { self.description = description }
}

/// A program that a test started, and ends.
public final class RunningProgram: @unchecked Sendable {
  // @unchecked: the process object is used by one test at a time; what the reading threads touch is behind the lock.
  private let process = Process()
  private let input = Pipe()
  private let output = LineCollector()
  private let errorOutput = LineCollector()

  /// Starts `program` (a path, or a name to be found in PATH) with exactly this environment.
  public init(_ program: String, _ arguments: [String] = [], environment: [String: String]) throws {
    process.executableURL = URL(filePath: try Self.find(program))
    process.arguments = arguments
    process.environment = environment
    process.standardInput = input
    process.standardOutput = output.pipe
    process.standardError = errorOutput.pipe
    signal(SIGPIPE, SIG_IGN)  // a program that ended before it read its input
    try process.run()
    output.start()
    errorOutput.start()
  }

  deinit {
    if process.isRunning { kill() }
  }

  private static func find(_ program: String) throws -> String {
    if program.contains("/") { return program }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    for folder in folders where FileManager.default.isExecutableFile(atPath: folder + "/" + program) {
      return folder + "/" + program
    }
    throw TestFailure("'\(program)' is not installed")
  }

  /// Its process.
  public var processID: Int32 { process.processIdentifier }

  /// Whether it has not ended.
  public var isRunning: Bool { process.isRunning }

  /// Everything that it has printed to its error output.
  public var errors: String { errorOutput.text }

  /// Writes to its input.
  public func write(_ text: String) { try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Ends its input.
  public func closeInput() { try? input.fileHandleForWriting.close() }

  /// The next line of its output; nil after `seconds`, or at the end.
  public func readLine(within seconds: Double = 10) -> String? { output.next(within: seconds) }

  /// The lines of its output up to one that contains `text`; nil where none comes within `seconds`.
  public func readLines(until text: String, within seconds: Double = 10) -> [String]? {
    var lines: [String] = []
    let end = Date(timeIntervalSinceNow: seconds)
    while let line = output.next(within: end.timeIntervalSinceNow) {
      lines.append(line)
      if line.contains(text) { return lines }
    }
    return nil
  }

  /// Waits for its end; nil where it has not ended after `seconds`.
  public func waitForExit(within seconds: Double = 10) -> Int32? {
    guard output.waitForEnd(within: seconds) else { return nil }
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// Sends a signal.
  public func signal(_ number: Int32) { Foundation.kill(process.processIdentifier, number) }

  private func signal(_ number: Int32, _ handler: sighandler_t?) { _ = Foundation.signal(number, handler) }

  /// Ends it as a crash would, and waits for its end.
  public func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
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
      running.kill()
      throw TestFailure("'\(program) \(arguments.joined(separator: " "))' did not end in \(seconds) s")
    }
    _ = running.errorOutput.waitForEnd(within: seconds)
    return (status, running.output.text, running.errors)
  }
}

/// Collects the lines of one pipe on a thread of its own.
private final class LineCollector: @unchecked Sendable {
  // @unchecked: everything that changes is guarded by `condition`.
  let pipe = Pipe()
  private let condition = NSCondition()
  private var bytes: [UInt8] = []
  private var position = 0
  private var hasEnded = false

  var text: String {
    condition.withLock { String(decoding: bytes, as: UTF8.self) }
  }

  func start() {
    try? pipe.fileHandleForWriting.close()  // ours; the program has its own, and its end is the pipe's end
    let handle = pipe.fileHandleForReading
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
