// SPDX-License-Identifier: Apache-2.0

/// One method of a table: a ``MethodDescription`` with the handler that answers its calls.
///
///     let greet = MethodDescription("Greet", in: ("name", String.self), out: ("text", String.self))
///     let method = Method(greet, bounds: Bounds(bytes: 1024)) { connection, name, call in
///       if name.isEmpty { throw RemoteError("org.example.Error.NoName", "greet whom?") }
///       return "Hello, \(name)"
///     }
///
/// The handler gets the connection, the arguments, and the call. An error that it throws becomes the answer: a
/// ``RemoteError`` is sent unchanged, a ``Refusal`` as the one that it stands for.
///
/// The connection is an `isolated` parameter, so that the handler runs on the connection's loop: it starts in the order
/// of the calls, and is back on the loop after each wait, whatever it captures. The compiler refuses a closure of a
/// global actor, one that is `@concurrent`, and a function without isolation. There is an initializer for each number
/// of arguments, because Swift 6.3 drops the isolation of a closure whose parameters are a pack.
public struct Method: Sendable {
  /// Answers one call whose arguments have been read.
  typealias Run = @Sendable (isolated Connection, IncomingCall, ReplyAddress) async -> Void

  /// Its name.
  public let name: MemberName
  /// The parameters.
  public let inputs: [Argument]
  /// The results.
  public let outputs: [Argument]
  /// The bounds of a call; nil for those of the interface.
  public let bounds: Bounds?
  /// Whether a call may carry descriptors. Those of other calls are not duplicated.
  let takesDescriptors: Bool
  /// The types of the parameters as one signature.
  let signature: Signature
  /// Reads the arguments of a message.
  let read: @Sendable (inout ArgumentReader) throws(BusError) -> Run
  /// Leaves the arguments in a message until the handler reads them; nil if they are read before the handler starts.
  let hold: (@Sendable (HeldMessage) -> Run)?

  init<Input, Output>(
    _ description: MethodDescription<Input, Output>, _ bounds: Bounds?, hold: (@Sendable (HeldMessage) -> Run)? = nil,
    read: @escaping @Sendable (inout ArgumentReader) throws(BusError) -> Run
  ) {
    self.init(
      name: description.name, inputs: description.input.list, outputs: description.output.list, bounds: bounds,
      takesDescriptors: nil, hold: hold, read: read)
  }

  init(
    name: MemberName, inputs: [Argument], outputs: [Argument], bounds: Bounds?, takesDescriptors: Bool?,
    hold: (@Sendable (HeldMessage) -> Run)?,
    read: @escaping @Sendable (inout ArgumentReader) throws(BusError) -> Run
  ) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    self.bounds = bounds
    signature = Signature(unchecked: inputs.map(\.type.text).joined())
    self.takesDescriptors = takesDescriptors ?? signature.text.utf8.contains(UInt8(ascii: "h"))
    self.hold = hold
    self.read = read
  }
}

/// An error that callers receive as a refusal with its own name.
public protocol Refusal: Error {
  /// The error on the bus.
  var refusal: RemoteError { get }
}
