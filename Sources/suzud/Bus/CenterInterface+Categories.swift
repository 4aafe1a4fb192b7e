// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

extension CenterInterface {
  static func categoryMethods(of center: Center) -> [Method] {
    [
      method("SetCategories", in: ["app": "s", "categories": "aa{sv}"], bounds: .categories) { call in
        let rights = await center.rights(of: Caller(call.sender))
        try rights.checkCategories(of: call)
        // Counted in the message, so that eight million bytes of empty categories are refused unread.
        let most = rights == .all ? Categories.mostOfAnApp : Rights.mostCategories
        guard call.count(of: 1, upTo: most) <= most else {
          throw CenterError(.limitExceeded, "more than \(most) categories for one app")
        }
        guard case .string(let app) = call.arguments[0], case .array(_, let list) = call.arguments[1] else {
          throw mismatch
        }
        try rights.check(try appName(app))
        try await center.setCategories(try categories(list, of: rights), of: app)
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

  private static func categories(_ list: [Value], of rights: Rights) throws(CenterError) -> [Category] {
    var categories: [Category] = []
    categories.reserveCapacity(list.count)
    for (index, element) in list.enumerated() {
      do {
        let category = try ValueDecoder().decode(Category.self, from: element)
        for action in category.actions { try rights.check(action) }
        // Checks the texts before they are filled in; the filled-in lengths are checked with each request.
        for action in category.actions { try action.checkLengths() }
        categories.append(category)
      } catch {
        throw refusal(error).at(index)
      }
    }
    do throws(RequestError) { try categories.checkDistinct() } catch {
      throw CenterError(.invalidRequest, error.description)
    }
    return categories
  }
}
