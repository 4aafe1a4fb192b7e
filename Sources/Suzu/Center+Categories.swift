// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

extension Center {
  /// Returns the categories that requests of the app may use; without an app, all of them.
  public func categories(app: String? = nil) async throws(SuzuError) -> [RegisteredCategory] {
    guard let rows = try await call("Categories", [.string(app ?? "")]).first?.elements else {
      throw SuzuError(.unavailable, "the center answered 'Categories' without a list")
    }
    return rows.compactMap { row in
      row.properties.flatMap { RegisteredCategory($0, of: app) }
    }
  }

  /// Replaces all categories that the app registered. They persist after the program ends.
  public func setCategories(_ categories: [Category], app: String) async throws(SuzuError) {
    var values: [Value] = []
    for category in categories { values.append(try encoded(category)) }
    _ = try await call("SetCategories", [.string(app), .array(of: .properties, values)])
  }
}
