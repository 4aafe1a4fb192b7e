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

  /// A message of values that are checked. Its bytes alone could not carry the descriptors among them.
  static func make(
    _ header: MessageHeader, serial: UInt32, _ values: [Value]
  ) throws(BusError) -> MessageHandle {
    let message = try MessageHandle(owning: dbus_message_new(Int32(header.kind.rawValue)))
    try message.set(header)
    dbus_message_set_serial(message.pointer, serial)
    var appender = MessageAppender(message.pointer)
    for value in values { try appender.append(value) }
    return message
  }

  /// Whether libdbus accepts these bytes as a message.
  static func canRead(_ bytes: [UInt8]) -> Bool {
    do throws(BusError) { _ = try MessageHandle(reading: bytes) } catch { return false }
    return true
  }

  init(reading bytes: [UInt8]) throws(BusError) {
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
