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
  /// - Parameter category: the registered category that it names; nil if there is none.
  package func checkIntake(with category: Category?) throws(RequestRefusal) {
    do throws(RequestError) {
      if let id { try ReservedID.checkIsFree(id.text, of: app.text) }
    } catch {
      throw RequestRefusal(.invalidRequest, error.description)
    }
    // The freedesktop categories (`class.specific`) need not be registered.
    if let name = content.category, category == nil, name.standardName == nil {
      throw RequestRefusal(
        .unknownCategory,
        "'category' names '\(name.text.asLine(longest: 255))', which is not registered: see suzu category")
    }
    do throws(RequestError) {
      let actions = content.actions.isEmpty ? category?.actions ?? [] : content.actions
      for action in actions { try action.checkLengths(in: self) }
      if content.url != nil { try Action.ofItself(self).checkLengths(in: self) }
    } catch {
      throw RequestRefusal(.invalidRequest, error.description)
    }
  }
}
