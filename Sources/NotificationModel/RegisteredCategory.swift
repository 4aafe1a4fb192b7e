// SPDX-License-Identifier: Apache-2.0

/// A category that the center knows, and where it comes from.
public struct RegisteredCategory: Hashable, Sendable {
  /// The category.
  public let category: Category
  /// The app that owns the category; nil if every app may use it.
  public let app: String?
  /// The file that defines the category; nil if an app registered it.
  public let file: String?

  /// Creates a category in a listing.
  public init(_ category: Category, of app: String? = nil, in file: String? = nil) {
    self.category = category
    self.app = app
    self.file = file
  }
}
