// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// The owner of a service's name, as a ``ServiceFollower`` asks it: each call has a time limit, because a service may
/// hang, and an answer after that limit lets the state be read again. An answer that comes after its reader was
/// stopped is ignored.
struct FollowedService: Sendable {
  let connection: Connection
  let owner: BusName
  /// Called when an answer comes after its time limit.
  let whenLate: @Sendable () -> Void

  /// The time limit of each call.
  static let limit: Duration = .seconds(5)

  @discardableResult
  func call<each Argument: BusType, Output>(
    _ method: MethodDescription<(repeat each Argument), Output>, at path: ObjectPath, _ interface: InterfaceName,
    _ arguments: repeat each Argument
  ) async throws(CallError) -> Output {
    let answer = try await connection.call(
      method, of: RemoteObject(owner, path, interface, startsService: false), repeat each arguments, limit: Self.limit
    ) { [whenLate] _ in whenLate() }
    if Task.isCancelled {
      throw .failed(BusError(.cancelled, "the answer to '\(method.name.text)' came after its reader was stopped"))
    }
    return answer
  }

  /// The properties of an object.
  func properties(of interface: String, at path: ObjectPath) async throws(CallError) -> [String: Value] {
    try await call(StandardInterfaces.getAll, at: path, StandardInterfaces.properties, interface)
  }

  /// The properties of an object that may be gone; nil if it is.
  func currentProperties(of interface: String, at path: ObjectPath) async throws(CallError) -> [String: Value]? {
    do throws(CallError) {
      return try await properties(of: interface, at: path)
    } catch {
      guard case .refused(let refusal) = error, Self.gone.contains(refusal.name) else { throw error }
      return nil
    }
  }

  /// Refusals for an object that does not exist any more.
  private static let gone: Set<ErrorName> = [.unknownObject, .unknownInterface, .unknownMethod]
}
