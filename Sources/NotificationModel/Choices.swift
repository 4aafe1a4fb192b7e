// SPDX-License-Identifier: Apache-2.0

/// The actions that a request offers.
package struct Choices: Equatable {
  /// The actions for its style (banner or alert), in their order.
  package var actions: [Action] = []
  /// The other actions of its category, which a list offers.
  package var others: [Action] = []
  /// Those of the others that are meant for this style, but exceed its limit.
  package var overflow: [Action] = []
  /// The freedesktop category to send to the server.
  package var type: String?
  /// Whether a dismissal is a response, too.
  package var wantsDismissal = false
  /// Whether the actions come from a category, which may change, and not from the request itself.
  package var isOfCategory = false

  /// - Parameter category: the registered category that the request names.
  package init(_ request: borrowing NotificationRequest, category: Category?) {
    // A registered category has its own type; a name with a dot is a freedesktop category.
    type = category == nil ? request.content.category?.standardName : category?.type
    wantsDismissal = category?.customDismiss ?? false
    if let category, request.content.actions.isEmpty {
      isOfCategory = true
      actions = category.actions(in: request.content.style)
      let chosen = Set(actions.map { Identifier($0.id) })
      others = category.actions.filter { !chosen.contains(Identifier($0.id)) }
      // A banner shows the few actions that its author chose; an alert offers the rest, too.
      if request.content.style == .alert { overflow = category.overflow }
    } else {
      // The request lists its own actions: all of them are offered.
      actions = request.content.actions
    }
  }
}
