// SPDX-License-Identifier: Apache-2.0
internal import CDBus

/// Reads the values of one message, or of one container in it, in order.
///
/// Its message is borrowed, and every read assumes that the signature has been compared.
public struct ArgumentReader: ~Copyable {
  var iterator: DBusMessageIter

  init(_ message: borrowing MessageReader) {
    iterator = DBusMessageIter()
    dbus_message_iter_init(message.pointer, &iterator)
  }

  init(_ iterator: DBusMessageIter) { self.iterator = iterator }

  var isAtEnd: Bool {
    mutating get { dbus_message_iter_get_arg_type(&iterator) == TypeCode.end }
  }

  mutating func skip() { dbus_message_iter_next(&iterator) }

  /// Reads a number of fixed size.
  mutating func number<T: BitwiseCopyable>(_ zero: T) -> T {
    var value = zero
    dbus_message_iter_get_basic(&iterator, &value)
    dbus_message_iter_next(&iterator)
    return value
  }

  mutating func text() -> String {
    var start: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &start)
    // libdbus sets it for each of the three text types, and has checked the UTF-8.
    let text = String(cString: start!)
    dbus_message_iter_next(&iterator)
    return text
  }

  mutating func descriptor() throws(BusError) -> UnixFD {
    let descriptor = try MessageReader.descriptor(&iterator)
    dbus_message_iter_next(&iterator)
    return descriptor
  }

  mutating func bytes() -> [UInt8] {
    let bytes = MessageReader.byteArray(&iterator)
    dbus_message_iter_next(&iterator)
    return bytes
  }

  /// Reads a value of any type.
  mutating func value() throws(BusError) -> Value {
    let value = try MessageReader.value(&iterator, dbus_message_iter_get_arg_type(&iterator))
    dbus_message_iter_next(&iterator)
    return value
  }

  /// Returns a reader of the container's contents, and moves on behind it.
  mutating func enter() -> ArgumentReader {
    var inside = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inside)
    dbus_message_iter_next(&iterator)
    return ArgumentReader(inside)
  }
}
