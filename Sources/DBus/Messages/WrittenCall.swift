// SPDX-License-Identifier: Apache-2.0

/// A method call whose message was written once, to be sent again and again. Each time, a number takes the place of one
/// of its arguments.
public struct WrittenCall: Sendable {
  let header: MessageHeader
  private var writer: WireWriter
  /// Where the number stands.
  private let place: Int
  /// Where the number of the message stands, according to the specification.
  private static let serialPlace = 8

  init<each Argument: BusType>(
    _ header: MessageHeader, _ signature: Signature, changing index: Int, limit: Int,
    _ arguments: repeat each Argument
  ) throws(BusError) {
    // The serial number of each call takes the place of this one.
    var writer = try WireWriter(header, serial: 1, signature)
    var (place, rest) = (0, index)
    repeat try Self.write(each arguments, to: &writer, &rest, &place)
    try writer.finish(limit: limit)
    guard writer.unixFDs == 0 else {
      throw BusError(.invalidValue, "a message with descriptors cannot be sent again")
    }
    self.header = header
    self.place = place
    self.writer = writer
  }

  /// Writes an argument, and counts it. `rest` is 0 for the one that is the number.
  private static func write<Argument: BusType>(
    _ argument: Argument, to writer: inout WireWriter, _ rest: inout Int, _ place: inout Int
  ) throws(BusError) {
    try argument.write(to: &writer)
    // It ends with the number, whatever was needed to align it.
    if rest == 0 { place = writer.count - 4 }
    rest -= 1
  }

  var bytes: [UInt8] { writer.bytes }

  /// The size of the message in bytes.
  public var count: Int { writer.count }

  mutating func set(serial: UInt32, number: UInt32) {
    writer.patch(serial, at: Self.serialPlace)
    writer.patch(number, at: place)
  }
}

extension Connection {
  /// Writes a call for ``send(_:_:as:limit:answered:whenLate:)``. `index` is the place among the arguments, from 0, of
  /// the one that each call replaces: a `UInt32`.
  public func write<each Argument: BusType, Output>(
    _ method: MethodDescription<(repeat each Argument), Output>, of object: RemoteObject, changing index: Int,
    _ arguments: repeat each Argument
  ) throws(CallError) -> WrittenCall {
    do throws(BusError) {
      return try WrittenCall(
        MessageHeader(method.name, of: object), method.input.signature, changing: index, limit: options.longestMessage,
        repeat each arguments)
    } catch {
      throw .failed(error)
    }
  }

  /// Sends a call with that number, and does not wait for the answer.
  ///
  /// Unless this throws, `answered` is called once, on the connection's loop: with the results before the next message
  /// is handled, so in the order of the answers; or with the reason why there are none. `whenLate` is that of
  /// ``call(_:of:_:limit:whenLate:)``.
  public func send<Input, Output>(
    _ call: inout WrittenCall, _ number: UInt32, as method: MethodDescription<Input, Output>,
    limit: Duration = usualLimit, answered: @escaping @Sendable (Result<Output, CallError>) -> Void,
    whenLate: @escaping @Sendable (Result<Output, CallError>) -> Void
  ) throws(CallError) {
    let (transport, serial) = (try openTransport(), nextSerial())
    call.set(serial: serial, number: number)
    do throws(BusError) { try transport.send(call.bytes) } catch { throw .failed(error) }
    expectReply(to: call.header, serial, limit: limit, whenLate: { whenLate($0.read(method)) }) {
      answered($0.read(method))
    }
  }
}
