// SPDX-License-Identifier: Apache-2.0
internal import CSQLite

/// The only owner of a prepared statement, which is finalized with its last reference.
final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  let sql: String
  /// Whether the statement is in use.
  var isLent = false

  init(_ sql: String, on connection: OpaquePointer) throws(StoreError) {
    var handle: OpaquePointer?
    let result = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard result == SQLITE_OK, let handle else {
      throw StoreError(sqlite: result == SQLITE_OK ? SQLITE_MISUSE : result, on: connection, sql: sql)
    }
    self.handle = handle
    self.connection = connection
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }

  private func check(_ result: Int32) throws(StoreError) {
    guard result == SQLITE_OK else { throw StoreError(sqlite: result, on: connection, sql: sql) }
  }

  /// Binds parameters in order, from the first one by default.
  func bind(_ values: [SQLValue], from first: Int32 = 1) throws(StoreError) {
    var index = first
    for value in values {
      try bind(value, at: index)
      index += 1
    }
  }

  /// Parameters are counted from 1.
  func bind(_ value: SQLValue, at index: Int32) throws(StoreError) {
    switch value {
    case .null: try check(sqlite3_bind_null(handle, index))
    case .integer(let integer): try check(sqlite3_bind_int64(handle, index, integer))
    case .real(let real): try check(sqlite3_bind_double(handle, index, real))
    case .text(var text):
      let result = text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { bytes in
          // An empty array may have no address, and SQLite binds a null address as NULL.
          bytes.isEmpty
            ? sqlite_bind_text_copy(handle, index, "", 0)
            : sqlite_bind_text_copy(handle, index, bytes.baseAddress, UInt64(bytes.count))
        }
      }
      try check(result)
    case .blob(let blob):
      let result = blob.withUnsafeBytes { bytes in
        bytes.isEmpty
          ? sqlite3_bind_zeroblob(handle, index, 0)
          : sqlite_bind_blob_copy(handle, index, bytes.baseAddress, UInt64(bytes.count))
      }
      try check(result)
    }
  }

  /// Steps; returns whether there is a row to read.
  func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw StoreError(sqlite: result, on: connection, sql: sql)
    }
  }

  /// Prepares for the next use: without values, locks or an earlier error.
  func reset() {
    rewind()
    sqlite3_clear_bindings(handle)
  }

  /// Prepares for another run that sets all values again.
  func rewind() {
    sqlite3_reset(handle)  // its result repeats the error of the last step, which was thrown there
  }

  var columnCount: Int32 { sqlite3_column_count(handle) }

  /// Columns are counted from 0.
  func column(_ index: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT: .text(text(index))
    case SQLITE_BLOB: .blob(blob(index))
    default: .null
    }
  }

  func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

  func text(_ index: Int32) -> String {
    // Read the address first: this call converts the value, and the count is that of the converted value.
    guard let address = sqlite3_column_text(handle, index) else { return "" }
    let bytes = UnsafeBufferPointer(start: address, count: Int(sqlite3_column_bytes(handle, index)))
    return String(decoding: bytes, as: UTF8.self)
  }

  private func blob(_ index: Int32) -> [UInt8] {
    guard let address = sqlite3_column_blob(handle, index) else { return [] }
    return Array(UnsafeRawBufferPointer(start: address, count: Int(sqlite3_column_bytes(handle, index))))
  }

  /// The whole row.
  func row() -> [SQLValue] {
    let count = columnCount
    return [SQLValue](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
      for index in 0..<count { buffer.initializeElement(at: Int(index), to: column(index)) }
      initialized = Int(count)
    }
  }
}
