// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import ConditionSources

/// A source on a private bus, which stands for the bus of the system and for that of the session.
struct SourceStand {
  let loop: EventLoop
  let bus: PrivateBus
  let session: Connection
  let link: SystemBusLink

  init(_ bus: PrivateBus, _ loop: EventLoop) async throws {
    self.loop = loop
    self.bus = bus
    session = try await bus.connect(on: loop)
    link = SystemBusLink(try BusAddress(bus.address), on: loop)
  }

  /// Watches a condition, and returns what is observed, in order.
  func watch(_ source: any ConditionSource, _ line: String) throws -> Reader<Observation> {
    #expect(source.observes(try Condition(line).subject))
    return try source.observations(of: line)
  }

  /// Starts a service of python-dbusmock, and waits until it owns its name.
  func mock(_ template: String, _ name: BusName, _ parameters: String = "{}") async throws -> RunningProgram {
    var environment = bus.environment
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
    var owners = try await session.owners(of: name).makeAsyncIterator()
    let program = try RunningProgram(
      "/usr/bin/python3", ["-m", "dbusmock", "--template", template, "--parameters", parameters],
      environment: environment)
    while let owner = await owners.next(isolation: #isolation), owner == nil {}
    return program
  }

  /// Calls a method of a mock.
  @discardableResult
  func call(_ name: BusName, _ path: ObjectPath, _ member: MemberName, _ arguments: [Value]) async throws -> [Value] {
    try await session.call(MethodCall(to: name, path, "org.freedesktop.DBus.Mock", member, arguments))
  }

  /// Lets a mock change properties, with a signal.
  func update(
    _ name: BusName, _ path: ObjectPath, _ interface: String, _ properties: [String: Value]
  ) async throws {
    try await call(name, path, "UpdateProperties", [.string(interface), .properties(properties)])
  }

  /// Reads until the service is seen to have ended, and returns that reason. A reading that was under way when it
  /// ended fails first, for another reason.
  static func ended(_ reader: Reader<Observation>) async -> String? {
    while let observation = await reader.next() {
      if case .unknown(let reason) = observation, reason.hasSuffix("is not running") { return reason }
    }
    return nil
  }

  /// The next observation that is not of an unknown state.
  static func known(_ reader: Reader<Observation>) async -> Observation? {
    while let observation = await reader.next() {
      if case .unknown = observation { continue }
      return observation
    }
    return nil
  }
}

extension ConditionSource {
  /// Watches a condition, and returns what is observed, in order.
  func observations(of line: String) throws -> Reader<Observation> {
    let subject = try Condition(line).subject
    let (observations, observe) = AsyncStream<Observation>.makeStream()
    let before = whenObserved
    whenObserved = {
      before($0, $1)
      if $0 == subject { observe.yield($1) }
    }
    watch(subject)
    return Reader(observations)
  }
}
