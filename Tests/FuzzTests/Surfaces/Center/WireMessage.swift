// SPDX-License-Identifier: Apache-2.0
internal import CDBus

@testable import DBus

/// A message as libdbus hands it over after it has come from the bus.
struct WireMessage: ~Copyable {
  private let pointer: OpaquePointer
  /// The length of all of it.
  private let length: Int

  /// Reads the bytes of a message; returns nil if libdbus refuses them, which ends the connection of the sender.
  init?(_ bytes: [UInt8]) {
    let message = bytes.withUnsafeBytes {
      dbus_message_demarshal($0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), nil)
    }
    guard let message else { return nil }
    (pointer, length) = (message, bytes.count)
  }

  /// Makes a message of arguments; returns nil if they may not be sent.
  ///
  /// - Throws: ``Surprise`` if libdbus refuses what ``WireWriter`` has made.
  init?(_ header: MessageHeader, _ arguments: [Value]) throws(Surprise) {
    guard let bytes = Self.bytes(header, arguments) else { return nil }
    self.init(bytes)
  }

  /// Large enough for each bound of the center.
  private static let limit = 8 << 20

  static func bytes(_ header: MessageHeader, _ arguments: [Value]) -> [UInt8]? {
    guard let signature = Signature(arguments.map(\.type.code).joined()) else { return nil }
    do throws(BusError) {
      var writer = try WireWriter(header, serial: 1, signature)
      try writer.add(arguments)
      try writer.finish(limit: limit)
      return writer.bytes
    } catch {
      return nil
    }
  }

  deinit { dbus_message_unref(pointer) }

  var member: String { MessageReader(borrowing: pointer).member?.text ?? "" }

  /// The arguments as values; nil if one cannot be had, such as a descriptor that was not sent.
  ///
  /// - Throws: ``Surprise`` if they are not those of the message.
  func values() throws(Surprise) -> [Value]? {
    let reader = MessageReader(borrowing: pointer)
    let size = reader.size(upTo: 1 << 20)
    try Surprise.unless(0...length ~= size || size > 1 << 20, "\(size) bytes of arguments in a message of \(length)")
    guard let values = try? reader.arguments() else { return nil }
    // Sent on, they are the same: bytes, because NaN does not equal itself.
    let header = MessageHeader("Again", of: RemoteObject("a.b", "/", "a.b"))
    guard let bytes = Self.bytes(header, values) else { throw Surprise("the values \(values) cannot be sent") }
    guard let again = WireMessage(bytes), let second = try? MessageReader(borrowing: again.pointer).arguments() else {
      throw Surprise("the values \(values) are not read back")
    }
    try Surprise.unless(Self.bytes(header, second) == bytes, "the values \(values) are read back as \(second)")
    return values
  }

  /// The arguments as a method reads them; nil if they have other types, or one of them is not valid.
  func read<Input, Output>(_ method: MethodDescription<Input, Output>) -> Input? {
    let message = MessageReader(borrowing: pointer)
    guard message.hasSignature(method.input.signature) else { return nil }
    var reader = ArgumentReader(message)
    return try? method.input.read(from: &reader)
  }
}
