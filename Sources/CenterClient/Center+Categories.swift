// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

extension Center {
  /// Returns the categories that requests of the app may use; without an app, all of them.
  public func categories(app: String? = nil) async throws(SuzuError) -> [RegisteredCategory] {
    try await call(CenterMethods.categories, app ?? "").compactMap { RegisteredCategory($0, of: app) }
  }

  /// Replaces all categories that the app registered. They persist after the program ends.
  public func setCategories(_ categories: [Category], app: String) async throws(SuzuError) {
    var encoded: [Properties] = []
    for category in categories { encoded.append(try self.encoded(category)) }
    try await call(CenterMethods.setCategories, app, encoded)
  }
}
