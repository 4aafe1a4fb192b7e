// SPDX-License-Identifier: Apache-2.0

/// Calls without a description, for a method that a program calls in one place.
extension Connection {
  /// Calls a method, and returns its results as these types.
  ///
  ///     let server = RemoteObject(
  ///       "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications")
  ///     let id = try await bus.call(
  ///       "Notify", of: server, "", UInt32(0), "", "Tea", "is ready", [String](), [String: Value](), Int32(-1),
  ///       returning: UInt32.self)
  ///
  /// The Swift types of the arguments give the signature: see ``BusType``.
  @discardableResult
  public nonisolated func call<each Argument: BusType, each Output: BusType>(
    _ name: MemberName, of object: RemoteObject, _ arguments: repeat each Argument,
    returning results: repeat (each Output).Type, limit: Duration = usualLimit
  ) async throws(CallError) -> (repeat each Output) {
    // Not isolated, because Swift 6.3 does not see that a tuple of a pack is `Sendable`.
    let method = MethodDescription(
      name, in: repeat (name: "", type: (each Argument).self), out: repeat (name: "", type: each results))
    return try await call(method, of: object, repeat each arguments, limit: limit)
  }

  /// The signals of that description of an object, in order of arrival, from the moment this returns.
  ///
  ///     let server = RemoteObject(
  ///       "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications")
  ///     let closed = SignalDescription("NotificationClosed", ("id", UInt32.self), ("reason", UInt32.self))
  ///     for try await (id, reason) in try await bus.signals(closed, of: server) { print(id, reason) }
  ///
  /// Only those of the current owner of the name count; those with other types are left out. See ``SignalStream``.
  public func signals<Values: Sendable>(
    _ description: SignalDescription<Values>, of object: RemoteObject
  ) async throws(CallError) -> AsyncCompactMapSequence<SignalStream, Values> {
    let rule = MatchRule(
      sender: object.peer, path: object.path, interface: object.interface, member: description.name)
    return try await signals(matching: rule).compactMap { $0.arguments(as: description) }
  }

  /// Sends a signal of one of our objects to everyone who listens.
  public func emit<each Argument: BusType>(
    _ description: SignalDescription<(repeat each Argument)>, from path: ObjectPath, _ interface: InterfaceName,
    _ arguments: repeat each Argument
  ) throws(BusError) {
    try emit(Signal(description, path, interface, repeat each arguments))
  }
}
