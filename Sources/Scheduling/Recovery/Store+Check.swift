// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Checks of the stored data, and reports about repairs.
extension Store {
  /// The repairs since ``forgetRecoveries()``, including those of earlier processes.
  public func recoveries() throws(StoreError) -> [Recovery] {
    try read { database throws(StoreError) in
      try Setting.all(in: database, prefix: "recovery.").compactMap { Recovery(text: $0.value) }
    }
  }

  /// Forgets the reports after the user has been told.
  public func forgetRecoveries() throws(StoreError) {
    try write(.needed) { database throws(StoreError) in
      _ = try database.run("DELETE FROM setting WHERE name GLOB 'recovery.*'")
    }
  }

  /// Reads every row and index entry; damage is repaired and reported by ``recoveries()``.
  public func check() throws(StoreError) {
    try read { database throws(StoreError) in try check(database) }
  }

  func copy(_ database: Database, to name: String) throws(StoreError) {
    let path = files.path(name)
    let unfinished = files.path("suzu.db.unfinished-copy")
    try StoreFiles.remove(unfinished)
    try StoreFiles.makeEmpty(unfinished)
    do {
      try database.runOnce("VACUUM INTO ?", [.text(unfinished)])
      try StoreFiles.sync(file: unfinished)
      try StoreFiles.rename(unfinished, to: path)
      try files.sync()
    } catch {
      try? StoreFiles.remove(unfinished)
      throw error
    }
  }

  func check(_ database: Database) throws(StoreError) {
    if let problem = try database.problem() { throw StoreError(.damaged, problem) }
    for table in Table.all {
      try database.with(table.select) { statement throws(StoreError) in
        while try statement.step() { _ = try table.read(statement) }
      }
    }
    let counted = try Account.counted(in: database)
    let total = change?.total ?? counter.total
    if counted.values.reduce(Account(), +) != total {
      throw StoreError(
        .damaged,
        "\(total.pending) requests should be pending, but \(counted.values.reduce(0) { $0 + $1.pending }) are;"
          + " or the totals of the accounts are wrong")
    }
    for (app, expected) in counted {
      // Not ``account(of:)``: the database may not be open for others yet.
      var account = try committedAccount(of: app.text, in: database).account + (change?.accounts[app] ?? Account())
      account.isBoxed = false
      if account != expected { throw StoreError(.damaged, "the account of an app is wrong") }
    }
  }
}
