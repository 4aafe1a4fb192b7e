// SPDX-License-Identifier: Apache-2.0
public import DBus
public import NotificationModel

/// `Categories` returns the properties. Those of one app have no `app` if the app registered them.
extension RegisteredCategory {
  /// The category as an `a{sv}`.
  public var properties: [String: Value] {
    var words = (try? ValueEncoder().encodeProperties(category)) ?? [:]
    if let file { words["file"] = .string(file) }
    if let app { words["app"] = .string(app) }
    return words
  }

  /// Reads an `a{sv}`; nil if it is not a category that this version knows.
  ///
  /// - Parameter app: the app whose categories were asked for; nil for those of all apps.
  public init?(_ properties: [String: Value], of app: String?) {
    var words = properties.compactMapValues(PlainValue.init)
    func take(_ key: String) -> String? {
      if case .text(let text)? = words.removeValue(forKey: key) { text } else { nil }
    }
    let file = take("file")
    let owner = take("app") ?? (file == nil ? app : nil)
    guard let category = try? Category(.dictionary(words)) else { return nil }
    self.init(category, of: owner, in: file)
  }
}
