// SPDX-License-Identifier: Apache-2.0

/// A method call whose types are known only when the program runs: for tests, which also send wrong ones.
package struct MethodCall: Hashable, Sendable {
  package var object: RemoteObject
  package var member: MemberName
  package var arguments: [Value]

  package init(
    to peer: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
    _ arguments: [Value] = [], startsService: Bool = true
  ) {
    object = RemoteObject(peer, path, interface, startsService: startsService)
    self.member = member
    self.arguments = arguments
  }

  /// A call to the bus itself.
  package static func toBus(_ member: MemberName, _ arguments: [Value] = []) -> MethodCall {
    MethodCall(to: .bus, RemoteObject.bus.path, RemoteObject.bus.interface, member, arguments)
  }
}

extension Connection {
  @discardableResult
  package func call(
    _ call: MethodCall, limit: Duration = usualLimit,
    whenLate: (@Sendable (Result<[Value], CallError>) -> Void)? = nil
  ) async throws(CallError) -> [Value] {
    let sent = try begin(
      MessageHeader(call.member, of: call.object), values: call.arguments, limit, on: try openTransport(),
      whenLate: whenLate.map { whenLate -> LateReplyHandler in { whenLate(Self.values($0)) } })
    return try await reply(to: sent).values()
  }

  private static func values(_ reply: Reply) -> Result<[Value], CallError> {
    do throws(CallError) { return .success(try reply.get().values()) } catch { return .failure(error) }
  }

  package func post(_ call: MethodCall) throws(BusError) {
    try send(
      MessageHeader(call.member, of: call.object, wantsReply: false), nextSerial(), values: call.arguments,
      on: try openTransportForSending())
  }
}

extension WireWriter {
  mutating func add(_ values: [Value]) throws(BusError) {
    for value in values { try add(value, depth: 0) }
  }
}
