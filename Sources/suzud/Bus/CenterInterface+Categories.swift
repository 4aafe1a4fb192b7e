// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
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
        return [
          .array(of: .properties, await center.categories(of: asked, for: rights).map { .properties($0.properties) })
        ]
      },
    ]
  }

  /// Checks an app's name by the same rule as in requests.
  static func appName(_ app: String) throws(CenterError) -> String {
    do throws(RequestError) { return try AppID(app).text } catch {
      throw CenterError(.invalidRequest, error.description)
    }
  }

  /// Turns the dictionary of a call into a checked category.
  static func category(_ element: Value, of rights: Rights) throws(CenterError) -> Category {
    do {
      let category = try ValueDecoder().decode(Category.self, from: element)
      for action in category.actions { try rights.check(action) }
      // Checks the texts before they are filled in; the filled-in lengths are checked with each request.
      for action in category.actions { try action.checkLengths() }
      return category
    } catch {
      throw refusal(error)
    }
  }
}
