// SPDX-License-Identifier: Apache-2.0
internal import Launcher

extension Catalogue {
  /// The meaning of a word on the command line.
  enum Found: Equatable {
    case app(App)
    case item(Item)
  }

  /// Finds an app by id or name, an action after the app and a colon, or an action alone. Exact case is preferred, to
  /// tell apart names that differ only in case.
  func find(_ word: String) throws(CommandError) -> Found {
    if let app = apps.first(where: { $0.id == word || $0.id + ".desktop" == word }) { return .app(app) }
    if let item = apps.lazy.flatMap(\.items).first(where: { $0.key == word }) { return .item(item) }
    if let found = try find(word, by: ==) { return found }
    if let found = try find(word, by: { $0.lowercased() == $1.lowercased() }) { return found }
    let known = apps.flatMap { [$0.id, $0.name] + $0.items.flatMap { [$0.key, $0.name] } }
    throw .data(
      "no app or action is called '\(PrintableText.line(word, atMost: 60))'\(suggestion(for: word, among: known)); "
        + "see 'suzu launcher list'")
  }

  private func find(_ word: String, by isSame: (String, String) -> Bool) throws(CommandError) -> Found? {
    let named = apps.filter { isSame($0.name, word) }
    if !named.isEmpty { return .app(try Self.only(named.map { ($0.id, $0) }, word)) }
    for items in [actions(named: word, by: isSame), apps.flatMap(\.items).filter { isSame($0.name, word) }]
    where !items.isEmpty {
      return .item(try Self.only(items.map { ($0.key, $0) }, word))
    }
    return nil
  }

  /// Matches `Calendar:New Event`; names may contain colons, too.
  private func actions(named word: String, by isSame: (String, String) -> Bool) -> [Item] {
    word.indices.filter { word[$0] == ":" }.flatMap { colon in
      let (name, rest) = (String(word[..<colon]), String(word[word.index(after: colon)...]))
      return apps.filter { $0.id == name || isSame($0.name, name) }.flatMap { app in
        app.items.filter { $0.key == "\(app.id):\(rest)" || isSame($0.name, rest) }
      }
    }
  }

  private static func only<Value>(_ found: [(id: String, value: Value)], _ word: String) throws(CommandError) -> Value {
    guard found.count > 1 else { return found[0].value }
    let ids = found.map { "'\(PrintableText.line($0.id, atMost: 120))'" }.joined(separator: ", ")
    throw .data("'\(PrintableText.line(word, atMost: 60))' is the name of \(ids); use an id")
  }
}
