// SPDX-License-Identifier: Apache-2.0

/// The interface of an exported object: a table of methods, signals and properties.
///
///     let roll = MethodDescription("Roll", out: ("eyes", Int32.self))
///     let dice = Interface("org.example.Dice", methods: [Method(roll) { _, _ in Int32.random(in: 1...6) }])
///     try await bus.serve(dice, at: "/org/example/Dice", as: "org.example.Dice")
///
/// The table is the contract: introspection is generated from it, and a call with other types than it declares never
/// reaches a handler.
public struct Interface: Sendable {
  /// Its name.
  public let name: InterfaceName
  /// The methods.
  public let methods: [Method]
  /// The signals, for introspection only.
  public let signals: [any DescribedSignal]
  /// The properties.
  public let properties: [Property]
  /// The bounds of calls to methods without bounds of their own.
  public let bounds: Bounds

  /// Creates a table.
  public init(
    _ name: InterfaceName, bounds: Bounds = .message, methods: [Method] = [], signals: [any DescribedSignal] = [],
    properties: [Property] = []
  ) {
    self.name = name
    self.bounds = bounds
    self.methods = methods
    self.signals = signals
    self.properties = properties
  }

  subscript(member: MemberName) -> Method? { methods.first { $0.name == member } }
}
