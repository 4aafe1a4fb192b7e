// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

extension CenterInterface {
  static func categoryMethods(of center: CenterService) -> [Method] {
    [
      Method(unread: CenterMethods.setCategories, bounds: .categories) { _, app, categories, call in
        let rights = await center.rights(of: Caller(call.sender))
        try await center.setCategories(categories, of: app, call, rights)
      },
      Method(CenterMethods.categories) { _, app, call in
        let rights = await center.rights(of: Caller(call.sender))
        let asked = try rights.narrowed(app.isEmpty ? nil : app)
        return await center.categories(of: asked, for: rights)
      },
    ]
  }

  /// Checks an app's name by the same rule as in requests.
  static func appName(_ app: String) throws(CenterError) -> String {
    do throws(RequestError) { return try AppID(app).text } catch {
      throw CenterError(.invalidRequest, error.description)
    }
  }

  /// Checks the name of an app of which something is about to be stored. What is stored already is read and removed
  /// under any name.
  static func newAppName(_ app: String) throws(CenterError) -> String {
    do throws(RequestError) { try AppID.checkAsNew(app) } catch {
      throw CenterError(.invalidRequest, error.description)
    }
    return try appName(app)
  }

  /// Turns the dictionary of a call into a checked category.
  static func category(_ element: Properties, of rights: Rights) throws(CenterError) -> Category {
    do {
      let category = try element.decode(Category.self)
      for action in category.actions { try rights.check(action) }
      // Checks the texts before they are filled in; the filled-in lengths are checked with each request.
      for action in category.actions { try action.checkLengths() }
      return category
    } catch {
      throw refusal(error)
    }
  }
}
