// SPDX-License-Identifier: Apache-2.0

/// Walks the values of a message as the wire would lay them out: what libdbus would end the process for, or the bus the
/// connection, is found here, and the size is known before a byte is sent.
struct WireSize {
  /// No array may be longer, by the specification.
  static let longestArray = 64 << 20
  /// No message may be longer, by the specification.
  static let longestMessage = 128 << 20
  /// The most levels of values within each other that libdbus accepts, variants counted.
  static let deepestNesting = 64
  /// What a bus takes in one message unless it was told otherwise; one more costs the connection.
  static let mostUnixFDs = 16
  /// More than any header but for its path, with what the bus adds: names and the signature are at most 255 bytes each.
  private static let headerAllowance = 2048

  /// The bytes so far, from the start of the message.
  private(set) var offset: Int
  private var unixFDs = 0

  /// Checks the values of one message.
  init(of values: [Value], path: ObjectPath) throws(BusError) {
    let pathLength = path.text.utf8.count
    guard pathLength <= Self.longestArray - Self.headerAllowance else {
      throw BusError(.tooLarge, "an object path of \(pathLength) bytes")
    }
    try self.init(of: values, after: Self.headerAllowance + pathLength)
  }

  /// Checks values that begin behind so many bytes.
  init(of values: [Value], after start: Int = 0) throws(BusError) {
    offset = start
    align(8)
    var signatureLength = 0
    for value in values {
      signatureLength += try Self.signatureLength(of: value)
      try add(value, depth: 0)
    }
    guard signatureLength <= longestName else {
      throw BusError(.invalidValue, "the arguments' signature is longer than \(longestName) bytes")
    }
    guard unixFDs <= Self.mostUnixFDs else {
      throw BusError(.tooLarge, "\(unixFDs) descriptors in one message: the bus takes at most \(Self.mostUnixFDs)")
    }
  }

  // MARK: Values

  private mutating func add(_ value: Value, depth: Int) throws(BusError) {
    switch value {
    case .byte: offset += 1
    case .int16, .uint16: addFixed(2)
    case .boolean, .int32, .uint32: addFixed(4)
    case .int64, .uint64, .double: addFixed(8)
    case .unixFD:
      unixFDs += 1
      addFixed(4)
    case .string(let text):
      if text.holdsNUL { throw BusError(.invalidValue, "a string for the bus may hold no NUL") }
      try addArray(of: text.utf8.count + 1)
    case .objectPath(let path): try addArray(of: path.text.utf8.count + 1)
    case .signature(let signature): offset += 2 + signature.text.utf8.count
    case .variant(let inner): try addVariant(inner, depth: depth + 1)
    case .bytes(let bytes): try addArray(of: bytes.count)
    case .array(let element, let values): try addElements(values, of: element, depth: depth)
    case .structure(let fields):
      try checkDepth(depth + 1)
      if fields.isEmpty { throw BusError(.invalidValue, "a structure for the bus needs a field") }
      align(8)
      for field in fields { try add(field, depth: depth + 1) }
    case .dictionary(let dictionary): try addEntries(dictionary, depth: depth)
    }
  }

  private mutating func addVariant(_ inner: Value, depth: Int) throws(BusError) {
    try checkDepth(depth)
    offset += 2 + (try Self.signatureLength(of: inner))
    try add(inner, depth: depth)
  }

  private mutating func addElements(_ values: [Value], of element: ValueType, depth: Int) throws(BusError) {
    addFixed(4)
    align(element.alignment)
    if values.isEmpty { return }
    // libdbus does not look into arrays of numbers.
    if !element.isFixed { try checkDepth(depth + 1) }
    let start = offset
    for value in values {
      try check(value, is: element, "an array of")
      try add(value, depth: depth + 1)
    }
    try checkLength(offset - start)
  }

  private mutating func addEntries(_ dictionary: DictionaryValue, depth: Int) throws(BusError) {
    addFixed(4)
    align(8)
    if dictionary.entries.isEmpty { return }
    try checkDepth(depth + 2)
    let start = offset
    for entry in dictionary.entries {
      try check(entry.key, is: dictionary.keyType, "a dictionary with keys")
      try check(entry.value, is: dictionary.valueType, "a dictionary with values")
      align(8)
      try add(entry.key, depth: depth + 2)
      try add(entry.value, depth: depth + 2)
    }
    try checkLength(offset - start)
  }

  // MARK: Sizes

  private mutating func addFixed(_ size: Int) {
    align(size)
    offset += size
  }

  private mutating func addArray(of bytes: Int) throws(BusError) {
    addFixed(4)
    try checkLength(bytes)
    offset += bytes
  }

  private mutating func align(_ boundary: Int) {
    offset = (offset + boundary - 1) & ~(boundary - 1)
  }

  // MARK: Checks

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

  private func checkDepth(_ depth: Int) throws(BusError) {
    guard depth <= Self.deepestNesting else {
      throw BusError(.invalidValue, "the bus takes at most \(Self.deepestNesting) values within each other")
    }
  }

  /// The length of the value's signature, which must be a valid one: an empty array may claim any type.
  private static func signatureLength(of value: Value) throws(BusError) -> Int {
    switch value {
    case .bytes: return 2
    case .array(let element, _) where element.isSimple: return 2
    case .dictionary(let dictionary) where dictionary.keyType.isBasic && dictionary.valueType.isSimple: return 5
    case .structure(let fields) where !fields.allSatisfy({ $0.hasStructures(upTo: Signature.deepestNesting - 1) }):
      throw BusError(.invalidValue, "the bus takes at most \(Signature.deepestNesting) structures within each other")
    case .array, .structure, .dictionary:
      let code = value.type.code
      guard Signature.isValid(code) else {
        throw BusError(.invalidValue, "the bus has no type '\(code.prefix(longestName))'")
      }
      return code.utf8.count
    default: return 1
    }
  }
}

extension ValueType {
  /// Whether one letter says it all.
  fileprivate var isSimple: Bool { isBasic || self == .variant }

  /// Whether all its values have the same size.
  fileprivate var isFixed: Bool {
    switch self {
    case .string, .objectPath, .signature: false
    default: isBasic
    }
  }
}

extension String {
  fileprivate var holdsNUL: Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? utf8.contains(0)
  }
}

extension Value {
  /// How many bytes the value takes in a message; throws what sending it would throw.
  public func encodedSize() throws(BusError) -> Int { try WireSize(of: [self]).offset }

  /// Whether so many structures at most stand within each other here; it looks no deeper.
  fileprivate func hasStructures(upTo limit: Int) -> Bool {
    guard case .structure(let fields) = self else { return true }
    return limit > 0 && fields.allSatisfy { $0.hasStructures(upTo: limit - 1) }
  }

  /// Whether the value is of `type`; without building the type of the value.
  func hasType(_ type: ValueType) -> Bool {
    switch (self, type) {
    case (.string, .string), (.variant, .variant), (.byte, .byte), (.boolean, .boolean), (.int16, .int16),
      (.uint16, .uint16), (.int32, .int32), (.uint32, .uint32), (.int64, .int64), (.uint64, .uint64),
      (.double, .double), (.objectPath, .objectPath), (.signature, .signature), (.unixFD, .unixFD),
      (.bytes, .array(.byte)):
      true
    case (.array(let mine, _), .array(let element)): mine == element
    case (.structure(let values), .structure(let types)):
      values.count == types.count && zip(values, types).allSatisfy { $0.hasType($1) }
    case (.dictionary(let dictionary), .dictionary(let key, let value)):
      dictionary.keyType == key && dictionary.valueType == value
    default: false
    }
  }
}
