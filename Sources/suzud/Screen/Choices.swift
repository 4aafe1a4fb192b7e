// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// What a request lets the user choose.
struct Choices: Equatable {
  /// Those of its context, in their order.
  var actions: [Action] = []
  /// The rest of its category, for whoever asks for more.
  var others: [Action] = []
  /// Those of the rest that were meant for this context, and are too many for it.
  var overflow: [Action] = []
  /// Freedesktop's category, for the server.
  var type: String?
  /// Whether putting it away is an answer, too.
  var wantsDismissal = false
  /// Whether they are a category's, which may be another one tomorrow, and not the request's own.
  var isOfCategory = false

  /// - Parameter category: the one that the request names, where it is registered.
  init(_ request: NotificationRequest, category: Category?) {
    // A registered category has a type of its own; what has a dot is freedesktop's.
    type = category == nil ? request.category.flatMap { $0.contains(".") ? $0 : nil } : category?.type
    wantsDismissal = category?.customDismiss ?? false
    if let category, request.actions.isEmpty {
      isOfCategory = true
      actions = category.actions(in: request.style)
      let chosen = Set(actions.map { Identifier($0.id) })
      others = category.actions.filter { !chosen.contains(Identifier($0.id)) }
      // A banner is the few that its author picked; all the rest is what alerts are for.
      if request.style == .alert { overflow = category.overflow }
    } else {
      // Somebody listed them for this one notification: all of them count.
      actions = request.actions
    }
  }
}
