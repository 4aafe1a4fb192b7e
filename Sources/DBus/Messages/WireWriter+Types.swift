// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// What a ``BusType`` writes.
extension WireWriter {
  mutating func addString(_ text: String) throws(BusError) {
    if text.holdsNUL { throw BusError(.invalidValue, "a string for the bus must not contain NUL") }
    addText(text)
  }

  mutating func addBytes(_ contents: [UInt8]) throws(BusError) {
    let length = reserveLength()
    append(contents)
    try set(contents.count, at: length)
  }

  /// Adds an array whose elements `write` adds.
  ///
  /// - Parameter nesting: the levels by which the elements are deeper, as libdbus counts.
  mutating func addArray(
    alignment: Int, nesting: Int, _ write: (inout WireWriter) throws(BusError) -> Void
  ) throws(BusError) {
    let length = reserveLength()
    align(alignment)
    let start = count
    try nested(nesting, write)
    try set(count - start, at: length)
  }

  mutating func addEntry(_ key: some BusKey, _ value: some BusType) throws(BusError) {
    align(8)
    try key.write(to: &self)
    try value.write(to: &self)
  }

  mutating func addStructure(_ write: (inout WireWriter) throws(BusError) -> Void) throws(BusError) {
    align(8)
    try nested(1, write)
  }

  mutating func addVariant(_ value: Value) throws(BusError) { try add(.variant(value), depth: depth) }

  private mutating func nested(
    _ levels: Int, _ write: (inout WireWriter) throws(BusError) -> Void
  ) throws(BusError) {
    depth += levels
    try checkDepth(depth)
    try write(&self)
    depth -= levels
  }
}
