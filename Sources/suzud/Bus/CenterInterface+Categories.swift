// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel

extension CenterInterface {
  static func categoryMethods(of center: Center) -> [Method] {
    [
      method("SetCategories", in: ["app": "s", "categories": "aa{sv}"], bounds: .categories) { call in
        try await center.setCategories(call, await center.rights(of: Caller(call.sender)))
        return []
      },
      method("Categories", in: ["app": "s"], out: ["categories": "aa{sv}"]) { call in
        guard case .string(let app) = call.arguments[0] else { throw mismatch }
        let rights = await center.rights(of: Caller(call.sender))
        let asked = try rights.narrowed(app.isEmpty ? nil : app)
        return [.array(of: .properties, await center.categories(of: asked, for: rights).map(value))]
      },
    ]
  }

  /// Checks an app's name by the same rule as in requests.
  static func appName(_ app: String) throws(CenterError) -> String {
    guard !app.isEmpty, app.utf8.count <= 255, !app.utf8.contains(where: { $0 < 32 || $0 == 127 }) else {
      throw CenterError(.invalidRequest, "'app' must be 1 to 255 bytes of text without control characters")
    }
    return app
  }

  /// Turns the dictionary of a call into a checked category.
  static func category(_ element: Value, of rights: Rights) throws(CenterError) -> Category {
    do {
      let category = try ValueDecoder().decode(Category.self, from: element)
      for action in category.actions { try rights.check(action) }
      // Checks the texts before they are filled in; the filled-in lengths are checked with each request.
      for action in category.actions { try action.checkLengths(in: NotificationRequest(app: "", title: "")) }
      return category
    } catch {
      throw refusal(error)
    }
  }

  private static func value(_ listed: Categories.Listed) -> Value {
    var words = (try? ValueEncoder().encodeProperties(listed.category)) ?? [:]
    if let file = listed.file { words["file"] = .string(file) }
    if let app = listed.app { words["app"] = .string(app) }
    return .properties(words)
  }
}
