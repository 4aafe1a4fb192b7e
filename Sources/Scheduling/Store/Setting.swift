// SPDX-License-Identifier: Apache-2.0

/// A named text that is kept across restarts.
enum Setting {
  static func all(in database: Database, prefix: String) throws(StoreError) -> [(name: String, value: String)] {
    // 'prefix' is the smallest text with this prefix, and all others sort before the prefix and the last character.
    try database.rows(
      Table.setting.select + " WHERE name >= ? AND name < ? || char(0x10FFFF) ORDER BY name",
      [.text(prefix), .text(prefix)]
    ) { statement throws(StoreError) in
      let row = try Table.setting.read(statement)
      return (row[1].text ?? "", row[2].text ?? "")
    }
  }
}

extension Store {
  /// The value of a setting; nil if it is not set.
  public func setting(_ name: String) throws(StoreError) -> String? {
    try read { database throws(StoreError) in
      try database.rows(Table.setting.select + " WHERE name = ?", [.text(name)]) { statement throws(StoreError) in
        try Table.setting.read(statement)[2].text
      }.first ?? nil
    }
  }

  /// The settings whose names have a prefix, sorted by name.
  public func settings(withPrefix prefix: String) throws(StoreError) -> [(name: String, value: String)] {
    try read { database throws(StoreError) in try Setting.all(in: database, prefix: prefix) }
  }

  /// Sets a value, or removes it if it is nil.
  public func set(_ name: String, to value: String?) throws(StoreError) {
    try write(.needed) { database throws(StoreError) in
      guard let value else {
        try database.run("DELETE FROM setting WHERE name = ?", [.text(name)])
        return
      }
      let known = try database.number("SELECT number FROM setting WHERE name = ?", [.text(name)])
      let last = try database.number("SELECT max(number) FROM setting") ?? 0
      let key = known ?? last + 1
      try database.run(Table.setting.replace, Table.setting.checked([.integer(key), .text(name), .text(value)]))
    }
  }
}
