// SPDX-License-Identifier: Apache-2.0

/// The content of a file of categories: one category, a list of them, or `{"app": …, "categories": […]}`; as JSON, or
/// as a property list.
public struct CategoryDocument: Sendable {
  /// The app that owns them; nil for all apps.
  public let app: String?
  /// The checked categories.
  public let categories: [Category]

  /// Parses a file's content; errors name the position.
  public init(_ bytes: [UInt8]) throws(DocumentError) { try self.init(PlainDocument(bytes)) }

  /// Reads a parsed file.
  public init(_ document: PlainDocument) throws(DocumentError) {
    do throws(RequestError) { (app, categories) = try Self.read(document.value) } catch { throw document.error(error) }
  }

  private static func read(_ value: PlainValue) throws(RequestError) -> (String?, [Category]) {
    switch value {
    case .list(let values): return (nil, try categories(values, ""))
    case .dictionary(let words):
      guard case .list(let values)? = words["categories"] else { return (nil, [try Category(value)]) }
      if let unknown = words.keys.filter({ $0 != "app" && $0 != "categories" }).min() {
        throw RequestError(unknown, "is not a known key", isAboutKey: true)
      }
      switch words["app"] {
      case .text(let app)? where !app.isEmpty: return (app, try categories(values, "categories"))
      case nil: return (nil, try categories(values, "categories"))
      default: throw RequestError("app", "must be a desktop-entry id")
      }
    default: throw RequestError("", "a category must be a dictionary: { … }")
    }
  }

  private static func categories(_ values: [PlainValue], _ path: String) throws(RequestError) -> [Category] {
    var categories: [Category] = []
    for (index, value) in values.enumerated() {
      let place = "\(path)[\(index)]"
      do throws(RequestError) {
        categories.append(try Category(value))
      } catch {
        throw RequestError(
          error.key.isEmpty ? place : "\(place).\(error.key)", error.problem, isAboutKey: error.isAboutKey)
      }
    }
    do throws(RequestError) {
      try categories.checkDistinct()
    } catch {
      throw RequestError(path + error.key, error.problem)
    }
    return categories
  }
}
