// SPDX-License-Identifier: Apache-2.0

/// A method as both sides know it: its name, and the names and Swift types of its arguments and results.
///
///     let cancel = MethodDescription(
///       "Cancel", in: ("app", String.self), ("ids", [String].self), out: ("count", UInt32.self))
///
/// A ``Method`` answers it, and ``Connection/call(_:of:_:limit:)`` calls it. The signatures, the introspection,
/// the check and the conversion of the arguments follow from the types.
public struct MethodDescription<Input: Sendable, Output: Sendable>: Sendable {
  /// Its name.
  public let name: MemberName
  let input: Arguments<Input>
  let output: Arguments<Output>

  /// Creates a description.
  public init<each Parameter: BusType, each Result: BusType>(
    _ name: MemberName, in parameters: repeat (name: String, type: (each Parameter).Type),
    out results: repeat (name: String, type: (each Result).Type)
  ) where Input == (repeat each Parameter), Output == (repeat each Result) {
    self.name = name
    input = Arguments(repeat each parameters)
    output = Arguments(repeat each results)
  }
}

/// A signal as both sides know it: its name, and the names and Swift types of its arguments.
///
///     let closed = SignalDescription("Closed", ("app", String.self), ("id", String.self))
public struct SignalDescription<Values: Sendable>: DescribedSignal {
  /// Its name.
  public let name: MemberName
  let values: Arguments<Values>
  /// The names and types of the arguments.
  public var arguments: [Argument] { values.list }

  /// Creates a description.
  public init<each Element: BusType>(
    _ name: MemberName, _ arguments: repeat (name: String, type: (each Element).Type)
  ) where Values == (repeat each Element) {
    self.name = name
    values = Arguments(repeat each arguments)
  }
}

/// A ``SignalDescription`` of any types, for introspection.
public protocol DescribedSignal: Sendable {
  /// The signal's name.
  var name: MemberName { get }
  /// The names and types of the arguments.
  var arguments: [Argument] { get }
}
