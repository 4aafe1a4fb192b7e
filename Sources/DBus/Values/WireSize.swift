// SPDX-License-Identifier: Apache-2.0

/// Walks the values of a message as the wire would lay them out: what libdbus would end the process for is found here,
/// and the size is known before a byte is sent.
struct WireSize {
  /// No array may be longer, by the specification.
  static let longestArray = 64 << 20
  /// No message may be longer, by the specification.
  static let longestMessage = 128 << 20

  /// The bytes so far.
  private(set) var offset: Int
  private(set) var unixFDs = 0

  init(offset: Int = 0) {
    self.offset = offset
  }

  mutating func add(_ value: Value) throws(BusError) {
    try add(value, arrays: 0, structures: 0)
  }

  private mutating func add(_ value: Value, arrays: Int, structures: Int) throws(BusError) {
    switch value {
    case .byte: offset += 1
    case .int16, .uint16: addFixed(2)
    case .boolean, .int32, .uint32: addFixed(4)
    case .int64, .uint64, .double: addFixed(8)
    case .unixFD:
      unixFDs += 1
      addFixed(4)
    case .string(let text):
      if text.utf8.contains(0) { throw BusError(.invalidValue, "a string for the bus may hold no NUL") }
      try addArray(of: text.utf8.count + 1)
    case .objectPath(let path): try addArray(of: path.text.utf8.count + 1)
    case .signature(let signature): offset += 2 + signature.text.utf8.count
    case .variant(let inner):
      try addVariant(inner, arrays: arrays, structures: structures)
    case .bytes(let bytes): try addArray(of: bytes.count)
    case .array(let element, let values):
      try addElements(of: element, arrays: arrays) { size throws(BusError) in
        for value in values {
          try size.check(value, is: element, "an array of")
          try size.add(value, arrays: arrays + 1, structures: structures)
        }
      }
    case .structure(let fields):
      try deepen(structures, "structures")
      if fields.isEmpty { throw BusError(.invalidValue, "a structure for the bus needs a field") }
      align(8)
      for field in fields { try add(field, arrays: arrays, structures: structures + 1) }
    case .dictionary(let dictionary):
      guard dictionary.keyType.isBasic else {
        throw BusError(.invalidValue, "a dictionary's key cannot be of type '\(dictionary.keyType.code)'")
      }
      try deepen(structures, "structures")
      try addElements(of: .structure([dictionary.keyType]), arrays: arrays) { size throws(BusError) in
        for entry in dictionary.entries {
          try size.check(entry.key, is: dictionary.keyType, "a dictionary with keys")
          try size.check(entry.value, is: dictionary.valueType, "a dictionary with values")
          size.align(8)
          try size.add(entry.key, arrays: arrays + 1, structures: structures + 1)
          try size.add(entry.value, arrays: arrays + 1, structures: structures + 1)
        }
      }
    }
  }

  private mutating func addVariant(_ inner: Value, arrays: Int, structures: Int) throws(BusError) {
    // A variant starts its own count of both on the wire, but libdbus limits the whole message to 64 levels.
    try deepen(arrays + structures, "variants", limit: 2 * Signature.deepestNesting)
    let type = inner.type
    if !type.isBasic, type != .variant, !Signature.isValid(type.code) {
      throw BusError(.invalidValue, "a variant's type '\(type.code)' is too long or too deep")
    }
    offset += 2 + (type.isBasic ? 1 : type.code.utf8.count)
    try add(inner, arrays: arrays, structures: structures + 1)
  }

  private mutating func addFixed(_ size: Int) {
    align(size)
    offset += size
  }

  private mutating func addArray(of bytes: Int) throws(BusError) {
    addFixed(4)
    try checkLength(bytes)
    offset += bytes
  }

  private mutating func addElements(
    of element: ValueType, arrays: Int, _ body: (inout WireSize) throws(BusError) -> Void
  ) throws(BusError) {
    try deepen(arrays, "arrays")
    addFixed(4)
    align(element.alignment)
    let start = offset
    try body(&self)
    try checkLength(offset - start)
  }

  private func checkLength(_ bytes: Int) throws(BusError) {
    guard bytes <= Self.longestArray else {
      throw BusError(.tooLarge, "a string or array of \(bytes) bytes: the bus takes at most \(Self.longestArray)")
    }
  }

  private func check(_ value: Value, is type: ValueType, _ container: String) throws(BusError) {
    guard value.hasType(type) else {
      throw BusError(.invalidValue, "\(container) '\(type.code)' cannot hold a value of type '\(value.type.code)'")
    }
  }

  private func deepen(_ depth: Int, _ what: String, limit: Int = Signature.deepestNesting) throws(BusError) {
    guard depth < limit else { throw BusError(.invalidValue, "the bus takes at most \(limit) nested \(what)") }
  }

  private mutating func align(_ boundary: Int) {
    offset = (offset + boundary - 1) & ~(boundary - 1)
  }
}

extension Value {
  /// How many bytes the value takes in a message; throws what sending it would throw.
  public func encodedSize() throws(BusError) -> Int {
    var size = WireSize()
    try size.add(self)
    return size.offset
  }

  /// Whether the value is of `type`; the usual simple types without building a `ValueType` from the fields.
  func hasType(_ type: ValueType) -> Bool {
    switch (self, type) {
    case (.string, .string), (.variant, .variant), (.byte, .byte), (.uint32, .uint32), (.int32, .int32): true
    default: self.type == type
    }
  }
}
