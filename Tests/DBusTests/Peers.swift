// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing

/// Shared by the suites of this target: connections to a private bus, a service of the tests, and external programs.
enum Peers {
  static let name: BusName = "dev.suzu.Test"
  static let path: ObjectPath = "/dev/suzu/Test"
  static let interface: InterfaceName = "dev.suzu.Test1"

  /// The object of the service, for typed calls.
  static let object = RemoteObject(name, path, interface)

  /// The limits of a session bus; a bus without this configuration allows only 128 calls.
  static let sessionLimits = ["max_replies_per_connection": 50_000]

  /// From here on libdbus ends the process at its first warning, so that every invalid call fails.
  static let makeLibraryStrict: Void = { _ = setenv("DBUS_FATAL_WARNINGS", "1", 1) }()

  /// Runs `body` with a server that owns `name` and a client, both on one loop.
  static func withPair(
    _ bus: PrivateBus, _ methods: [DBus.Method] = [], properties: [Property] = [], pacing: CallPacing? = nil,
    _ body: @Sendable (Connection, Connection) async throws -> Void
  ) async throws {
    makeLibraryStrict
    try await withLoop { loop in
      var options = Connection.Options()
      options.callPacing = pacing
      let server = try await bus.connect(on: loop, options)
      let client = try await bus.connect(on: loop)
      try await server.export(Interface(interface, methods: methods, properties: properties), at: path)
      #expect(try await server.requestName(name) == .owner)
      try await body(server, client)
      await client.close()
      await server.close()
    }
  }

  static func call(_ member: MemberName, _ arguments: [Value] = []) -> MethodCall {
    MethodCall(to: name, path, interface, member, arguments)
  }

  /// Returns its arguments, whatever their types.
  static let echo = DBus.Method("Echo", in: ["value": "v"], out: ["value": "v"], takesDescriptors: true) {
    $0.arguments
  }
}

extension PrivateBus {
  /// Sends a message with `dbus-send`; throws if that fails.
  func dbusSend(_ arguments: [String]) throws {
    let result = try RunningProgram.run("dbus-send", ["--session"] + arguments, environment: environment)
    if result.status != 0 { throw TestFailure(result.errors) }
  }

  /// Calls a method of the test's service with `busctl`, as `Echo v s x`, and returns the output.
  func busctl(_ arguments: String...) throws -> String {
    let result = try RunningProgram.run(
      "busctl",
      ["--user", "call", Peers.name.text, Peers.path.text, Peers.interface.text] + arguments, environment: environment)
    return (result.status == 0 ? result.output : result.errors).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Calls a method of the test's service with `gdbus`, and returns the output.
  func gdbus(_ member: String, _ arguments: String..., path: String = Peers.path.text) throws -> String {
    let result = try RunningProgram.run(
      "gdbus", ["call", "--session", "-d", Peers.name.text, "-o", path, "-m", member] + arguments,
      environment: environment)
    return (result.status == 0 ? result.output : result.errors).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// A gate that opens once for all tasks that wait at it.
final class Door: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { waiter in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(waiter) }
        return state.isOpen
      }
      if isOpen { waiter.resume() }
    }
  }
}

/// Values that several threads record.
final class Notes<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  var all: [Element] { elements.withLock { $0 } }
  func add(_ element: Element) { elements.withLock { $0.append(element) } }
}

extension Connection {
  /// The error of the call; nil if it was answered.
  func failure(
    of call: MethodCall, limit: Duration = usualLimit, whenLate: (@Sendable (Result<[Value], CallError>) -> Void)? = nil
  ) async -> CallError? {
    do throws(CallError) {
      try await self.call(call, limit: limit, whenLate: whenLate)
      return nil
    } catch {
      return error
    }
  }
}
