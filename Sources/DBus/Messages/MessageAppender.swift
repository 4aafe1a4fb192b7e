// SPDX-License-Identifier: Apache-2.0
internal import CDBus

/// Appends checked values to a libdbus message, for values with descriptors. Its iterators live only during one call of
/// ``append(_:)``.
struct MessageAppender {
  private var iterator = DBusMessageIter()

  init(_ message: OpaquePointer) {
    dbus_message_iter_init_append(message, &iterator)
  }

  mutating func append(_ value: Value) throws(BusError) {
    try Self.append(value, to: &iterator)
  }

  private static func append(_ value: Value, to iterator: inout DBusMessageIter) throws(BusError) {
    switch value {
    case .byte(let number): try appendBasic(number, TypeCode.byte, to: &iterator)
    case .boolean(let flag): try appendBasic(dbus_bool_t(flag ? 1 : 0), TypeCode.boolean, to: &iterator)
    case .int16(let number): try appendBasic(number, TypeCode.int16, to: &iterator)
    case .uint16(let number): try appendBasic(number, TypeCode.uint16, to: &iterator)
    case .int32(let number): try appendBasic(number, TypeCode.int32, to: &iterator)
    case .uint32(let number): try appendBasic(number, TypeCode.uint32, to: &iterator)
    case .int64(let number): try appendBasic(number, TypeCode.int64, to: &iterator)
    case .uint64(let number): try appendBasic(number, TypeCode.uint64, to: &iterator)
    case .double(let number): try appendBasic(number, TypeCode.double, to: &iterator)
    case .string(let text): try appendText(text, TypeCode.string, to: &iterator)
    case .objectPath(let path): try appendText(path.text, TypeCode.objectPath, to: &iterator)
    case .signature(let signature): try appendText(signature.text, TypeCode.signature, to: &iterator)
    case .unixFD(let descriptor): try append(descriptor, to: &iterator)
    case .variant(let inner):
      try appendContainer(TypeCode.variant, inner.type.code, to: &iterator) { inside throws(BusError) in
        try append(inner, to: &inside)
      }
    case .bytes(let bytes):
      try appendContainer(TypeCode.array, "y", to: &iterator) { inside throws(BusError) in
        try append(bytes, to: &inside)
      }
    case .array(let element, let values):
      try appendContainer(TypeCode.array, element.code, to: &iterator) { inside throws(BusError) in
        for value in values { try append(value, to: &inside) }
      }
    case .structure(let fields):
      try appendContainer(TypeCode.structure, nil, to: &iterator) { inside throws(BusError) in
        for field in fields { try append(field, to: &inside) }
      }
    case .dictionary(let dictionary):
      try append(dictionary, to: &iterator)
    }
  }

  private static func append(_ dictionary: DictionaryValue, to iterator: inout DBusMessageIter) throws(BusError) {
    let entryCode = "{" + dictionary.keyType.code + dictionary.valueType.code + "}"
    try appendContainer(TypeCode.array, entryCode, to: &iterator) { entries throws(BusError) in
      for entry in dictionary.entries {
        try appendContainer(TypeCode.entry, nil, to: &entries) { inside throws(BusError) in
          try append(entry.key, to: &inside)
          try append(entry.value, to: &inside)
        }
      }
    }
  }

  private static func append(_ bytes: [UInt8], to iterator: inout DBusMessageIter) throws(BusError) {
    let isAppended = bytes.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      // An empty array may have no address, which libdbus would dereference.
      return buffer.isEmpty
        || dbus_message_iter_append_fixed_array(&iterator, TypeCode.byte, &start, Int32(buffer.count)) != 0
    }
    guard isAppended else { throw .outOfMemory }
  }

  private static func append(_ descriptor: UnixFD, to iterator: inout DBusMessageIter) throws(BusError) {
    var number = descriptor.number
    guard dbus_message_iter_append_basic(&iterator, TypeCode.unixFD, &number) != 0 else {
      throw BusError(.outOfResources, "the descriptor \(number) cannot be duplicated: closed, or none left")
    }
  }

  private static func appendBasic<T: BitwiseCopyable>(
    _ value: T, _ code: Int32, to iterator: inout DBusMessageIter
  ) throws(BusError) {
    var value = value
    guard dbus_message_iter_append_basic(&iterator, code, &value) != 0 else { throw .outOfMemory }
  }

  private static func appendText(
    _ text: String, _ code: Int32, to iterator: inout DBusMessageIter
  ) throws(BusError) {
    let isAppended = text.withCString { characters in
      var start: UnsafePointer<CChar>? = characters
      return dbus_message_iter_append_basic(&iterator, code, &start) != 0
    }
    guard isAppended else { throw .outOfMemory }
  }

  private static func appendContainer(
    _ type: Int32, _ contents: String?, to iterator: inout DBusMessageIter,
    _ body: (inout DBusMessageIter) throws(BusError) -> Void
  ) throws(BusError) {
    var inside = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, type, contents, &inside) != 0 else { throw .outOfMemory }
    do throws(BusError) {
      try body(&inside)
    } catch {
      dbus_message_iter_abandon_container(&iterator, &inside)
      throw error
    }
    guard dbus_message_iter_close_container(&iterator, &inside) != 0 else { throw .outOfMemory }
  }
}
