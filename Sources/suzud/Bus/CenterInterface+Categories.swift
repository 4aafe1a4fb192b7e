// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel
internal import Scheduling

extension CenterInterface {
  static func categoryMethods(of center: Center) -> [Method] {
    [
      Method("SetCategories", in: ["app": "s", "categories": "aa{sv}"], bounds: .categories) { call in
        let rights = await center.rights(of: call.sender)
        try rights.checkCategories(of: call)
        // Counted in the message: of eight million bytes of empty ones none is read.
        let most = rights == .all ? Categories.mostOfAnApp : Rights.mostCategories
        guard call.count(of: 1, upTo: most) <= most else {
          throw RemoteError(limitExceeded, "more categories than the \(most) that this app may have")
        }
        guard case .string(let app) = call.arguments[0], case .array(_, let list) = call.arguments[1] else {
          throw mismatch
        }
        try rights.check(try appName(app))
        try await center.setCategories(try categories(list, of: rights), of: app)
        return []
      },
      Method("Categories", in: ["app": "s"], out: ["categories": "aa{sv}"]) { call in
        guard case .string(let app) = call.arguments[0] else { throw mismatch }
        let rights = await center.rights(of: call.sender)
        let asked = try rights.narrowed(app.isEmpty ? nil : app)
        return [.array(of: .properties, try await center.categories(of: asked, for: rights))]
      },
    ]
  }

  /// An app is named as in requests.
  static func appName(_ app: String) throws(RemoteError) -> String {
    guard !app.isEmpty, app.utf8.count <= 255, !app.utf8.contains(where: { $0 < 32 || $0 == 127 }) else {
      throw RemoteError(invalidRequest, "'app' must be 1 to 255 bytes of text without control characters")
    }
    return app
  }

  private static func categories(_ list: [Value], of rights: Rights) throws(RemoteError) -> [Category] {
    var categories: [Category] = []
    categories.reserveCapacity(list.count)
    for (index, element) in list.enumerated() {
      do {
        let category = try ValueDecoder().decode(Category.self, from: element)
        for action in category.actions { try rights.check(action) }
        // What the words themselves are too long for; what is filled in is known with the request.
        for action in category.actions { try action.checkLengths(in: NotificationRequest(app: "", title: "")) }
        categories.append(category)
      } catch {
        let refusal = refusal(error)
        throw RemoteError(refusal.name, "[\(index)]: \(refusal.message)")
      }
    }
    do throws(RequestError) { try categories.checkDistinct() } catch {
      throw RemoteError(invalidRequest, error.description)
    }
    return categories
  }
}

extension Center {
  func setCategories(_ categories: [Category], of app: String) throws(RemoteError) {
    do throws(StoreError) { try self.categories.set(categories, of: app) } catch { throw RemoteError(error) }
  }

  /// Those that an app may name, or all: its own, then those in files, which say in which.
  func categories(of app: String?, for rights: Rights) throws(RemoteError) -> [Value] {
    if let own = rights.ownApp { return categories.seen(by: own).map { value($0, [:]) } }
    var values: [Value] = []
    for owner in app.map({ [$0] }) ?? categories.apps {
      for category in categories.own(of: owner) {
        values.append(value(category, app == nil ? ["app": .string(owner)] : [:]))
      }
    }
    for filed in app.map({ categories.filed(of: $0) }) ?? categories.filed {
      var words: [String: Value] = ["file": .string(filed.path)]
      if let owner = filed.app { words["app"] = .string(owner) }
      values.append(value(filed.category, words))
    }
    return values
  }

  private func value(_ category: Category, _ more: [String: Value]) -> Value {
    .properties(((try? ValueEncoder().encodeProperties(category)) ?? [:]).merging(more) { $1 })
  }
}
