// SPDX-License-Identifier: Apache-2.0

/// A received call with its arguments as values.
@dynamicMemberLookup package struct UntypedCall: Sendable {
  let call: IncomingCall
  package let arguments: [Value]

  package subscript<T>(dynamicMember path: any KeyPath<IncomingCall, T> & Sendable) -> T { call[keyPath: path] }
}

/// Rows whose types are known only when the program runs: for the peers of tests, which also answer with wrong ones.
extension Method {
  package init(
    _ name: MemberName, in inputs: KeyValuePairs<String, Signature> = [:],
    out outputs: KeyValuePairs<String, Signature> = [:], bounds: Bounds? = nil, takesDescriptors: Bool? = nil,
    _ handler: @escaping @Sendable (UntypedCall) async throws -> [Value]
  ) {
    let output = Arguments(Argument.list(outputs))
    self.init(
      name: name, inputs: Argument.list(inputs), outputs: output.list, bounds: bounds,
      takesDescriptors: takesDescriptors, hold: nil
    ) { (reader) throws(BusError) in
      let arguments = try MessageReader.values(&reader.iterator)
      return { connection, call, address in
        await connection.answer(address, output) { _ in
          let results = try await handler(UntypedCall(call: call, arguments: arguments))
          try Self.check(results, output, of: name)
          return results
        }
      }
    }
  }

  /// A result of the wrong type is the handler's mistake, not the caller's; the error tells so.
  private static func check(_ results: [Value], _ output: Arguments<[Value]>, of name: MemberName) throws(BusError) {
    let types = output.signature.types
    if results.count == types.count, zip(results, types).allSatisfy({ $0.hasType($1) }) { return }
    throw BusError(
      .invalidValue, "'\(name)' must return '\(output.signature)', not '\(results.map(\.type.code).joined())'")
  }
}

extension Arguments where Values == [Value] {
  fileprivate convenience init(_ list: [Argument]) {
    self.init(
      list, reading: { (reader) throws(BusError) in try MessageReader.values(&reader.iterator) },
      writing: { (values, writer) throws(BusError) in try writer.add(values) }, packing: { $0 }, unpacking: { $0 })
  }
}

extension Property {
  package init(
    _ name: MemberName, _ type: Signature, changes: Changes = .announced,
    set setter: (@Sendable (Value) async throws -> Void)? = nil,
    get getter: @escaping @Sendable () async throws -> Value
  ) {
    self.init(
      name, type.singleType ?? .variant, changes,
      set: setter.map { setter -> Setter in { _, value in try await setter(value) } },
      get: { _, _ in try await getter() })
  }
}

extension Argument {
  fileprivate static func list(_ arguments: KeyValuePairs<String, Signature>) -> [Argument] {
    arguments.map { Argument(name: $0.key, type: $0.value) }
  }
}
