// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// A message under construction, to which each ``BusType`` writes itself.
///
/// It serializes the message according to the specification, and checks it for everything that libdbus or the bus would
/// refuse.
///
/// libdbus could serialize it, but writes the header again for each argument, which takes four times as long. In a debug
/// build, it reads the finished bytes and checks them again.
public struct WireWriter: Sendable {
  /// The longest array of the specification.
  static let longestArray = 64 << 20
  /// The longest message of the specification.
  static let longestMessage = 128 << 20
  /// The deepest nesting that libdbus accepts, including variants.
  static let deepestNesting = 64
  /// The most descriptors that a bus accepts in one message by default; one more ends the connection.
  static let mostUnixFDs = 16
  /// More bytes than the bus adds, which is the name of the sender.
  private static let allowance = 512

  private(set) var bytes: [UInt8] = []
  private(set) var unixFDs = 0
  /// Where the length of the body stands, and where the body begins.
  private var body = (length: 0, start: 0)
  /// The number of containers around the value that is written next.
  var depth = 0

  /// Begins a message. After the arguments, ``finish(limit:)`` completes it.
  init(_ header: MessageHeader, serial: UInt32, _ signature: Signature) throws(BusError) {
    bytes.reserveCapacity(512)
    // 'l': little-endian; libdbus converts it if necessary.
    addBytes(UInt8(ascii: "l"), header.kind.rawValue, header.flags, 1)
    body.length = reserveLength()
    add(serial)
    let fieldsLength = reserveLength()
    let fields = bytes.count
    if let path = header.path { add(1, "o", path.text) }
    if let interface = header.interface { add(2, "s", interface.text) }
    if let member = header.member { add(3, "s", member.text) }
    if let errorName = header.errorName { add(4, "s", errorName.text) }
    if let serial = header.replySerial { addField(5, "u") { $0.add(serial) } }
    if let destination = header.destination { add(6, "s", destination.text) }
    if !signature.text.isEmpty {
      align(8)
      addBytes(8, 1, UInt8(ascii: "g"), 0)
      addSignature(signature.text)
    }
    try set(bytes.count - fields, at: fieldsLength)
    align(8)
    body.start = bytes.count
  }

  /// Completes a message of at most `limit` bytes.
  mutating func finish(limit: Int) throws(BusError) {
    // The body may be longer than an array: its length is checked against the limit.
    patch(UInt32(truncatingIfNeeded: bytes.count - body.start), at: body.length)
    let size = bytes.count + Self.allowance
    guard size <= min(limit, Self.longestMessage) else {
      throw BusError(.tooLarge, "a message of \(size) bytes: this connection sends at most \(limit)")
    }
    guard unixFDs <= Self.mostUnixFDs else {
      throw BusError(.tooLarge, "\(unixFDs) descriptors in one message: the bus takes at most \(Self.mostUnixFDs)")
    }
  }

  /// Serializes a single value.
  fileprivate init(_ value: Value) throws(BusError) {
    _ = try Self.signatureLength(of: value)
    try add(value, depth: 0)
  }

  // MARK: Header

  private mutating func addField(_ code: UInt8, _ type: Unicode.Scalar, _ body: (inout WireWriter) -> Void) {
    align(8)
    addBytes(code, 1, UInt8(ascii: type), 0)
    body(&self)
  }

  private mutating func add(_ code: UInt8, _ type: Unicode.Scalar, _ text: String) {
    addField(code, type) { $0.addText(text) }
  }

  // MARK: Values

  mutating func add(_ value: Value, depth: Int) throws(BusError) {
    switch value {
    case .byte(let number): bytes.append(number)
    case .boolean(let flag): add(UInt32(flag ? 1 : 0))
    case .int16(let number): add(number)
    case .uint16(let number): add(number)
    case .int32(let number): add(number)
    case .uint32(let number): add(number)
    case .int64(let number): add(number)
    case .uint64(let number): add(number)
    case .double(let number): add(number.bitPattern)
    case .unixFD: addDescriptor()
    case .string(let text): try addString(text)
    case .objectPath(let path): addText(path.text)
    case .signature(let signature): addSignature(signature.text)
    case .variant(let inner): try addVariant(inner, depth: depth + 1)
    case .bytes(let contents): try addBytes(contents)
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
    let length = try Self.signatureLength(of: inner)
    guard length <= longestName else {
      throw BusError(.invalidValue, "a variant's signature is longer than \(longestName) bytes")
    }
    bytes.append(UInt8(length))
    addCode(of: inner)
    bytes.append(0)
    try add(inner, depth: depth)
  }

  private mutating func addElements(_ values: [Value], of element: ValueType, depth: Int) throws(BusError) {
    let length = reserveLength()
    align(element.alignment)
    let start = bytes.count
    // libdbus does not check the elements of arrays of numbers.
    if !values.isEmpty && !element.isFixed { try checkDepth(depth + 1) }
    for value in values {
      try check(value, is: element, "an array of")
      try add(value, depth: depth + 1)
    }
    try set(bytes.count - start, at: length)
  }

  private mutating func addEntries(_ dictionary: DictionaryValue, depth: Int) throws(BusError) {
    let length = reserveLength()
    align(8)
    let start = bytes.count
    if !dictionary.entries.isEmpty { try checkDepth(depth + 2) }
    for entry in dictionary.entries {
      try check(entry.key, is: dictionary.keyType, "a dictionary with keys")
      try check(entry.value, is: dictionary.valueType, "a dictionary with values")
      align(8)
      try add(entry.key, depth: depth + 2)
      try add(entry.value, depth: depth + 2)
    }
    try set(bytes.count - start, at: length)
  }

  /// The types of the values, which must be valid: an empty array may have any type.
  static func signature(of values: [Value]) throws(BusError) -> Signature {
    var text = ""
    for value in values {
      _ = try signatureLength(of: value)
      text += value.type.code
    }
    guard text.utf8.count <= longestName else {
      throw BusError(.invalidValue, "the arguments' signature is longer than \(longestName) bytes")
    }
    return Signature(unchecked: text)
  }

  // MARK: Bytes

  var count: Int { bytes.count }

  mutating func addByte(_ byte: UInt8) { bytes.append(byte) }

  /// Without an array of them, because each field of a header begins with four bytes.
  private mutating func addBytes(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
    bytes.append(first)
    bytes.append(second)
    bytes.append(third)
    bytes.append(fourth)
  }

  mutating func append(_ contents: [UInt8]) { bytes += contents }

  /// Adds the index of a descriptor, which libdbus adds itself: see ``MessageHandle``.
  mutating func addDescriptor() {
    add(UInt32(unixFDs))
    unixFDs += 1
  }

  mutating func add(_ number: some FixedWidthInteger) {
    align(number.bitWidth / 8)
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func addText(_ text: String) {
    add(UInt32(truncatingIfNeeded: text.utf8.count))
    bytes.append(charactersOf: text)
    bytes.append(0)
  }

  mutating func addSignature(_ text: String) {
    bytes.append(UInt8(truncatingIfNeeded: text.utf8.count))
    bytes.append(charactersOf: text)
    bytes.append(0)
  }

  private mutating func addCode(of value: Value) {
    switch value {
    case .string: bytes.append(UInt8(ascii: "s"))
    case .uint32: bytes.append(UInt8(ascii: "u"))
    case .int32: bytes.append(UInt8(ascii: "i"))
    case .variant: bytes.append(UInt8(ascii: "v"))
    default: bytes.append(charactersOf: value.type.code)
    }
  }

  /// Reserves space for a length that is known later; returns its position.
  mutating func reserveLength() -> Int {
    add(UInt32(0))
    return bytes.count - 4
  }

  mutating func set(_ length: Int, at place: Int) throws(BusError) {
    guard length <= Self.longestArray else {
      throw BusError(.tooLarge, "an array of \(length) bytes: the bus takes at most \(Self.longestArray)")
    }
    patch(UInt32(truncatingIfNeeded: length), at: place)
  }

  /// Overwrites a number that was written before.
  mutating func patch(_ number: UInt32, at place: Int) {
    withUnsafeBytes(of: number.littleEndian) { number in
      for index in 0..<4 { bytes[place + index] = number[index] }
    }
  }

  mutating func align(_ boundary: Int) {
    while bytes.count & (boundary - 1) != 0 { bytes.append(0) }
  }

  // MARK: Checks

  private func check(_ value: Value, is type: ValueType, _ container: String) throws(BusError) {
    guard value.hasType(type) else {
      throw BusError(.invalidValue, "\(container) '\(type.code)' cannot hold a value of type '\(value.type.code)'")
    }
  }

  func checkDepth(_ depth: Int) throws(BusError) {
    guard depth <= Self.deepestNesting else {
      throw BusError(.invalidValue, "the bus takes at most \(Self.deepestNesting) nested values")
    }
  }

  /// The length of the value's signature, which must be valid: an empty array may have any type.
  private static func signatureLength(of value: Value) throws(BusError) -> Int {
    switch value {
    case .bytes: return 2
    case .array(let element, _) where element.isSimple: return 2
    case .dictionary(let dictionary) where dictionary.keyType.isBasic && dictionary.valueType.isSimple: return 5
    case .structure(let fields) where !fields.allSatisfy({ $0.hasStructures(upTo: Signature.deepestNesting - 1) }):
      throw BusError(.invalidValue, "the bus takes at most \(Signature.deepestNesting) nested structures")
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
  /// Whether the signature is a single letter.
  fileprivate var isSimple: Bool { isBasic || self == .variant }

  /// Whether all values of the type have the same size.
  var isFixed: Bool {
    switch self {
    case .string, .objectPath, .signature: false
    default: isBasic
    }
  }
}

extension Value {
  /// The size of the value in a message in bytes; throws the errors that sending it would throw.
  public func encodedSize() throws(BusError) -> Int { try WireWriter(self).bytes.count }

  /// Whether at most that many structures are nested here; it checks no deeper.
  fileprivate func hasStructures(upTo limit: Int) -> Bool {
    guard case .structure(let fields) = self else { return true }
    return limit > 0 && fields.allSatisfy { $0.hasStructures(upTo: limit - 1) }
  }

  /// Whether the value has the type `type`; does not build the type of the value.
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
