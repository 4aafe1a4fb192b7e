// SPDX-License-Identifier: Apache-2.0

/// Why a request is not accepted. The center and its stand-in in tests refuse the same requests with the same words.
package struct RequestRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of refusal.
  package let code: RefusalCode
  /// One line for the user.
  package let message: String

  /// Refuses with a code and a message.
  package init(_ code: RefusalCode, _ message: String) {
    self.code = code
    self.message = message
  }

  /// One line for the user.
  package var description: String { message }
}

extension NotificationRequest {
  /// Checks of a new request that need neither the time nor a store: its id is free, its category is known, and the
  /// programs behind its buttons can be started; see ``ArgumentLimit``.
  ///
  /// - Parameter registered: the registered category with a name; nil if there is none.
  package func checkIntake(registered: (CategoryID) -> Category?) throws(RequestRefusal) {
    let category = content.category.flatMap(registered)
    do throws(RequestError) {
      if let id { try ReservedID.checkIsFree(id.text, of: app.text) }
    } catch {
      throw RequestRefusal(.invalidRequest, error.description)
    }
    if let name = content.category { try Self.check(name, category, "category") }
    for (index, step) in (content.nag?.steps ?? []).enumerated() {
      if let name = step.category { try Self.check(name, registered(name), "escalate[\(index)].category") }
    }
    do throws(RequestError) {
      let actions = content.actions.isEmpty ? category?.actions ?? [] : content.actions
      for action in actions { try action.checkLengths(in: self) }
      if content.url != nil { try Action.ofItself(self).checkLengths(in: self) }
    } catch {
      throw RequestRefusal(.invalidRequest, error.description)
    }
  }

  private static func check(_ name: CategoryID, _ category: Category?, _ key: String) throws(RequestRefusal) {
    // The freedesktop categories (`class.specific`) need not be registered.
    guard category == nil, name.standardName == nil else { return }
    throw RequestRefusal(
      .unknownCategory,
      "'\(key)' names '\(name.text.asLine(longest: 255))', which is not registered: see suzu category")
  }
}
