// SPDX-License-Identifier: Apache-2.0
internal import CDBus

/// Owns a libdbus message to be sent; it never crosses an `await`.
struct MessageHandle: ~Copyable {
  let pointer: OpaquePointer

  /// Takes over the reference that libdbus returned; nil means out of memory.
  private init(owning pointer: OpaquePointer?) throws(BusError) {
    guard let pointer else { throw .outOfMemory }
    self.pointer = pointer
  }

  deinit {
    dbus_message_unref(pointer)
  }

  /// Checks the arguments as libdbus and the bus would, and makes a message of them with this `serial`.
  ///
  /// - Parameter values: the arguments as values, for those with descriptors.
  static func make(
    _ header: MessageHeader, serial: UInt32, _ signature: Signature, limit: Int,
    _ write: (inout WireWriter) throws(BusError) -> Void, values: () -> [Value]
  ) throws(BusError) -> MessageHandle {
    let writer = try WireWriter(header, serial: serial, signature, limit: limit, write)
    if writer.unixFDs == 0 { return try MessageHandle(reading: writer.bytes) }
    // Bytes cannot carry descriptors, so libdbus makes such a message from the values, which are checked by now.
    let message = try MessageHandle(owning: dbus_message_new(Int32(header.kind.rawValue)))
    try message.set(header)
    dbus_message_set_serial(message.pointer, serial)
    var appender = MessageAppender(message.pointer)
    for value in values() { try appender.append(value) }
    return message
  }

  private init(reading bytes: [UInt8]) throws(BusError) {
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    let pointer = bytes.withUnsafeBytes { bytes in
      dbus_message_demarshal(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), &error)
    }
    guard let pointer else {
      throw BusError(.invalidValue, error.message.map { String(cString: $0) } ?? "libdbus is out of memory")
    }
    self.pointer = pointer
  }

  private func set(_ header: MessageHeader) throws(BusError) {
    dbus_message_set_no_reply(pointer, header.wantsReply ? 0 : 1)
    dbus_message_set_auto_start(pointer, header.startsService ? 1 : 0)
    // For libdbus, nil removes the field.
    let isSet =
      dbus_message_set_path(pointer, header.path?.text) != 0
      && dbus_message_set_interface(pointer, header.interface?.text) != 0
      && dbus_message_set_member(pointer, header.member?.text) != 0
      && dbus_message_set_error_name(pointer, header.errorName?.text) != 0
      && dbus_message_set_destination(pointer, header.destination?.text) != 0
      && (header.replySerial.map { dbus_message_set_reply_serial(pointer, $0) } ?? 1) != 0
    if !isSet { throw .outOfMemory }
  }
}

extension BusError {
  static let outOfMemory = BusError(.outOfResources, "libdbus is out of memory")
}
