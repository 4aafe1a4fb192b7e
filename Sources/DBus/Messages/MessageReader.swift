// SPDX-License-Identifier: Apache-2.0
internal import CDBus
internal import Glibc

/// Reads a message whose names, strings and nesting libdbus has validated.
///
/// Borrows the message during a callback and returns Swift values.
struct MessageReader: ~Copyable, @unchecked Sendable {
  // @unchecked: it cannot be copied and is only borrowed, within one callback on the loop's thread.
  let pointer: OpaquePointer

  init(borrowing pointer: OpaquePointer) {
    self.pointer = pointer
  }

  var kind: Int32 { dbus_message_get_type(pointer) }
  var serial: UInt32 { dbus_message_get_serial(pointer) }
  var replySerial: UInt32 { dbus_message_get_reply_serial(pointer) }
  var wantsReply: Bool { dbus_message_get_no_reply(pointer) == 0 }
  var sender: BusName? { dbus_message_get_sender(pointer).map { BusName(unchecked: String(cString: $0)) } }
  var destination: BusName? { dbus_message_get_destination(pointer).map { BusName(unchecked: String(cString: $0)) } }
  var path: ObjectPath? { dbus_message_get_path(pointer).map { ObjectPath(unchecked: String(cString: $0)) } }
  var interface: InterfaceName? {
    dbus_message_get_interface(pointer).map { InterfaceName(unchecked: String(cString: $0)) }
  }
  var member: MemberName? { dbus_message_get_member(pointer).map { MemberName(unchecked: String(cString: $0)) } }
  var errorName: ErrorName? { dbus_message_get_error_name(pointer).map { ErrorName(unchecked: String(cString: $0)) } }

  /// Whether the bus reports `name` as the sender; compares without creating a string.
  func isFrom(_ name: BusName) -> Bool { dbus_message_has_sender(pointer, name.text) != 0 }

  func hasSignature(_ signature: Signature) -> Bool {
    dbus_message_has_signature(pointer, signature.text) != 0
  }

  /// Whether the first arguments have these types. No type's code begins another one's.
  func beginsWith(_ signature: Signature) -> Bool {
    strncmp(dbus_message_get_signature(pointer), signature.text, signature.text.utf8.count) == 0
  }

  var signature: String { String(cString: dbus_message_get_signature(pointer)) }

  var isDisconnection: Bool {
    dbus_message_is_signal(pointer, "org.freedesktop.DBus.Local", "Disconnected") != 0
  }

  /// The arguments, copied out.
  func arguments() throws(BusError) -> [Value] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(pointer, &iterator) != 0 else { return [] }
    return try Self.values(&iterator)
  }

  /// Returns the first element of the argument at `index`, which is an array.
  func elements(of index: Int) -> DBusMessageIter {
    var iterator = argument(index)
    var inside = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inside)
    return inside
  }

  private func argument(_ index: Int) -> DBusMessageIter {
    var iterator = DBusMessageIter()
    dbus_message_iter_init(pointer, &iterator)
    for _ in 0..<index { dbus_message_iter_next(&iterator) }
    return iterator
  }

  static func values(_ iterator: inout DBusMessageIter) throws(BusError) -> [Value] {
    var values: [Value] = []
    while true {
      let type = dbus_message_iter_get_arg_type(&iterator)
      if type == TypeCode.end { return values }
      values.append(try value(&iterator, type))
      dbus_message_iter_next(&iterator)
    }
  }

  static func value(_ iterator: inout DBusMessageIter, _ type: Int32) throws(BusError) -> Value {
    switch type {
    case TypeCode.byte: .byte(basic(&iterator, 0))
    case TypeCode.boolean: .boolean(basic(&iterator, dbus_bool_t(0)) != 0)
    case TypeCode.int16: .int16(basic(&iterator, 0))
    case TypeCode.uint16: .uint16(basic(&iterator, 0))
    case TypeCode.int32: .int32(basic(&iterator, 0))
    case TypeCode.uint32: .uint32(basic(&iterator, 0))
    case TypeCode.int64: .int64(basic(&iterator, 0))
    case TypeCode.uint64: .uint64(basic(&iterator, 0))
    case TypeCode.double: .double(basic(&iterator, 0))
    case TypeCode.string: .string(text(&iterator))
    case TypeCode.objectPath: .objectPath(ObjectPath(unchecked: text(&iterator)))
    case TypeCode.signature: .signature(Signature(unchecked: text(&iterator)))
    case TypeCode.unixFD: .unixFD(try descriptor(&iterator))
    case TypeCode.variant: try variant(&iterator)
    case TypeCode.structure: .structure(try inside(&iterator))
    default: try array(&iterator)  // libdbus knows no other type
    }
  }

  private static func basic<T: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ zero: T) -> T {
    var value = zero
    dbus_message_iter_get_basic(&iterator, &value)
    return value
  }

  private static func text(_ iterator: inout DBusMessageIter) -> String {
    var start: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &start)
    // libdbus sets it for each of the three text types, and has checked the UTF-8.
    return String(cString: start!)
  }

  static func descriptor(_ iterator: inout DBusMessageIter) throws(BusError) -> UnixFD {
    let number: Int32 = basic(&iterator, -1)  // a duplicate, ours to close
    guard number >= 0 else { throw BusError(.outOfResources, "no descriptor left for one received from the bus") }
    return UnixFD(owning: number)
  }

  private static func variant(_ iterator: inout DBusMessageIter) throws(BusError) -> Value {
    var inside = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inside)
    return .variant(try value(&inside, dbus_message_iter_get_arg_type(&inside)))
  }

  private static func inside(_ iterator: inout DBusMessageIter) throws(BusError) -> [Value] {
    var inside = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inside)
    return try values(&inside)
  }

  private static func array(_ iterator: inout DBusMessageIter) throws(BusError) -> Value {
    switch dbus_message_iter_get_element_type(&iterator) {
    case TypeCode.byte: return .bytes(byteArray(&iterator))
    case TypeCode.string: return .array(of: .string, try inside(&iterator))
    case TypeCode.variant: return .array(of: .variant, try inside(&iterator))
    case TypeCode.entry: return .dictionary(try dictionary(&iterator))
    default:
      // The signature has the element's type even if the array is empty.
      guard case .array(let element) = type(&iterator) else { throw untyped }
      return .array(of: element, try inside(&iterator))
    }
  }

  static func byteArray(_ iterator: inout DBusMessageIter) -> [UInt8] {
    var inside = DBusMessageIter()
    var start: UnsafePointer<UInt8>?
    var count: Int32 = 0
    dbus_message_iter_recurse(&iterator, &inside)
    dbus_message_iter_get_fixed_array(&inside, &start, &count)
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  static func dictionary(_ iterator: inout DBusMessageIter) throws(BusError) -> DictionaryValue {
    var entries = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &entries)
    var result = DictionaryValue(keyType: .string, valueType: .variant, entries: [])
    var isUsual = true
    // Most dictionaries have a few entries; growing for each would take longer than reading them. Sixty million bytes
    // of empty ones reserve nothing.
    if dbus_message_iter_get_arg_type(&entries) != TypeCode.end { result.entries.reserveCapacity(8) }
    while dbus_message_iter_get_arg_type(&entries) != TypeCode.end {
      // libdbus guarantees that an entry has two parts.
      var entry = DBusMessageIter()
      dbus_message_iter_recurse(&entries, &entry)
      let key = try value(&entry, dbus_message_iter_get_arg_type(&entry))
      dbus_message_iter_next(&entry)
      let value = try value(&entry, dbus_message_iter_get_arg_type(&entry))
      if !key.hasType(.string) || !value.hasType(.variant) { isUsual = false }
      result.entries.append(.init(key: key, value: value))
      dbus_message_iter_next(&entries)
    }
    if isUsual && !result.entries.isEmpty { return result }
    guard case .dictionary(let key, let value) = type(&iterator) else { throw untyped }
    result.keyType = key
    result.valueType = value
    return result
  }

  private static var untyped: BusError { BusError(.unexpectedReply, "libdbus returned an array of an unknown type") }

  private static func type(_ iterator: inout DBusMessageIter) -> ValueType? {
    guard let code = dbus_message_iter_get_signature(&iterator) else { return nil }
    defer { dbus_free(code) }
    if strcmp(code, "a{sv}") == 0 { return .dictionary(.string, .variant) }
    return Signature(unchecked: String(cString: code)).singleType
  }
}
