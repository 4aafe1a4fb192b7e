// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

/// A category registered with the center.
public struct RegisteredCategory: Hashable, Sendable {
  /// The category.
  public let category: Category
  /// The app that owns the category; nil if every app may use it.
  public let app: String?
  /// The file that defines the category; nil if an app registered it.
  public let file: String?

  init?(_ words: [String: PlainValue], of app: String?) {
    var words = words
    func take(_ key: String) -> String? {
      if case .text(let text)? = words.removeValue(forKey: key) { text } else { nil }
    }
    let file = take("file")
    let owner = take("app") ?? (file == nil ? app : nil)
    guard let category = try? Category(.dictionary(words)) else { return nil }
    (self.category, self.app, self.file) = (category, owner, file)
  }
}

extension Center {
  /// Returns the categories that requests of the app may use; without an app, all of them.
  public func categories(app: String? = nil) async throws(SuzuError) -> [RegisteredCategory] {
    guard let rows = try await call("Categories", [.string(app ?? "")]).first?.elements else {
      throw SuzuError(.unavailable, "the center answered 'Categories' without a list")
    }
    return rows.compactMap { row in
      row.properties.flatMap { RegisteredCategory($0.compactMapValues(PlainValue.init), of: app) }
    }
  }

  /// Replaces all categories that the app registered. They persist after the program ends.
  public func setCategories(_ categories: [Category], app: String) async throws(SuzuError) {
    var values: [Value] = []
    for category in categories { values.append(try encoded(category)) }
    _ = try await call("SetCategories", [.string(app), .array(of: .properties, values)])
  }
}
