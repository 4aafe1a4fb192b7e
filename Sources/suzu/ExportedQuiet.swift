// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel

/// An entry of `quiet` in the file of `suzu export --everything`: the quiet hours of an app, or of all apps.
///
/// What was turned on or off by hand is left out: it was meant for the moment of the export.
struct ExportedQuiet {
  /// Nil for all apps.
  let app: String?
  private(set) var hours: [String] = []
  private(set) var limit: QuietLimit?
  private(set) var followsDesktop: Bool?
  private(set) var comesOneByOne: Bool?

  private enum Key: String, CaseIterable { case app, hours, pass, desktop, after }

  init(_ words: [String: PlainValue], _ place: String) throws(RequestError) {
    func wrong(_ key: Key, _ problem: String) -> RequestError { RequestError("\(place).\(key.rawValue)", problem) }
    if let unknown = words.keys.filter({ Key(rawValue: $0) == nil }).min() {
      throw RequestError("\(place).\(unknown)", "is not a known key", isAboutKey: true)
    }
    switch words[Key.app.rawValue] {
    case nil: app = nil
    case .text(let name)? where !name.isEmpty: app = name
    default: throw wrong(.app, "must be a desktop-entry id")
    }
    if let value = words[Key.hours.rawValue] {
      guard case .list(let values) = value else { throw wrong(.hours, "must be a list of hours") }
      for value in values {
        guard case .text(let text) = value else { throw wrong(.hours, "must be a list of hours") }
        hours.append(text)
      }
    }
    if let value = words[Key.pass.rawValue] {
      guard case .text(let name) = value, let limit = QuietLimit(rawValue: name) else {
        let known = QuietLimit.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw wrong(.pass, "must be one of \(known)")
      }
      self.limit = limit
    }
    // These two are of all apps.
    if let value = words[Key.desktop.rawValue] {
      guard case .flag(let flag) = value, app == nil else {
        throw wrong(.desktop, "must be true or false, without 'app'")
      }
      followsDesktop = flag
    }
    if let value = words[Key.after.rawValue] {
      guard case .text(let text) = value, ["each", "digest"].contains(text), app == nil else {
        throw wrong(.after, "must be 'each' or 'digest', without 'app'")
      }
      comesOneByOne = text == "each"
    }
  }

  /// The change that gives a center these quiet hours; hours that it has already stay.
  func edit(besides present: QuietHours) -> QuietEdit {
    var edit = QuietEdit()
    edit.add = hours.filter { one in !present.hours.contains { $0.isIdentical(to: one) } }
    edit.limit = limit.map { .some($0) }
    edit.followsDesktop = followsDesktop
    edit.comesOneByOne = comesOneByOne
    return edit
  }

  /// The entry of a report; nil if nothing was decided that lasts.
  static func json(_ report: QuietReport) -> String? {
    let lasting = [Key.hours, .pass, .desktop, .after].map(\.rawValue)
    var words = report.hours.plain.filter { lasting.contains($0.key) }
    if words.isEmpty { return nil }
    words[Key.app.rawValue] = report.app.map { .text($0) }
    return PlainValue.dictionary(words).json
  }
}
