// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import Glibc

extension MessageReader {
  /// Whether the message has descriptors. libdbus owns them; each that is read is duplicated.
  var hasDescriptors: Bool { dbus_message_contains_unix_fds(pointer) != 0 }

  /// The size of the arguments in the message in bytes, without padding; counting stops above `limit`.
  ///
  /// libdbus does not tell the length of the body, but an array begins with its length, so large arguments are counted
  /// without reading them.
  func size(upTo limit: Int) -> Int {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(pointer, &iterator) != 0 else { return 0 }
    var size = 0
    Self.count(&iterator, &size, upTo: limit)
    return size
  }

  /// Counts to the end of the message, or of the container that the iterator entered.
  private static func count(_ iterator: inout DBusMessageIter, _ size: inout Int, upTo limit: Int) {
    while size <= limit {
      let type = dbus_message_iter_get_arg_type(&iterator)
      if type == TypeCode.end { return }
      size += length(&iterator, type, upTo: limit - size)
      dbus_message_iter_next(&iterator)
    }
  }

  /// The size of the iterator's current value in bytes.
  static func length(_ iterator: inout DBusMessageIter, _ type: Int32, upTo limit: Int) -> Int {
    switch type {
    case TypeCode.byte: return 1
    case TypeCode.int16, TypeCode.uint16: return 2
    case TypeCode.boolean, TypeCode.int32, TypeCode.uint32, TypeCode.unixFD: return 4
    case TypeCode.int64, TypeCode.uint64, TypeCode.double: return 8
    case TypeCode.string, TypeCode.objectPath, TypeCode.signature:
      var start: UnsafePointer<CChar>?
      dbus_message_iter_get_basic(&iterator, &start)
      // Its length, in four bytes or in one, and the NUL that ends it.
      return (type == TypeCode.signature ? 2 : 5) + (start.map { strlen($0) } ?? 0)
    case TypeCode.array:
      var inside = DBusMessageIter()
      dbus_message_iter_recurse(&iterator, &inside)
      return 4 + Int(bus_bytes_of_array(&inside))
    default:
      // A variant or a structure has few or large parts. A variant's signature counts as one letter.
      var inside = DBusMessageIter()
      dbus_message_iter_recurse(&iterator, &inside)
      var size = type == TypeCode.variant ? 3 : 0
      count(&inside, &size, upTo: limit)
      return size
    }
  }
}
